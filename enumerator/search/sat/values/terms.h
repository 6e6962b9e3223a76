/* Terms of threads, and their values on all combinations of values of their reads. */
#pragma once

#include "enumerator/search/sat/values/values.h"

/* A term of one thread on some of its paths. */
typedef struct SatTerm {
  const RspTerm *term;
  guint n_reads;
  guint *reads;     /* events of the fold */
  guint *numbers;   /* their numbers on the path */
  RspMatrix *paths; /* where it is this */
} SatTerm;

/* Called for each combination of values that the reads of a term may have, with what the literals
 * that say so are, and what the term's value is then; defined: FALSE if it has none (a division by
 * zero). */
typedef void (*SatVisit) (gpointer data, const Lit *conditions, guint n, gboolean defined,
                          gint64 value);

/* Collects a term on a path, together with the same on other paths. terms: of SatTerm. */
void sat_terms_add (const SatFold *fold, guint thread, guint path, const RspTerm *term,
                    GArray *terms);
/* FALSE, with a refusal, if the reads may have too many values. */
gboolean sat_terms_each (SatValuation *valuation, const SatTerm *term, SatVisit visit,
                         gpointer data);
