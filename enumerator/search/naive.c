/* The naive engine: every candidate execution, judged when it is complete. */
#include "enumerator/bounded/bounded.h"
#include "enumerator/search/search.h"
#include "enumerator/terms/terms.h"
#include "enumerator/values/values.h"
#include "model/dag/dag.h"
#include "model/stage/stage.h"

#include <string.h>

/* The orders of a set of events that an execution may choose, for the naive engine. */
typedef struct Orders {
  RspSearch *search;
  const RspMatrix *set;
  RspMatrix *placed;        /* events of the set that come first, in the order that `order` has */
  const RspMatrix *related; /* NULL: all total orders; else all partial orders (transitive and
                             * irreflexive) that relate these pairs, one way or the other */
  RspMatrix *order;         /* the pairs are added here, and removed in the end */
  void (*visit) (gpointer data);
  gpointer data;
} Orders;

/* ---- Orders --------------------------------------------------------------------------------- */

/* Lists orders one by one, as simply as possible: the naive engine is what the other is compared
 * with. */

/* ---- Total orders ---- */
/* Places one more event after those placed. */
static void extend (const Orders *orders) {
  const RspMatrix *set = orders->set;
  if (rsp_matrix_equal (orders->placed, set)) {
    orders->visit (orders->data);
    return;
  }
  for (all_bits (event, set->bits, set->words)) {
    if (rsp_set_has (orders->placed, event))
      continue;
    if (!search_tick (orders->search))
      return;
    for (all_bits (before, orders->placed->bits, set->words))
      rsp_matrix_add (orders->order, before, event);
    rsp_set_add (orders->placed, event);
    extend (orders);
    rsp_matrix_remove (orders->placed, 0, event);
    for (all_bits (before, orders->placed->bits, set->words))
      rsp_matrix_remove (orders->order, before, event);
  }
}

/* ---- Partial orders ---- */
/* Is the order transitive on these events? */
static gboolean is_transitive (const RspMatrix *order, const guint *events, guint n) {
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n; j++)
      for (guint k = 0; k < n && rsp_matrix_get (order, events[i], events[j]); k++)
        if (rsp_matrix_get (order, events[j], events[k])
            && !rsp_matrix_get (order, events[i], events[k]))
          return FALSE;
  return TRUE;
}

static void relate (const Orders *orders, const guint *events, guint n, guint i, guint j);

static void relate_with (const Orders *orders, const guint *events, guint n, guint i, guint j,
                         guint a, guint b) {
  rsp_matrix_add (orders->order, events[a], events[b]);
  relate (orders, events, n, i + 1, j);
  rsp_matrix_remove (orders->order, events[a], events[b]);
}

/* Relates events i and j, i < j, in each way, after all pairs before (i, j). */
static void relate (const Orders *orders, const guint *events, guint n, guint i, guint j) {
  if (!search_tick (orders->search))
    return;
  if (i == j) {
    if (!is_transitive (orders->order, events, MIN (j + 1, n)))
      return;
    if (j + 1 >= n)
      orders->visit (orders->data);
    else
      relate (orders, events, n, 0, j + 1);
    return;
  }
  relate_with (orders, events, n, i, j, i, j);
  relate_with (orders, events, n, i, j, j, i);
  if (!rsp_matrix_get (orders->related, events[i], events[j]))
    relate (orders, events, n, i + 1, j);
}

/* Calls visit with each of them. */
static void orders_each (const Orders *orders) {
  if (orders->related) {
    guint n = 0;
    g_autofree guint *events = g_new (guint, rsp_matrix_count (orders->set) + 1);
    for (all_bits (event, orders->set->bits, orders->set->words))
      if (!rsp_set_has (orders->placed, event)) {
        for (all_bits (before, orders->placed->bits, orders->set->words))
          rsp_matrix_add (orders->order, before, event);
        events[n++] = event;
      }
    relate (orders, events, n, 0, 0);
    for (guint i = 0; i < n; i++)
      for (all_bits (before, orders->placed->bits, orders->set->words))
        rsp_matrix_remove (orders->order, before, events[i]);
  } else
    extend (orders);
}

/* ---- Naive ---------------------------------------------------------------------------------- */

