/* Blame: the minimal sets of axioms without which the model would allow the outcome. */
#pragma once

#include "explain/candidates/survey.h"

/* One minimal set with an execution that fails just its axioms. */
typedef struct BlameSet {
  const char **axioms; /* NULL-terminated */
  guint n;
  guint64 candidates; /* or RSP_MANY_CANDIDATES */
  const RspExecution *execution;
} BlameSet;

/* The BlameSets (free with g_free), smallest first, of an outcome that no execution of the model
 * has. survey: of its candidates. *more: may there be others, none of them smaller? */
GPtrArray *blame_find (Explaining *explaining, const RspProp *outcome, const Survey *survey,
                       gboolean *more);
