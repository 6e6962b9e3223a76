/* Leaves: complete executions. They are built for queries that inspect executions, and for models
 * that depend on values which only a complete execution has. The axioms of such a model that do not
 * depend on these values prune the search as usual, and every remaining execution is judged as in
 * the naive engine, so nothing can be counted, memoised, or shared between threads. */
#include "enumerator/search/bounded/leaf.h"
#include "enumerator/search/bounded/values/known.h"
#include "enumerator/search/bounded/values/observe.h"
#include "enumerator/search/naive/naive.h"
#include "enumerator/values/final_state.h"

static RspMatrix *decided (const Searcher *s, guint leaf, RspArena *arena) {
  RspMatrix *relation = rsp_relation_new (arena, s->n);
  for (guint x = 0; x < s->n; x++)
    for (all_bits (y, rsp_bounds_lo (s->bounds, leaf, x), s->words))
      rsp_matrix_add (relation, x, y);
  return relation;
}

static RspMatrix **decided_orders (const Searcher *s, RspArena *arena) {
  RspMatrix **orders = rsp_arena_new0 (arena, RspMatrix *, s->model->n_orders + 1);
  for (guint i = 0; i < s->model->n_orders; i++)
    orders[i] = decided (s, RSP_LEAF_ORDER + i, arena);
  return orders;
}

/* Builds the execution, in arena; everything is decided. */
static RspExecution complete_execution (const Searcher *s, RspArena *arena) {
  guint n_locations = s->pre->program->n_locations;
  guint n_observables = s->pre->program->n_observables;
  return (RspExecution){ .pre = s->pre,
                         .rf = decided (s, RSP_LEAF_RF, arena),
                         .co = decided (s, RSP_LEAF_CO, arena),
                         .orders = decided_orders (s, arena),
                         .n_orders = s->model->n_orders,
                         .values = s->known->values,
                         .written = s->known->written,
                         .state = rsp_arena_new0 (arena, RspValue, n_observables + 1),
                         .last = rsp_arena_new0 (arena, guint, n_locations + 1),
                         .thin_air = s->known->thin_air > 0 };
}

/* An execution with the searcher that found it. */
typedef struct Leaf {
  const Searcher *s;
  RspExecution execution;
} Leaf;

static void judge (gpointer data) {
  Leaf *leaf = data;
  RspSearch *search = leaf->s->search;
  RspExecution *execution = &leaf->execution;
  rsp_final_state (leaf->s->pre, execution->written, execution->last, execution->state);
  if (leaf->s->judges_leaves)
    rsp_search_judge (search, execution);
  else if (search_accepts (search, execution->state))
    search->leaf (search, execution, NULL);
}

void leaf_judge (Searcher *s) {
  g_autoptr (RspArena) arena = rsp_arena_new_within (s->search->budget);
  Leaf leaf = { .s = s, .execution = complete_execution (s, arena) };
  for (guint i = 0; i < s->pre->program->n_observables; i++)
    if (s->pre->program->observables[i].is_register)
      observe_one (s, i, &leaf.execution.state[i]);
  rsp_final_writes_each (s->pre, leaf.execution.co, leaf.execution.last, judge, &leaf);
}