/* The naive engine: every reads-from, every coherence order, every chosen order; values are solved
 * when reads-from is complete, and the model is evaluated when everything is. Kept small and
 * obvious, because the bounded engine is tested against it.
 *
 * One shortcut: a reads-from is given up as soon as plain values (constants, and values computed
 * from reads of constants) contradict a branch that the path takes. */

/* A staged model with what its evaluation needs. */
typedef struct Question {
  const RspStagedModel *model;
  RspValuation *valuation;
  RspMatrix **orders; /* per chosen order: as far as it is chosen */
  RspMatrix **placed; /* per chosen order: the events in it so far */
} Question;

typedef struct Naive {
  RspSearch *search;
  const RspPreExecution *pre;
  const RspStaging *staging;
  guint *source;     /* per event: the write it reads from */
  RspValue *values;  /* per event: what it reads */
  RspValue *written; /* per event: what it writes */
  RspValue *state;   /* per observable */
  RspValue *plain;   /* per event: what it reads, if that is plain while reads-from is chosen */
  gboolean *is_plain;
  guint *last;         /* per location: its final write, co-maximal */
  RspThinAir thin_air; /* of the present values */
  RspMatrix *rf, *co;
  guint n_ordered;         /* locations whose coherence is chosen */
  guint n_chosen;          /* orders of the model that are chosen */
  RspMatrix **writes;      /* per location: its writes */
  RspMatrix **placed;      /* per location: those in co so far; at first the initial one */
  Question *questions;     /* one per staged model, unless models are staged per execution */
  const Question *current; /* the current one */
} Naive;

/* ---- The end: an execution and its verdict ---- */
static gboolean holds (const Naive *naive, const RspStagedAxiom *axiom) {
  return rsp_axiom_holds (axiom, rsp_valuation_get (naive->current->valuation, axiom->node));
}

static gboolean is_consistent (const Naive *naive) {
  for (guint i = 0; i < naive->current->model->n_axioms; i++) {
    const RspStagedAxiom *axiom = &naive->current->model->axioms[i];
    if (axiom->role == RSPCHECK_ROLE_AXIOM
        && !axiom_goes_through (axiom, naive->search->options->through) && !holds (naive, axiom)) {
      if (naive->search->prunings) {
        g_autofree char *name = rsp_axiom_label (axiom);
        rsp_prunings_add (naive->search->prunings, name, 1, 0);
      }
      return FALSE;
    }
  }
  return TRUE;
}

/* Raises the flags of a consistent execution; TRUE if it violates a requirement. */
static gboolean raise_flags (const Naive *naive) {
  gboolean undefined = FALSE;
  for (guint i = 0; i < naive->current->model->n_axioms; i++) {
    const RspStagedAxiom *axiom = &naive->current->model->axioms[i];
    if (axiom->role == RSPCHECK_ROLE_AXIOM)
      continue;
    gboolean passes = holds (naive, axiom);
    if (axiom->role == RSPCHECK_ROLE_ASSERT && !passes) {
      rsp_error (naive->search->diagnostics, axiom->span, NULL,
                 "the model's assertion%s%s fails on an execution of test %s",
                 axiom->name ? " " : "", axiom->name ? axiom->name : "", naive->pre->program->name);
      rsp_budget_end (naive->search->budget, RSPCHECK_STOP_ERROR);
    } else if (passes == (axiom->role == RSPCHECK_ROLE_FLAG)
               && axiom->role != RSPCHECK_ROLE_ASSERT) {
      search_flags_raise (naive->search->flags, naive->current->model->flags[axiom->flag]);
      undefined |= axiom->role == RSPCHECK_ROLE_UNDEFINED_UNLESS;
    }
  }
  return undefined;
}

static void judge (Naive *naive) {
  RspSearch *search = naive->search;
  search->statistics->leaves++;
  if (search->leaf) {
    const RspStagedModel *model = naive->current->model;
    RspExecution execution = { .pre = naive->pre,
                               .rf = naive->rf,
                               .co = naive->co,
                               .orders = naive->current->orders,
                               .n_orders = model->n_orders,
                               .values = naive->values,
                               .written = naive->written,
                               .last = naive->last,
                               .state = naive->state,
                               .thin_air = naive->thin_air };
    search->leaf (search, &execution, naive->staging->needs_execution ? model : NULL);
    return;
  }
  if (!rsp_valuation_evaluate (naive->current->valuation, naive->rf, naive->co,
                               naive->current->orders)) {
    search_report_divergence (search, naive->current->model->dag);
    return;
  }
  if (!is_consistent (naive)) {
    search->statistics->prunings++;
    return;
  }
  if (!search_accepts (search, naive->state))
    return;
  gboolean undefined = !search->exists_only && raise_flags (naive);
  search->thin_air |= naive->thin_air;
  search_record (search, naive->state, 1, undefined);
}

