#pragma once

#include "enumerator/search/bounded/searcher.h"

/* A path constraint with the reads it mentions (events of the pre-execution). */
typedef struct Constraint {
  const RspTerm *term;
  guint thread;
  guint n_reads;
  guint *reads;
} Constraint;

struct Constraints {
  guint n;
  Constraint *all;
};

void constraints_open (Searcher *s);

/* Is the value of a read that it mentions unknown? */
gboolean rsp_constraint_is_open (const Searcher *s, const Constraint *constraint);

/* FALSE if a constraint fails. Removes candidates that would make one fail, and then sets
 * *changed. */
gboolean constraints_check (Searcher *s, gboolean *changed);
