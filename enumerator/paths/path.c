/* All paths of a thread: runs its body symbolically and turns the final states into paths. */
#include "enumerator/paths/path.h"
#include "enumerator/paths/code.h"
#include "enumerator/paths/reduce/live.h"
#include "enumerator/paths/reduce/merge.h"
#include "enumerator/paths/state.h"
#include "enumerator/paths/statement.h"
#include "enumerator/terms/condition.h"

/* ---- From states to paths ---- */

static void add_predecessors (RspMatrix *relation, const RspEventSet *set, guint event) {
  if (set)
    for (all_bits (e, set->word, set->words))
      rsp_matrix_add (relation, e, event);
}

static void lay_out_events (RspExecutor *x, const RspState *state, RspPath *path) {
  guint n = state->n_events;
  path->n_events = n;
  path->events = rsp_arena_new0 (x->arena, RspEvent, n + 1);
  path->po = rsp_relation_new (x->arena, n);
  path->addr = rsp_relation_new (x->arena, n);
  path->data = rsp_relation_new (x->arena, n);
  path->ctrl = rsp_relation_new (x->arena, n);
  for (const RspEventNode *node = state->last; node; node = node->previous) {
    path->events[node->number] = node->event;
    add_predecessors (path->po, node->before, node->number);
    add_predecessors (path->addr, node->addr, node->number);
    add_predecessors (path->data, node->data, node->number);
    add_predecessors (path->ctrl, node->ctrl, node->number);
  }
}

static void add_free_condition (RspExecutor *x, RspPath *path, const RspTerm *term) {
  g_autoptr (GArray) reads = g_array_new (FALSE, FALSE, sizeof (guint));
  rsp_term_add_reads (term, reads);
  if (reads->len)
    path->mixed[path->n_mixed++] = term;
  else
    path->free[path->n_free++]
        = (RspFreeCondition){ term, rsp_term_negate_condition (x->terms, term) };
}

/* Those on uninterpreted functions are kept apart: some function satisfies them. */
static void lay_out_constraints (RspExecutor *x, const RspState *state, RspPath *path) {
  guint n = 0, n_free = 0;
  for (const RspConstraintNode *node = state->constraints; node; node = node->previous)
    node->constraint.term->is_free ? n_free++ : n++;
  path->n_constraints = n;
  path->constraints = rsp_arena_new0 (x->arena, RspConstraint, n + 1);
  path->free = rsp_arena_new0 (x->arena, RspFreeCondition, n_free + 1);
  path->mixed = rsp_arena_new0 (x->arena, const RspTerm *, n_free + 1);
  for (const RspConstraintNode *node = state->constraints; node; node = node->previous)
    if (node->constraint.term->is_free)
      add_free_condition (x, path, node->constraint.term);
    else
      path->constraints[--n] = node->constraint;
}

gboolean rsp_paths_agree (const RspPath *a, const RspPath *b) {
  for (guint i = 0; i < a->n_free; i++)
    for (guint k = 0; k < b->n_free; k++)
      if (a->free[i].term == b->free[k].negation || a->free[i].negation == b->free[k].term)
        return FALSE;
  return TRUE;
}

static void lay_out_finals (RspExecutor *x, const RspState *state, RspPath *path) {
  path->finals = rsp_arena_new0 (x->arena, const RspTerm *, x->thread->n_registers + 1);
  for (guint i = 0; i < x->thread->n_registers; i++) {
    if (!x->observed[i])
      continue;
    path->finals[i] = state->registers[i].term;
    if (path->finals[i]->is_free)
      executor_give_up (x, x->thread->registers[i].span,
                        "this depends on a function that is not calculated, such as one on floats");
  }
}

static RspPath *lay_out (RspExecutor *x, const RspState *state) {
  RspPath *path = rsp_arena_new0 (x->arena, RspPath, 1);
  path->end_span = state->end_span;
  path->end_message = state->end_message;
  path->end_address = state->end_address;
  path->n_waits = state->n_waits;
  path->wait_begin = state->wait_begin;
  path->wait_end = state->wait_end;
  if (state->status == RSP_STATE_TRUNCATED)
    path->end = RSP_PATH_TRUNCATED;
  else if (state->status == RSP_STATE_STUCK)
    path->end = RSP_PATH_STUCK;
  else
    path->end = state->status == RSP_STATE_FAILED ? RSP_PATH_FAILED : RSP_PATH_COMPLETE;
  lay_out_events (x, state, path);
  lay_out_constraints (x, state, path);
  lay_out_finals (x, state, path);
  return path;
}

/* ---- Running ---- */

static void start (RspExecutor *x) {
  x->scratch = rsp_arena_new_within (x->options->budget);
  x->sets = event_sets_new ();
  x->events = event_nodes_new ();
  x->live = g_hash_table_new (NULL, NULL);
  const RspTerm unset = { .kind = RSP_TERM_CONSTANT };
  x->unset = rsp_term_intern (x->terms, &unset);
  executor_find_live (x);
}

static void stop (RspExecutor *x) {
  g_hash_table_unref (x->sets);
  g_hash_table_unref (x->events);
  g_hash_table_unref (x->live);
  g_free (x->known);
  g_free (x->known_values);
  rsp_arena_free (x->scratch);
}

/* All states at the end of the body, including those that returned. */
static void run_body (RspExecutor *x, RspStates *ends) {
  RspStates results = { 0 };
  RspState *state = state_new (x);
  if (x->thread->body->kind == RSP_STATEMENT_CODE)
    code_run (x, x->thread->body, state, &results);
  else
    statement_run (x, x->thread->body, state, &results);
  while ((state = states_take (&results))) {
    if (state->status != RSP_STATE_TRUNCATED && state->status != RSP_STATE_STUCK
        && state->status != RSP_STATE_FAILED)
      state->status = RSP_STATE_RUNNING;
    states_append (ends, state);
  }
  states_merge (x, ends, NULL);
}

gboolean rsp_paths_enumerate (const RspProgram *program, guint thread,
                              const RspPathOptions *options, RspTerms *terms, RspArena *arena,
                              GPtrArray *paths, RspDiagnostics *diagnostics) {
  RspExecutor x = { .program = program,
                    .thread = &program->threads[thread],
                    .thread_index = thread,
                    .options = options,
                    .terms = terms,
                    .arena = arena,
                    .diagnostics = diagnostics };
  RspStates ends = { 0 };
  gsize before = rsp_arena_size (arena);
  start (&x);
  run_body (&x, &ends);
  for (RspState *state = ends.first; state && !x.gave_up; state = state->next) {
    g_ptr_array_add (paths, lay_out (&x, state));
    executor_is_exhausted (&x);
    if (rsp_arena_size (arena) - before > RSP_DEFAULT_MEMORY)
      executor_give_up (&x, x.thread->span, "its paths take more than %u MiB: lower -unroll",
                        (guint) (RSP_DEFAULT_MEMORY >> 20));
  }
  stop (&x);
  return !x.gave_up;
}
