/* What a node knows about values: what follows from its reads, what is in demand, what is
 * observed. */
#include "base/base.h"
#include "enumerator/bounded/bounded.h"
#include "enumerator/bounded/internal.h"
#include "enumerator/terms/terms.h"
#include "enumerator/values/values.h"
#include "parser/program.h"

#include <string.h>

/* ---- Known ---------------------------------------------------------------------------------- */

/* Values that follow from decided reads, with a trail that undoes them. */

void known_open (Searcher *s) {
  Known *known = rsp_arena_new0 (s->arena, Known, 1);
  known->values = rsp_arena_new0 (s->arena, RspValue, s->n);
  known->written = rsp_arena_new0 (s->arena, RspValue, s->n);
  known->registers = rsp_arena_new0 (s->arena, RspValue, s->pre->program->n_observables);
  known->has_value = rsp_arena_new0 (s->arena, gboolean, s->n);
  known->has_written = rsp_arena_new0 (s->arena, gboolean, s->n);
  known->is_constant = rsp_arena_new0 (s->arena, gboolean, s->n);
  known->has_learnt = rsp_arena_new0 (s->arena, gboolean, s->pre->program->n_threads + 1);
  known->source = rsp_arena_new0 (s->arena, guint, s->n);
  known->trail = rsp_arena_new0 (s->arena, guint, 2 * (gsize) s->n);
  s->known = known;
}

/* ---- The trail ---- */
static void learn_value (Known *known, guint event, RspValue value) {
  RSP_CONTRACT (!known->has_value[event]);
  known->trail[known->n_trail++] = event * 2;
  known->values[event] = value;
  known->has_value[event] = TRUE;
}

static void learn_written (Known *known, guint event, RspValue value) {
  RSP_CONTRACT (!known->has_written[event]);
  known->trail[known->n_trail++] = event * 2 + 1;
  known->written[event] = value;
  known->has_written[event] = TRUE;
}

guint known_mark (const Searcher *s) { return s->known->n_trail; }

void known_undo (Searcher *s, guint mark) {
  Known *known = s->known;
  while (known->n_trail > mark) {
    guint entry = known->trail[--known->n_trail];
    (entry % 2 ? known->has_written : known->has_value)[entry / 2] = FALSE;
  }
  if (known->n_trail < known->solved)
    known->solved = 0;
}

/* ---- Terms ---- */
/* The value of a term of a thread's path. FALSE if its reads are not sufficiently known. */
static gboolean known_evaluate (const Searcher *s, guint thread, const RspTerm *term,
                                RspValue *value) {
  guint first = s->pre->first[thread];
  return rsp_term_evaluate_partial (term, s->known->values + first, s->known->has_value + first,
                                    value);
}

/* ---- What follows ---- */
static void evaluate_written (Searcher *s, guint event) {
  const RspEvent *write = s->pre->events[event];
  RspValue value;
  if (write->written && !known_has_written (s, event)
      && known_evaluate (s, write->thread, write->written, &value))
    learn_written (s->known, event, value);
}

void known_begin (Searcher *s) {
  const RspPreExecution *pre = s->pre;
  for (guint event = 0; event < s->n; event++) {
    const RspEvent *e = pre->events[event];
    if (e->thread != RSP_NO_THREAD)
      evaluate_written (s, event);
    else
      learn_written (s->known, event,
                     (RspValue){ .bits = pre->program->locations[e->location].initial });
  }
}

void known_mark_constants (Searcher *s) {
  for (guint event = 0; event < s->n; event++)
    s->known->is_constant[event] = known_has_written (s, event);
}

gboolean known_follow (Searcher *s) {
  gboolean learnt = FALSE, again = TRUE;
  while (again) {
    again = FALSE;
    for (guint i = 0; i < s->pre->n_reads; i++) {
      guint read = s->pre->reads[i];
      if (known_has_value (s, read) || rsp_event_reads_any (s->pre->events[read]))
        continue;
      const guint64 *decided = rsp_bounds_inverse_lo (s->bounds, RSP_LEAF_RF, read);
      guint write = rsp_next_bit (decided, s->words, 0);
      if (write == G_MAXUINT || !known_has_written (s, write))
        continue;
      learn_value (s->known, read, known_written (s, write));
      s->known->has_learnt[s->pre->events[read]->thread] = TRUE;
      again = learnt = TRUE;
    }
    for (guint t = 0; again && t < s->pre->program->n_threads; t++)
      if (s->known->has_learnt[t]) {
        /* A thread's writes are computed from its own reads. */
        for (guint event = s->pre->first[t]; event < s->pre->first[t + 1]; event++)
          evaluate_written (s, event);
        s->known->has_learnt[t] = FALSE;
      }
  }
  return learnt;
}

