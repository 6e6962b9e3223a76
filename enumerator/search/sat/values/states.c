#include "enumerator/search/sat/values/states.h"
#include "enumerator/search/sat/values/terms.h"
#include "enumerator/event.h"
#include "enumerator/values/final_state.h"

/* ---- Values ---- */

/* Adds a value that is missing; its literal. */
static Lit obtain (const SatFold *fold, GArray *values, GArray *lits, gint64 value) {
  for (guint i = 0; i < values->len; i++)
    if (g_array_index (values, gint64, i) == value)
      return g_array_index (lits, Lit, i);
  Lit lit = circuit_input (fold->circuit);
  g_array_append_val (values, value);
  g_array_append_val (lits, lit);
  return lit;
}

typedef struct Observing {
  const SatFold *fold;
  Lit on_path;
  GArray *values, *lits;
} Observing;

static void observe_value (gpointer data, const Lit *conditions, guint n, gboolean defined,
                           gint64 value) {
  const Observing *o = data;
  g_autofree Lit *all = g_new (Lit, n + 1);
  for (guint i = 0; i < n; i++)
    all[i] = conditions[i];
  all[n] = o->on_path;
  Lit lit = obtain (o->fold, o->values, o->lits, defined ? value : 0);
  circuit_imply_from (o->fold->circuit, all, n + 1, lit);
}

static void observe_register (SatValuation *v, const RspObservable *observable,
                              Observing *observing) {
  const SatFold *fold = v->fold;
  const SatThread *thread = &fold->threads[observable->thread];
  g_autoptr (GArray) terms = g_array_new (FALSE, FALSE, sizeof (SatTerm));
  for (guint p = 0; p < thread->n_paths; p++)
    if (thread->paths[p]->end == RSP_PATH_COMPLETE)
      sat_terms_add (fold, observable->thread, p, thread->paths[p]->finals[observable->reg], terms);
  for (guint i = 0; i < terms->len && !v->refusal; i++) {
    const SatTerm *term = &g_array_index (terms, SatTerm, i);
    observing->on_path = sat_fold_takes (fold, observable->thread, term->paths);
    sat_terms_each (v, term, observe_value, observing);
  }
}

/* One of the writes that no other follows, if anything accesses the location. */
static void observe_location (SatValuation *v, guint location, Observing *observing) {
  const SatFold *fold = v->fold;
  const RspPreExecution *pre = fold->pre;
  gint64 first = fold->program->locations[location].initial;
  guint initial = pre->initial[location];
  Lit accessed = initial == G_MAXUINT ? LIT_FALSE : fold->exists[initial];
  if (accessed != LIT_TRUE)
    circuit_imply (fold->circuit, lit_not (accessed),
                   obtain (fold, observing->values, observing->lits, first));
  g_autoptr (GArray) finals = g_array_new (FALSE, FALSE, sizeof (Lit));
  for (guint w = 0; w < pre->n; w++) {
    if (!rsp_event_is_write (pre->events[w]) || pre->events[w]->location != location)
      continue;
    Lit final = circuit_input (fold->circuit);
    g_array_append_val (finals, final);
    circuit_imply (fold->circuit, final, fold->exists[w]);
    for (guint other = 0; other < pre->n; other++)
      circuit_imply (fold->circuit, final,
                     lit_not (sat_choices_ordered (v->choices, &v->choices->co, w, other)));
    for (guint i = 0; i < v->written[w].n; i++)
      circuit_imply_from (
          fold->circuit, (Lit[]){ final, v->written[w].lits[i] }, 2,
          obtain (fold, observing->values, observing->lits, v->written[w].values[i]));
  }
  Lit not_accessed = lit_not (accessed);
  g_array_append_val (finals, not_accessed);
  circuit_clause (fold->circuit, (Lit *) (gpointer) finals->data, finals->len);
}

