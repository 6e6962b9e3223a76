#include "enumerator/search/sat/values/values.h"
#include "enumerator/search/sat/values/terms.h"
#include "enumerator/event.h"
#include "enumerator/search/sat/values/circles.h"
#include "enumerator/search/sat/values/value_sets.h"

Lit sat_values_is (const SatValues *values, gint64 value) {
  for (guint i = 0; i < values->n; i++)
    if (values->values[i] == value)
      return values->lits[i];
  return LIT_FALSE;
}

Lit rsp_sat_values_circle (const SatValuation *v) {
  g_autoptr (GArray) circles = g_array_new (FALSE, FALSE, sizeof (Lit));
  for (guint e = 0; e < v->fold->pre->n; e++)
    if (v->circle[e] != LIT_FALSE) {
      Lit here = circuit_and (v->fold->circuit, v->circle[e], v->fold->exists[e]);
      g_array_append_val (circles, here);
    }
  return circuit_or_all (v->fold->circuit, (Lit *) (gpointer) circles->data, circles->len);
}

/* ---- Literals ---- */

typedef struct Writing {
  SatValuation *valuation;
  Lit on_path;
  const SatValues *values;
} Writing;

static void write_value (gpointer data, const Lit *conditions, guint n, gboolean defined,
                         gint64 value) {
  const Writing *w = data;
  g_autofree Lit *all = g_new (Lit, n + 1);
  for (guint i = 0; i < n; i++)
    all[i] = conditions[i];
  all[n] = w->on_path;
  circuit_imply_from (w->valuation->fold->circuit, all, n + 1,
                      defined ? sat_values_is (w->values, value) : LIT_FALSE);
}

static void give_lits (const SatFold *fold, SatValues *values) {
  values->lits = rsp_arena_new0 (fold->arena, Lit, values->n + 1);
  for (guint i = 0; i < values->n; i++)
    values->lits[i] = circuit_input (fold->circuit);
}

/* A write's value follows from the path, and from what that has read. */
static void encode_write (SatValuation *v, guint write, const GArray *terms, Lit circle) {
  guint thread = v->fold->pre->events[write]->thread;
  SatValues *values = &v->written[write];
  give_lits (v->fold, values);
  if (values->n == 1 && circle == LIT_FALSE)
    values->lits[0] = LIT_TRUE;
  for (guint i = 0; i < terms->len && !v->refusal; i++) {
    const SatTerm *term = &g_array_index (terms, SatTerm, i);
    Writing writing = { v, sat_fold_takes (v->fold, thread, term->paths), values };
    sat_terms_each (v, term, write_value, &writing);
  }
}

/* Does a write write a value of a circle? */
static Lit writes_circle (const SatValuation *v, guint write, const GArray *terms) {
  Circuit *circuit = v->fold->circuit;
  Lit any = LIT_FALSE;
  for (guint i = 0; i < terms->len; i++) {
    const SatTerm *term = &g_array_index (terms, SatTerm, i);
    Lit from = LIT_FALSE;
    for (guint j = 0; j < term->n_reads; j++)
      from = circuit_or (circuit, from, v->circle[term->reads[j]]);
    Lit here = sat_fold_takes (v->fold, v->fold->pre->events[write]->thread, term->paths);
    any = circuit_or (circuit, any, circuit_and (circuit, from, here));
  }
  return any;
}

/* A read has its source's value, and one if it exists. */
static void encode_read (SatValuation *v, guint read, const Lit *circles) {
  Circuit *circuit = v->fold->circuit;
  const RspPreExecution *pre = v->fold->pre;
  const SatValues *values = &v->read[read];
  g_autofree Lit *one = g_new (Lit, values->n + 2);
  for (guint i = 0; i < values->n; i++)
    one[i] = values->lits[i];
  one[values->n] = v->circle[read];
  circuit_at_most_one (circuit, one, values->n + (v->circle[read] != LIT_FALSE));
  one[values->n + 1] = lit_not (v->fold->exists[read]);
  circuit_clause (circuit, one, values->n + 2);
  for (all_bits (write, rsp_matrix_row (pre->candidates, read), pre->candidates->words)) {
    Lit from = sat_choices_rf (v->choices, write, read);
    const SatValues *written = &v->written[write];
    for (guint i = 0; from != LIT_FALSE && i < written->n; i++)
      circuit_imply_from (circuit, (Lit[]){ from, written->lits[i] }, 2,
                          sat_values_is (values, written->values[i]));
    circuit_imply_from (circuit, (Lit[]){ from, circles[write] }, 2, v->circle[read]);
    circuit_imply_from (circuit, (Lit[]){ from, v->circle[read] }, 2, circles[write]);
  }
}