gboolean known_is_whole (const Searcher *s) {
  for (guint i = 0; i < s->pre->n_reads; i++)
    if (!known_has_value (s, s->pre->reads[i]))
      return FALSE;
  return TRUE;
}

gboolean known_solve_circles (Searcher *s) {
  const RspPreExecution *pre = s->pre;
  Known *known = s->known;
  for (guint i = 0; i < pre->n_reads; i++)
    known->source[pre->reads[i]]
        = rsp_next_bit (rsp_bounded_candidates (s, pre->reads[i]), s->words, 0);
  g_autofree RspValue *values = g_new0 (RspValue, s->n);
  g_autofree RspValue *written = g_new0 (RspValue, s->n);
  RspThinAir thin_air;
  if (!rsp_values_solve (pre, known->source, values, written, known->registers, &thin_air)
      || (thin_air == RSP_THIN_AIR_UNDETERMINED && s->search->options->no_thin_air))
    return FALSE;
  known->solved = known->n_trail + 1;
  known->thin_air = thin_air != RSP_NO_THIN_AIR;
  for (guint i = 0; i < pre->n_reads; i++)
    if (!known_has_value (s, pre->reads[i]))
      learn_value (known, pre->reads[i], values[pre->reads[i]]);
  for (guint event = 0; event < s->n; event++)
    if (pre->events[event]->written && !known_has_written (s, event))
      learn_written (known, event, written[event]);
  return TRUE;
}

/* ---- Constraints ---------------------------------------------------------------------------- */

/* The constraints under which the paths are taken: they fail, or remove candidates of reads. */

enum { NONE = G_MAXUINT, SEVERAL = G_MAXUINT - 1 };

void constraints_open (Searcher *s) {
  const RspPreExecution *pre = s->pre;
  guint total = 0;
  for (guint t = 0; t < pre->program->n_threads; t++)
    total += pre->paths[t]->n_constraints;
  s->constraints = rsp_arena_new0 (s->arena, Constraints, 1);
  s->constraints->all = rsp_arena_new0 (s->arena, Constraint, total);
  for (guint t = 0; t < pre->program->n_threads; t++)
    for (guint i = 0; i < pre->paths[t]->n_constraints; i++) {
      Constraint *constraint = &s->constraints->all[s->constraints->n++];
      g_autoptr (GArray) reads = g_array_new (FALSE, FALSE, sizeof (guint));
      constraint->term = pre->paths[t]->constraints[i].term;
      constraint->thread = t;
      rsp_term_add_reads (constraint->term, reads);
      for (guint k = 0; k < reads->len; k++) {
        guint *read = &g_array_index (reads, guint, k);
        *read = rsp_pre_execution_event (pre, t, *read);
      }
      constraint->n_reads = reads->len;
      constraint->reads = rsp_arena_copy (s->arena, reads->data, sizeof (guint) * reads->len);
    }
}

gboolean rsp_constraint_is_open (const Searcher *s, const Constraint *constraint) {
  for (guint i = 0; i < constraint->n_reads; i++)
    if (!known_has_value (s, constraint->reads[i]))
      return TRUE;
  return FALSE;
}

/* Would the constraint hold if the unknown read returned the value? */
static gboolean allows (Searcher *s, const Constraint *constraint, guint read, RspValue value) {
  Known *known = s->known;
  RspValue before = known->values[read], result = { 0 };
  known->values[read] = value;
  known->has_value[read] = TRUE;
  gboolean found = known_evaluate (s, constraint->thread, constraint->term, &result);
  known->has_value[read] = FALSE;
  known->values[read] = before;
  return !found || result.bits || result.unknown;
}

/* Removes the candidates of a read whose value a constraint rules out. changed: there were any.
 * FALSE if the read is decided to read from one. */