/* What has a value of a circle on the way is not known, but there is one value. */
static void observe (SatStates *states, guint i) {
  SatValuation *v = states->valuation;
  const RspObservable *observable = &v->fold->program->observables[i];
  Observing observing = { .fold = v->fold,
                          .values = g_array_new (FALSE, FALSE, sizeof (gint64)),
                          .lits = g_array_new (FALSE, FALSE, sizeof (Lit)) };
  if (observable->is_register)
    observe_register (v, observable, &observing);
  else
    observe_location (v, observable->location, &observing);
  SatValues *values = &states->observed[i];
  values->n = observing.values->len;
  values->values
      = rsp_arena_copy (v->fold->arena, observing.values->data, values->n * sizeof (gint64));
  values->lits = rsp_arena_copy (v->fold->arena, observing.lits->data, values->n * sizeof (Lit));
  circuit_at_most_one (v->fold->circuit, values->lits, values->n);
  g_array_unref (observing.values);
  g_array_unref (observing.lits);
}

SatStates *sat_states_new (SatValuation *valuation) {
  const SatFold *fold = valuation->fold;
  SatStates *states = rsp_arena_new0 (fold->arena, SatStates, 1);
  states->valuation = valuation;
  states->observed = rsp_arena_new0 (fold->arena, SatValues, fold->program->n_observables + 1);
  for (guint i = 0; i < fold->program->n_observables && !valuation->refusal; i++)
    observe (states, i);
  return states;
}

/* ---- Propositions ---- */

/* An operand's value i, and the literal that it has it. FALSE after the last one. */
static gboolean operand_value (const SatStates *states, const RspOperand *operand, guint i,
                               RspValue *value, Lit *lit) {
  if (!operand->is_observable) {
    *value = (RspValue){ .bits = operand->constant };
    *lit = LIT_TRUE;
    return i == 0;
  }
  const SatValues *values = &states->observed[operand->observable];
  if (i >= values->n)
    return FALSE;
  *value = (RspValue){ .bits = values->values[i] };
  *lit = values->lits[i];
  return TRUE;
}

static Lit atom_holds (const SatStates *states, const RspProp *atom) {
  Circuit *circuit = states->valuation->fold->circuit;
  RspValue left, right;
  Lit is_left, is_right, any = LIT_FALSE;
  for (guint i = 0; operand_value (states, &atom->left, i, &left, &is_left); i++)
    for (guint j = 0; operand_value (states, &atom->right, j, &right, &is_right); j++)
      if (rsp_atom_truth (states->valuation->fold->program, atom, left, right) == RSP_HOLDS)
        any = circuit_or (circuit, any, circuit_and (circuit, is_left, is_right));
  return any;
}

Lit sat_states_holds (const SatStates *states, const RspProp *prop) {
  Circuit *circuit = states->valuation->fold->circuit;
  switch (prop->kind) {
  case RSP_PROP_TRUE:
    return LIT_TRUE;
  case RSP_PROP_FALSE:
    return LIT_FALSE;
  case RSP_PROP_ATOM:
    return atom_holds (states, prop);
  case RSP_PROP_NOT:
    return lit_not (sat_states_holds (states, prop->a));
  case RSP_PROP_AND:
    return circuit_and (circuit, sat_states_holds (states, prop->a),
                        sat_states_holds (states, prop->b));
  case RSP_PROP_OR:
    return circuit_or (circuit, sat_states_holds (states, prop->a),
                       sat_states_holds (states, prop->b));
  case RSP_PROP_IMPLIES:
    return circuit_or (circuit, lit_not (sat_states_holds (states, prop->a)),
                       sat_states_holds (states, prop->b));
  }
  g_assert_not_reached ();
}

/* ---- States ---- */

void sat_states_read (const SatStates *states, RspValue *state) {
  for (guint i = 0; i < states->valuation->fold->program->n_observables; i++) {
    const SatValues *values = &states->observed[i];
    state[i] = (RspValue){ 0 };
    for (guint j = 0; j < values->n; j++)
      if (circuit_value (states->valuation->fold->circuit, values->lits[j]))
        state[i].bits = values->values[j];
  }
}

void sat_states_describe (const SatStates *states, const RspValue *state, GArray *lits) {
  const RspProgram *program = states->valuation->fold->program;
  for (guint i = 0; i < program->n_observables; i++) {
    Lit lit = sat_values_is (&states->observed[i], state[i].bits);
    if (!program->filter_only || !program->filter_only[i])
      g_array_append_val (lits, lit);
  }
}
