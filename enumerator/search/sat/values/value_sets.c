#include "enumerator/search/sat/values/value_sets.h"
#include "enumerator/search/sat/values/terms.h"
#include "enumerator/event.h"

#include <string.h>

enum {
  MOST_VALUES = 256 /* of one event */
};

/* ---- Sets ---- */

/* TRUE if it is new. */
static gboolean add_value (SatValuation *v, SatValues *values, gint64 value) {
  guint at = 0;
  while (at < values->n && values->values[at] < value)
    at++;
  if (at < values->n && values->values[at] == value)
    return FALSE;
  if (values->n == MOST_VALUES) {
    v->refusal = "a read may have too many values";
    return FALSE;
  }
  if (!values->values)
    values->values = rsp_arena_new0 (v->fold->arena, gint64, MOST_VALUES);
  memmove (&values->values[at + 1], &values->values[at], (values->n - at) * sizeof (gint64));
  values->values[at] = value;
  values->n++;
  return TRUE;
}

typedef struct Adding {
  SatValuation *valuation;
  SatValues *values;
  gboolean grew;
} Adding;

static void add_written (gpointer data, const Lit *conditions, guint n, gboolean defined,
                         gint64 value) {
  Adding *adding = data;
  (void) conditions, (void) n;
  if (defined)
    adding->grew |= add_value (adding->valuation, adding->values, value);
}

/* While sets are sought, reads have no literals. */
static gboolean grow_write (SatValuation *v, guint write, const GArray *terms) {
  Adding adding = { v, &v->written[write], FALSE };
  const RspEvent *event = v->fold->pre->events[write];
  if (rsp_event_is_initial (event))
    return add_value (v, adding.values, event->written->constant);
  for (guint i = 0; i < terms->len && !v->refusal; i++)
    sat_terms_each (v, &g_array_index (terms, SatTerm, i), add_written, &adding);
  return adding.grew;
}

static gboolean grow_read (SatValuation *v, guint read) {
  const RspMatrix *candidates = v->fold->pre->candidates;
  gboolean grew = FALSE;
  for (all_bits (write, rsp_matrix_row (candidates, read), candidates->words))
    for (guint i = 0;
         sat_choices_rf (v->choices, write, read) != LIT_FALSE && i < v->written[write].n; i++)
      grew |= add_value (v, &v->read[read], v->written[write].values[i]);
  return grew;
}

/* ---- How long chains of values are ---- */

/* Marks the reads that terms depend on. */
static void mark_passed_on (const SatFold *fold, GArray *const *terms, gboolean *passed_on) {
  for (guint w = 0; w < fold->pre->n; w++)
    for (guint i = 0; terms[w] && i < terms[w]->len; i++) {
      const SatTerm *term = &g_array_index (terms[w], SatTerm, i);
      for (guint j = 0; j < term->n_reads; j++)
        passed_on[term->reads[j]] = TRUE;
    }
}

/* The most reads of an execution that pass values on. */
static guint count_rounds (const SatFold *fold, const gboolean *passed_on) {
  guint n = 0;
  for (guint t = 0; t < fold->program->n_threads; t++) {
    guint most = 0;
    for (guint p = 0; p < fold->threads[t].n_paths; p++) {
      guint here = 0;
      for (guint e = 0; e < fold->threads[t].paths[p]->n_events; e++)
        here += passed_on[sat_fold_event (fold, t, p, e)];
      most = MAX (most, here);
    }
    n += most;
  }
  return n + 1;
}

/* ---- The whole ---- */

gboolean value_sets_find (SatValuation *v, GArray *const *terms) {
  const SatFold *fold = v->fold;
  guint n = fold->pre->n;
  v->read = rsp_arena_new0 (fold->arena, SatValues, n + 1);
  v->written = rsp_arena_new0 (fold->arena, SatValues, n + 1);
  g_autofree gboolean *passed_on = g_new0 (gboolean, n + 1);
  mark_passed_on (fold, terms, passed_on);
  guint rounds = count_rounds (fold, passed_on);
  gboolean grows = TRUE;
  for (guint i = 0; i <= rounds && grows && !v->refusal; i++) {
    grows = FALSE;
    for (guint w = 0; w < n && !v->refusal && !rsp_arena_is_exhausted (fold->arena); w++)
      if (terms[w])
        grows |= grow_write (v, w, terms[w]);
    for (guint j = 0; j < fold->pre->n_reads && !v->refusal; j++)
      grows |= grow_read (v, fold->pre->reads[j]);
  }
  return !v->refusal;
}