static void encode (SatValuation *v, GArray *const *terms) {
  const RspPreExecution *pre = v->fold->pre;
  Lit *circles = rsp_arena_new0 (v->fold->arena, Lit, pre->n + 1);
  for (guint i = 0; i < pre->n_reads; i++)
    give_lits (v->fold, &v->read[pre->reads[i]]);
  for (guint w = 0; w < pre->n && !v->refusal; w++)
    if (terms[w]) {
      circles[w] = writes_circle (v, w, terms[w]);
      encode_write (v, w, terms[w], circles[w]);
    }
  for (guint i = 0; i < pre->n_reads && !v->refusal; i++)
    encode_read (v, pre->reads[i], circles);
}

/* ---- Constraints ---- */

typedef struct Constraining {
  SatValuation *valuation;
  Lit on_path;
} Constraining;

static void forbid_zero (gpointer data, const Lit *conditions, guint n, gboolean defined,
                         gint64 value) {
  const Constraining *c = data;
  if (defined && value)
    return;
  circuit_imply_from (c->valuation->fold->circuit, conditions, n, lit_not (c->on_path));
}

static void encode_constraints (SatValuation *v, guint thread) {
  const SatThread *t = &v->fold->threads[thread];
  g_autoptr (GArray) terms = g_array_new (FALSE, FALSE, sizeof (SatTerm));
  for (guint p = 0; p < t->n_paths; p++)
    for (guint i = 0; i < t->paths[p]->n_constraints; i++)
      sat_terms_add (v->fold, thread, p, t->paths[p]->constraints[i].term, terms);
  for (guint i = 0; i < terms->len && !v->refusal; i++) {
    const SatTerm *term = &g_array_index (terms, SatTerm, i);
    Constraining constraining = { v, sat_fold_takes (v->fold, thread, term->paths) };
    sat_terms_each (v, term, forbid_zero, &constraining);
  }
}

/* ---- The whole ---- */

/* Per event: the terms that it writes on its paths; NULL: it writes nothing. */
static GArray **find_terms (const SatFold *fold) {
  const RspPreExecution *pre = fold->pre;
  GArray **terms = rsp_arena_new0 (fold->arena, GArray *, pre->n + 1);
  for (guint w = 0; w < pre->n; w++) {
    guint thread = pre->events[w]->thread;
    if (!rsp_event_is_write (pre->events[w]))
      continue;
    terms[w] = g_array_new (FALSE, FALSE, sizeof (SatTerm));
    for (guint p = 0; thread != RSP_NO_THREAD && p < fold->threads[thread].n_paths; p++)
      if (sat_fold_place (fold, w, p) != G_MAXUINT)
        sat_terms_add (fold, thread, p,
                       fold->threads[thread].paths[p]->events[sat_fold_place (fold, w, p)].written,
                       terms[w]);
  }
  return terms;
}

/* Values that depend on what the language leaves open have no numbers. */
static const char *find_free (const SatFold *fold) {
  for (guint t = 0; t < fold->program->n_threads; t++)
    for (guint p = 0; p < fold->threads[t].n_paths; p++) {
      const RspPath *path = fold->threads[t].paths[p];
      gboolean is_free = path->n_free > 0;
      for (guint e = 0; e < path->n_events; e++)
        is_free |= path->events[e].written && path->events[e].written->is_free;
      for (guint i = 0; i < path->n_constraints; i++)
        is_free |= path->constraints[i].term->is_free;
      for (guint i = 0; i < fold->program->threads[t].n_registers; i++)
        is_free |= path->finals[i] && path->finals[i]->is_free;
      if (is_free)
        return "the program has values that depend on unknown functions";
    }
  return NULL;
}

SatValuation *rsp_sat_values_new (const SatFold *fold, const SatChoices *choices) {
  SatValuation *v = rsp_arena_new0 (fold->arena, SatValuation, 1);
  *v = (SatValuation){ .fold = fold, .choices = choices, .refusal = find_free (fold) };
  if (v->refusal)
    return v;
  GArray **terms = find_terms (fold);
  if (value_sets_find (v, terms)) {
    sat_circles_find (v, terms);
    encode (v, terms);
    for (guint t = 0; t < fold->program->n_threads && !v->refusal; t++)
      encode_constraints (v, t);
  }
  for (guint e = 0; e < fold->pre->n; e++)
    if (terms[e])
      g_array_unref (terms[e]);
  return v;
}