static gboolean filter_candidates (Searcher *s, const Constraint *constraint, guint read,
                                   gboolean *changed) {
  if (rsp_event_reads_any (s->pre->events[read]))
    return TRUE;
  guint64 candidates[s->words];
  for (guint w = 0; w < s->words; w++)
    candidates[w] = rsp_bounded_candidates (s, read)[w];
  for (all_bits (write, candidates, s->words))
    if (known_has_written (s, write) && !allows (s, constraint, read, known_written (s, write))) {
      if (rsp_row_has (rsp_bounds_lo (s->bounds, RSP_LEAF_RF, write), read))
        return FALSE;
      rsp_bounds_exclude (s->bounds, RSP_LEAF_RF, write, read);
      *changed = TRUE;
    }
  return TRUE;
}

gboolean constraints_check (Searcher *s, gboolean *changed) {
  if (s->known->solved) /* they have been checked when the values were found */
    return TRUE;
  for (guint i = 0; i < s->constraints->n; i++) {
    const Constraint *constraint = &s->constraints->all[i];
    guint unknown = NONE; /* the only unknown read */
    for (guint k = 0; k < constraint->n_reads && unknown != SEVERAL; k++)
      if (!known_has_value (s, constraint->reads[k]))
        unknown = unknown == NONE ? constraint->reads[k] : SEVERAL;
    RspValue value;
    if (unknown == NONE) {
      if (!known_evaluate (s, constraint->thread, constraint->term, &value)
          || (!value.bits && !value.unknown))
        return FALSE;
    } else if (unknown != SEVERAL && !is_disabled (s, RSP_FEATURE_VALUES)
               && !filter_candidates (s, constraint, unknown, changed))
      return FALSE;
  }
  return TRUE;
}

/* ---- Deliver -------------------------------------------------------------------------------- */

/* The results of the root become states. Searchers and the tally number values differently. */

typedef struct Delivery {
  Searcher *s;
  guint32 *numbers; /* the tally's number + 1 of a value, by the searchers'; 0: not known yet */
  RspValue *values; /* scratch: per observable */
} Delivery;

static inline guint32 number_in_tally (Delivery *delivery, guint32 number) {
  guint32 *known = &delivery->numbers[number];
  if (!*known)
    *known = 1
             + rsp_tally_number (delivery->s->search->tally,
                                 *rsp_numbered_value (delivery->s, number));
  return *known - 1;
}

void deliver (Searcher *s, const Observed *observed, const RspResults *results, gboolean undefined,
              guint32 flags) {
  if (s->search->exists_only) {
    s->search->found |= results->n && may_pass_on (s, 0);
    return;
  }
  const guint n = s->pre->program->n_observables;
  g_autofree guint32 *numbers = g_new0 (guint32, rsp_count_numbers (s) + 1);
  guint32 state[n + 1], raised = 0;
  RspValue known[n + 1];
  Delivery delivery = { .s = s, .numbers = numbers };
  /* narrowed: only some states may be relevant */
  gboolean differ = rsp_tally_takes_all (s->search->tally),
           narrowed
           = s->pre->program->filter || s->search->options->speedcheck != RSPCHECK_SPEED_EXACT;
  for (guint i = 0; i < n; i++)
    if (observed->value[i] != RSP_UNSEEN) {
      state[i] = number_in_tally (&delivery, observed->value[i]);
      known[i] = *rsp_numbered_value (s, observed->value[i]);
    }
  for (guint row = 0; row < results->n && may_pass_on (s, row); row++) {
    const guint32 *values = results->width ? results->values + (gsize) row * results->width : NULL;
    for (guint i = 0; narrowed && i < observed->n_open; i++)
      known[observed->open[i]] = *rsp_numbered_value (s, values[i]);
    if (narrowed && !search_accepts (s->search, known))
      continue;
    for (guint i = 0; i < observed->n_open; i++)
      state[observed->open[i]] = number_in_tally (&delivery, values[i]);
    RspCount executions = results->executions[row];
    search_record_numbered (s->search, state, executions,
                            undefined ? executions : rsp_results_n_undefined (results, row),
                            differ);
    guint32 own = results->flags[row] | flags;
    if (own & ~raised)
      flags_raise (s, own);
    raised |= own;
  }
}

