/* Leaves: complete executions. They are built for queries that inspect executions, and for models
 * that depend on values which only a complete execution has. The axioms of such a model that do not
 * depend on these values prune the search as usual, and every remaining execution is judged as in
 * the naive engine, so nothing can be counted, memoised, or shared between threads. */
#include "enumerator/search/bounded/leaf.h"
#include "enumerator/search/bounded/values/known.h"
#include "enumerator/search/bounded/values/observe.h"
#include "enumerator/search/naive.h"
#include "enumerator/values/final_state.h"

static RspMatrix *
decided (const Searcher *s, guint leaf, RspArena *arena)
{
  RspMatrix *relation = rsp_relation_new (arena, s->n);
  for (guint x = 0; x < s->n; x++)
    for (all_bits (y, rsp_bounds_lo (s->bounds, leaf, x), s->words))
      rsp_matrix_add (relation, x, y);
  return relation;
}

/* The last write of a location, or G_MAXUINT if it has none. */
static guint
last_write (const Searcher *s, const RspMatrix *co, guint location)
{
  for (all_bits (x, s->writes[location]->bits, s->words))
    if (rsp_next_bit (rsp_matrix_row (co, x), s->words, 0) == G_MAXUINT)
      return x;
  return G_MAXUINT;
}

static RspMatrix **
decided_orders (const Searcher *s, RspArena *arena)
{
  RspMatrix **orders = rsp_arena_new0 (arena, RspMatrix *, s->model->n_orders + 1);
  for (guint i = 0; i < s->model->n_orders; i++)
    orders[i] = decided (s, RSP_LEAF_ORDER + i, arena);
  return orders;
}

/* Builds the execution, in arena; everything is decided. */
static RspExecution
complete_execution (const Searcher *s, RspArena *arena)
{
  guint n_locations = s->pre->program->n_locations;
  guint n_observables = s->pre->program->n_observables;
  RspExecution execution = { .pre = s->pre,
                             .rf = decided (s, RSP_LEAF_RF, arena),
                             .co = decided (s, RSP_LEAF_CO, arena),
                             .orders = decided_orders (s, arena),
                             .n_orders = s->model->n_orders,
                             .values = s->known->values,
                             .written = s->known->written,
                             .state = rsp_arena_new0 (arena, RspValue, n_observables + 1),
                             .last = rsp_arena_new0 (arena, guint, n_locations + 1),
                             .thin_air = s->known->n_undetermined > 0 };
  for (guint i = 0; i < n_locations; i++)
    execution.last[i] = last_write (s, execution.co, i);
  for (guint i = 0; i < n_observables; i++)
    observe_one (s, i, &execution.state[i]);
  return execution;
}

void
leaf_judge (Searcher *s)
{
  RspArena *arena = rsp_arena_new_within (s->search->budget);
  RspExecution execution = complete_execution (s, arena);
  if (s->judges_leaves)
    search_judge (s->search, &execution);
  else
    s->search->leaf (s->search, &execution, NULL);
  rsp_arena_free (arena);
}