/* ---- Chosen orders ---- */
static void choose_order (gpointer data) {
  Naive *naive = data;
  if (!search_tick (naive->search))
    return;
  guint index = naive->n_chosen;
  if (index == naive->current->model->n_orders) {
    judge (naive);
    return;
  }
  const RspStagedOrder *order = &naive->current->model->orders[index];
  Orders orders = { .search = naive->search,
                    .set = order->set,
                    .placed = naive->current->placed[index],
                    .related = order->related,
                    .order = naive->current->orders[index],
                    .visit = choose_order,
                    .data = naive };
  naive->n_chosen++;
  orders_each (&orders);
  naive->n_chosen--;
}

/* ---- Evaluating the model ---- */
static Question prepare_question (const RspStagedModel *model, RspArena *arena) {
  g_autofree RspNodeId *roots = g_new (RspNodeId, model->n_axioms);
  for (guint i = 0; i < model->n_axioms; i++)
    roots[i] = model->axioms[i].node;
  Question question
      = { .model = model, .valuation = rsp_valuation_new (model->dag, roots, model->n_axioms) };
  question.orders = rsp_arena_new0 (arena, RspMatrix *, model->n_orders);
  question.placed = rsp_arena_new0 (arena, RspMatrix *, model->n_orders);
  for (guint i = 0; i < model->n_orders; i++) {
    question.orders[i] = rsp_relation_new (arena, model->dag->n);
    question.placed[i] = rsp_set_new (arena, model->dag->n);
  }
  return question;
}

static void judge_under (Naive *naive, const Question *question) {
  naive->current = question;
  naive->n_chosen = 0;
  choose_order (naive);
}

static void complete (gpointer data) {
  Naive *naive = data;
  rsp_final_state (naive->pre, naive->written, naive->last, naive->state);
  if (naive->search->leaf && !search_accepts (naive->search, naive->state))
    return;
  if (naive->staging->needs_execution) {
    /* A model that inspects complete executions is staged on each. */
    RspSearch *search = naive->search;
    g_autoptr (RspArena) arena = rsp_arena_new_within (search->budget);
    RspBase base = *naive->pre->base;
    base.rf = naive->rf;
    base.co = naive->co;
    RspStageOptions options
        = { .skipped_checks = search->options->skipped_checks, .budget = search->budget };
    RspStaging *staging
        = rsp_model_stage (search->model, &base, &options, arena, search->diagnostics);
    if (!staging)
      rsp_budget_end (search->budget, RSPCHECK_STOP_ERROR);
    else {
      for (guint i = 0; i < staging->n_models; i++) {
        search_flags_note (search->flags, staging->models[i]);
        Question question = prepare_question (staging->models[i], arena);
        judge_under (naive, &question);
        rsp_valuation_free (question.valuation);
      }
      rsp_staging_clear (staging);
    }
  } else
    for (guint i = 0; i < naive->staging->n_models; i++)
      judge_under (naive, &naive->questions[i]);
}

/* ---- Coherence ---- */
static void choose_co (gpointer data) {
  Naive *naive = data;
  const RspPreExecution *pre = naive->pre;
  const guint before = naive->n_ordered;
  guint location = before;
  while (location < pre->program->n_locations
         && rsp_matrix_equal (naive->placed[location], naive->writes[location]))
    location++;
  if (location == pre->program->n_locations) {
    rsp_final_writes_each (pre, naive->co, naive->last, complete, naive);
    return;
  }
  Orders orders = { .search = naive->search,
                    .set = naive->writes[location],
                    .placed = naive->placed[location],
                    .related = pre->related_writes,
                    .order = naive->co,
                    .visit = choose_co,
                    .data = naive };
  naive->n_ordered = location + 1;
  orders_each (&orders);
  naive->n_ordered = before;
}