/* ---- Demand --------------------------------------------------------------------------------- */

/* Demand: which values can still matter at a node.
 *
 * A model does not see values. They matter to open conditions of paths and to open observables, and
 * through these to the terms of the writes that their reads may read from, and so on. Two nodes
 * that differ in other values have the same completions, so these values are not in the memo's key.
 * Reads whose values are in demand are decided first; after that, few values are in demand.
 *
 * One more thing depends on values: reads and writes whose values justify each other in a cycle are
 * solved for (enumerator/values/values.c), which may fail. So all values are in demand if the
 * remaining candidates may form a cycle, or one has been found. */

enum { UNSEEN, ENTERED, LEFT };

void demand_open (Searcher *s) {
  gboolean computed = FALSE;
  for (guint event = 0; event < s->n; event++)
    computed |= s->pre->events[event]->written && !s->known->is_constant[event];
  if (computed && !(is_disabled (s, RSP_FEATURE_DEMAND))) {
    s->demand = rsp_arena_new0 (s->arena, Demanded, 1);
    s->demand->events = rsp_arena_new0 (s->arena, guint8, 2 * s->n + 1);
    s->demand->visited = rsp_arena_new0 (s->arena, guint8, s->n + 1);
  }
}

/* ---- Cycles ---- */
static gboolean write_is_grounded (Searcher *s, guint write);

/* Does computing the term's unknown reads terminate, whatever they read from? */
static gboolean term_is_grounded (Searcher *s, guint thread, const RspTerm *term) {
  if (!term)
    return TRUE;
  if (term->kind != RSP_TERM_READ)
    return term_is_grounded (s, thread, term->a) && term_is_grounded (s, thread, term->b);
  guint read = rsp_pre_execution_event (s->pre, thread, term->event);
  if (known_has_value (s, read))
    return TRUE;
  if (rsp_event_reads_any (s->pre->events[read]))
    return FALSE;
  for (all_bits (write, rsp_bounded_candidates (s, read), s->words))
    if (!write_is_grounded (s, write))
      return FALSE;
  return TRUE;
}

static gboolean write_is_grounded (Searcher *s, guint write) {
  if (known_has_written (s, write) || s->demand->visited[write] == LEFT)
    return TRUE;
  if (s->demand->visited[write] == ENTERED)
    return FALSE;
  const RspEvent *event = s->pre->events[write];
  s->demand->visited[write] = ENTERED;
  gboolean grounded = term_is_grounded (s, event->thread, event->written);
  s->demand->visited[write] = LEFT;
  return grounded;
}

/* ---- Demand ---- */
static void demand_written (Searcher *s, guint write);

static void demand_term (Searcher *s, guint thread, const RspTerm *term) {
  if (!term)
    return;
  if (term->kind != RSP_TERM_READ) {
    demand_term (s, thread, term->a);
    demand_term (s, thread, term->b);
    return;
  }
  guint read = rsp_pre_execution_event (s->pre, thread, term->event);
  if (known_has_value (s, read) || s->demand->events[(gsize) 2 * read])
    return;
  s->demand->events[(gsize) 2 * read] = TRUE;
  for (all_bits (write, rsp_bounded_candidates (s, read), s->words))
    demand_written (s, write);
}

static void demand_written (Searcher *s, guint write) {
  if (s->demand->events[2 * write + 1])
    return;
  s->demand->events[2 * write + 1] = TRUE;
  const RspEvent *event = s->pre->events[write];
  if (!known_has_written (s, write))
    demand_term (s, event->thread, event->written);
}

void rsp_demand_find (Searcher *s, const Observed *observed) {
  if (!s->demand)
    return;
  memset (s->demand->events, FALSE, (gsize) 2 * s->n);
  for (guint i = 0; i < s->constraints->n; i++)
    demand_term (s, s->constraints->all[i].thread, s->constraints->all[i].term);
  for (guint i = 0; i < observed->n_open; i++) {
    const RspObservable *observable = &s->pre->program->observables[observed->open[i]];
    if (observable->is_register)
      demand_term (s, observable->thread,
                   s->pre->paths[observable->thread]->finals[observable->reg]);
    else
      for (all_bits (write, s->writes[observable->location]->bits, s->words))
        if (may_be_last (s, s->writes[observable->location], write))
          demand_written (s, write);
  }
  s->demand->whole = s->known->solved;
  if (!s->demand->whole)
    memset (s->demand->visited, UNSEEN, s->n);
  for (guint event = 0; event < s->n && !s->demand->whole; event++)
    s->demand->whole = s->pre->events[event]->written && !write_is_grounded (s, event);
}

