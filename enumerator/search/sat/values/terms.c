#include "enumerator/search/sat/values/terms.h"
#include "enumerator/terms/evaluate.h"

enum {
  MOST_COMBINATIONS = 1 << 14 /* of values of the reads of one term */
};

static gboolean is_same_term (const SatTerm *a, const RspTerm *term, const guint *reads,
                              guint n_reads) {
  if (a->term != term || a->n_reads != n_reads)
    return FALSE;
  for (guint i = 0; i < n_reads; i++)
    if (a->reads[i] != reads[i])
      return FALSE;
  return TRUE;
}

void sat_terms_add (const SatFold *fold, guint thread, guint path, const RspTerm *term,
                    GArray *terms) {
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  rsp_term_add_reads (term, numbers);
  guint n = numbers->len;
  guint *reads = rsp_arena_new0 (fold->arena, guint, n + 1);
  for (guint i = 0; i < n; i++)
    reads[i] = sat_fold_event (fold, thread, path, g_array_index (numbers, guint, i));
  for (guint i = 0; i < terms->len; i++) {
    const SatTerm *known = &g_array_index (terms, SatTerm, i);
    if (is_same_term (known, term, reads, n)) {
      rsp_set_add (known->paths, path);
      return;
    }
  }
  SatTerm new_term = { .term = term, .n_reads = n, .reads = reads };
  new_term.numbers = rsp_arena_copy (fold->arena, numbers->data, n * sizeof (guint));
  new_term.paths = rsp_set_new (fold->arena, fold->threads[thread].n_paths);
  rsp_set_add (new_term.paths, path);
  g_array_append_val (terms, new_term);
}

typedef struct Visiting {
  SatValuation *valuation;
  const SatTerm *term;
  RspValue *reads; /* by number on the path */
  Lit *conditions;
  SatVisit visit;
  gpointer data;
} Visiting;

/* Gives the reads from number i on each of their values. */
static void visit_from (const Visiting *v, guint i) {
  const SatTerm *term = v->term;
  if (i == term->n_reads) {
    RspValue value = { 0 };
    gboolean defined = rsp_term_evaluate (term->term, v->reads, &value, NULL);
    v->visit (v->data, v->conditions, i, defined, value.bits);
    return;
  }
  const SatValues *values = &v->valuation->read[term->reads[i]];
  for (guint j = 0; j < values->n; j++) {
    v->reads[term->numbers[i]] = (RspValue){ .bits = values->values[j] };
    v->conditions[i] = values->lits ? values->lits[j] : LIT_TRUE;
    visit_from (v, i + 1);
  }
}

gboolean sat_terms_each (SatValuation *valuation, const SatTerm *term, SatVisit visit,
                         gpointer data) {
  gsize n = 1;
  guint most = 0;
  for (guint i = 0; i < term->n_reads; i++) {
    n *= valuation->read[term->reads[i]].n;
    most = MAX (most, term->numbers[i]);
    if (n > MOST_COMBINATIONS) {
      valuation->refusal = "a value depends on reads that may have too many values";
      return FALSE;
    }
  }
  g_autofree RspValue *reads = g_new0 (RspValue, most + 1);
  g_autofree Lit *conditions = g_new0 (Lit, term->n_reads + 2);
  Visiting v = { valuation, term, reads, conditions, visit, data };
  visit_from (&v, 0);
  return TRUE;
}