/* ---- Reads-from ---- */
/* FALSE if plain values contradict a branch of the thread's path. */
static gboolean may_take_path (const Naive *naive, guint thread) {
  const RspPath *path = naive->pre->paths[thread];
  guint first = naive->pre->first[thread];
  RspValue value;
  for (guint i = 0; i < path->n_constraints; i++)
    if (rsp_term_evaluate_partial (path->constraints[i].term, naive->plain + first,
                                   naive->is_plain + first, &value)
        && value.bits == 0 && value.unknown == 0)
      return FALSE;
  return TRUE;
}

static void choose_rf (Naive *naive, guint index) {
  const RspPreExecution *pre = naive->pre;
  RspSearch *search = naive->search;
  if (!search_tick (search))
    return;
  search->statistics->nodes++;
  if (index == pre->n_reads) {
    if (rsp_values_solve (pre, naive->source, naive->values, naive->written, naive->state,
                          &naive->thin_air)
        && !(naive->thin_air == RSP_THIN_AIR_UNDETERMINED && search->options->no_thin_air))
      choose_co (naive);
    return;
  }
  guint read = pre->reads[index];
  const guint64 *candidates = rsp_matrix_row (pre->candidates, read);
  for (all_bits (write, candidates, pre->candidates->words)) {
    /* Is the value of the read plain? That written may depend on this read itself. */
    guint thread = pre->events[write]->thread;
    guint first = thread == RSP_NO_THREAD ? 0 : pre->first[thread];
    naive->source[read] = write;
    naive->is_plain[read] = FALSE;
    naive->is_plain[read]
        = !rsp_event_reads_any (pre->events[read])
          && rsp_term_evaluate_partial (pre->events[write]->written, naive->plain + first,
                                        naive->is_plain + first, &naive->plain[read]);
    if (!may_take_path (naive, pre->events[read]->thread))
      continue;
    rsp_matrix_add (naive->rf, write, read);
    choose_rf (naive, index + 1);
    rsp_matrix_remove (naive->rf, write, read);
  }
  naive->is_plain[read] = FALSE;
}

void rsp_search_naive (RspSearch *search, const RspStaging *staging) {
  const RspPreExecution *pre = search->pre;
  const RspProgram *program = pre->program;
  g_autoptr (RspArena) arena = rsp_arena_new_within (search->budget);
  Naive naive = { .search = search,
                  .pre = pre,
                  .staging = staging,
                  .source = rsp_arena_new0 (arena, guint, pre->n),
                  .values = rsp_arena_new0 (arena, RspValue, pre->n),
                  .written = rsp_arena_new0 (arena, RspValue, pre->n),
                  .plain = rsp_arena_new0 (arena, RspValue, pre->n),
                  .is_plain = rsp_arena_new0 (arena, gboolean, pre->n),
                  .state = rsp_arena_new0 (arena, RspValue, program->n_observables),
                  .last = rsp_arena_new0 (arena, guint, program->n_locations),
                  .rf = rsp_relation_new (arena, pre->n),
                  .co = rsp_relation_new (arena, pre->n),
                  .writes = rsp_pre_execution_writes (pre, arena),
                  .placed = rsp_arena_new0 (arena, RspMatrix *, program->n_locations),
                  .questions = rsp_arena_new0 (arena, Question, staging->n_models) };
  for (guint i = 0; i < program->n_locations; i++) {
    naive.placed[i] = rsp_set_new (arena, pre->n);
    if (pre->initial[i] != G_MAXUINT)
      rsp_set_add (naive.placed[i], pre->initial[i]);
  }
  for (guint i = 0; i < staging->n_models; i++)
    naive.questions[i] = prepare_question (staging->models[i], arena);
  choose_rf (&naive, 0);
  for (guint i = 0; i < staging->n_models; i++)
    rsp_valuation_free (naive.questions[i].valuation);
}

void rsp_search_judge (RspSearch *search, const RspExecution *execution) {
  const RspPreExecution *pre = search->pre;
  const RspStaging staging = { .needs_execution = TRUE };
  Naive naive = { .search = search,
                  .pre = pre,
                  .staging = &staging,
                  .values = execution->values,
                  .written = execution->written,
                  .state = execution->state,
                  .last = execution->last,
                  .thin_air = execution->thin_air,
                  .rf = execution->rf,
                  .co = execution->co };
  complete (&naive);
}