/* ---- Reads to decide ---- */
typedef struct Next {
  guint read, n;
} Next;

static void look_for_read (Searcher *s, guint thread, const RspTerm *term, Next *next) {
  if (!term)
    return;
  if (term->kind != RSP_TERM_READ) {
    look_for_read (s, thread, term->a, next);
    look_for_read (s, thread, term->b, next);
    return;
  }
  guint read = rsp_pre_execution_event (s->pre, thread, term->event);
  if (known_has_value (s, read) || s->demand->visited[read])
    return;
  s->demand->visited[read] = ENTERED;
  const guint64 *candidates = rsp_bounded_candidates (s, read);
  guint n = rsp_row_count (candidates, s->words);
  if (n == 1) {
    guint write = rsp_next_bit (candidates, s->words, 0);
    look_for_read (s, s->pre->events[write]->thread, s->pre->events[write]->written, next);
  } else if (n < next->n)
    for (all_bits (write, candidates, s->words))
      if (!s->known->is_constant[write]) {
        *next = (Next){ .read = read, .n = n };
        return;
      }
}

guint demand_next_read (Searcher *s, const Observed *observed) {
  Next next = { .read = G_MAXUINT, .n = G_MAXUINT };
  if (!s->demand)
    return G_MAXUINT;
  memset (s->demand->visited, UNSEEN, s->n);
  for (guint i = 0; i < observed->n_open; i++) {
    const RspObservable *observable = &s->pre->program->observables[observed->open[i]];
    if (observable->is_register)
      look_for_read (s, observable->thread,
                     s->pre->paths[observable->thread]->finals[observable->reg], &next);
  }
  return next.read;
}

/* ---- Observe -------------------------------------------------------------------------------- */

/* The values of registers and locations that make a final state, as far as a node knows them. */

RspValue known_final (const Searcher *s, guint event) {
  return rsp_final_value (s->pre, s->pre->events[event]->location, event, s->known->written);
}

gboolean observe_one (const Searcher *s, guint i, RspValue *value) {
  const RspPreExecution *pre = s->pre;
  const RspObservable *observable = &pre->program->observables[i];
  if (observable->is_register && s->known->solved) {
    *value = s->known->registers[i];
    return TRUE;
  }
  if (observable->is_register)
    return known_evaluate (s, observable->thread,
                           pre->paths[observable->thread]->finals[observable->reg], value);
  if (pre->initial[observable->location] == G_MAXUINT) {
    *value = rsp_final_value (pre, observable->location, G_MAXUINT, NULL);
    return TRUE;
  }
  const RspMatrix *writes = s->writes[observable->location];
  guint last = G_MAXUINT, n = 0; /* writes that may be the last in co */
  for (all_bits (x, writes->bits, s->words))
    if (may_be_last (s, writes, x)) {
      last = x;
      n++;
    }
  if (n != 1 || !known_has_written (s, last))
    return FALSE;
  *value = known_final (s, last);
  return TRUE;
}

void observe (Searcher *s, Observed *observed) {
  const RspProgram *program = s->pre->program;
  observed->n_open = 0;
  for (guint i = 0; i < program->n_observables; i++) {
    RspValue value;
    if (observe_one (s, i, &value))
      observed->value[i] = rsp_number_of (s, value);
    else {
      observed->value[i] = RSP_UNSEEN;
      observed->open[observed->n_open++] = i;
    }
  }
}

/* ---- Relevance ------------------------------------------------------------------------------ */

/* Relevance: which completions pass the filter and, under -speedcheck, can answer the condition.
 *
 * Completions that the filter drops, or that cannot answer the question, are not searched. Which
 * completions below a node are relevant depends on the values known there; the memo's key holds
 * this dependence. */

static gboolean operand_value (Searcher *s, const Observed *observed, const RspOperand *operand,
                               RspValue *value) {
  if (!operand->is_observable) {
    *value = (RspValue){ .bits = operand->constant };
    return TRUE;
  }
  guint32 id = observed->value[operand->observable];
  if (id != RSP_UNSEEN)
    *value = *rsp_numbered_value (s, id);
  return id != RSP_UNSEEN;
}

typedef struct RelevanceNode {
  Searcher *s;
  const Observed *observed;
} RelevanceNode;

static RspTruth atom_truth (const RspProp *atom, gpointer data) {
  const RelevanceNode *node = data;
  RspValue left, right;
  if (!operand_value (node->s, node->observed, &atom->left, &left)
      || !operand_value (node->s, node->observed, &atom->right, &right))
    return RSP_OPEN;
  return rsp_atom_truth (node->s->pre->program, atom, left, right);
}

static RspTruth known_truth (Searcher *s, const Observed *observed, const RspProp *prop) {
  return rsp_prop_truth (prop, atom_truth, &(RelevanceNode){ s, observed });
}

/* The proposition that narrows the search in addition to the filter, or NULL; an execution is
 * irrelevant if its truth is *useless. */
static const RspProp *narrowing (const Searcher *s, RspTruth *useless) {
  const RspProgram *program = s->pre->program;
  *useless = program->quantifier == RSP_FORALL ? RSP_HOLDS : RSP_FAILS;
  return s->search->options->speedcheck == RSPCHECK_SPEED_EXACT ? NULL : program->condition;
}

gboolean is_relevant (Searcher *s, const Observed *observed) {
  RspTruth useless;
  const RspProp *filter = s->pre->program->filter, *condition = narrowing (s, &useless);
  if (s->search->exists_only)
    return TRUE;
  return (!filter || known_truth (s, observed, filter) != RSP_FAILS)
         && (!condition || known_truth (s, observed, condition) != useless);
}

gboolean rsp_bounded_ends_at_first (const Searcher *s) {
  return s->search->exists_only || s->search->options->speedcheck == RSPCHECK_SPEED_FAST;
}

/* ---- Rows of results ---- */
RspResults *keep_relevant (Searcher *s, const Observed *observed, RspResults *results) {
  const RspProgram *program = s->pre->program;
  if (!observed->n_open || s->search->exists_only
      || (!program->filter && s->search->options->speedcheck == RSPCHECK_SPEED_EXACT))
    return results;
  RspResults *kept = rsp_results_new (results->width);
  for (guint i = 0; i < results->n; i++) {
    const guint32 *row = results->values + (gsize) i * results->width;
    /* The values that a node knows, completed by a row of its results. */
    for (guint j = 0; j < observed->n_open; j++)
      observed->value[observed->open[j]] = row[j];
    gboolean relevant = is_relevant (s, observed);
    for (guint j = 0; j < observed->n_open; j++)
      observed->value[observed->open[j]] = RSP_UNSEEN;
    if (relevant)
      rsp_results_add (kept, row, results->executions[i], rsp_results_n_undefined (results, i),
                       results->flags[i]);
  }
  rsp_results_unref (results);
  return kept;
}

/* ---- The key ---- */
static void put_operand (const Observed *observed, const RspOperand *operand, RspHash *key) {
  guint64 word = operand->is_observable ? observed->value[operand->observable] : 0;
  rsp_hash_word (key, word);
}

/* The residue of a proposition: its truth, or if that is open, the residues of its parts. */
static void put_residue (Searcher *s, const Observed *observed, const RspProp *prop, RspHash *key) {
  guint64 truth = known_truth (s, observed, prop);
  rsp_hash_word (key, truth);
  if (truth != RSP_OPEN)
    return;
  if (prop->kind == RSP_PROP_ATOM) {
    put_operand (observed, &prop->left, key);
    put_operand (observed, &prop->right, key);
    return;
  }
  put_residue (s, observed, prop->a, key);
  if (prop->kind != RSP_PROP_NOT)
    put_residue (s, observed, prop->b, key);
}

void rsp_bounded_put_relevance (Searcher *s, const Observed *observed, RspHash *key) {
  RspTruth useless;
  const RspProp *filter = s->pre->program->filter, *condition = narrowing (s, &useless);
  if (s->search->exists_only)
    return;
  if (filter)
    put_residue (s, observed, filter, key);
  if (condition)
    put_residue (s, observed, condition, key);
}
