#include "enumerator/execution.h"

static const char **copy_names (const char *const *names, RspArena *arena) {
  guint n = names ? g_strv_length ((char **) names) : 0;
  const char **own = rsp_arena_new0 (arena, const char *, n + 1);
  for (guint i = 0; i < n; i++)
    own[i] = rsp_arena_strdup (arena, names[i]);
  return own;
}

static RspMatrix **copy_orders (const RspExecution *execution, RspArena *arena) {
  RspMatrix **orders = rsp_arena_new0 (arena, RspMatrix *, execution->n_orders + 1);
  for (guint i = 0; i < execution->n_orders; i++)
    orders[i] = rsp_matrix_copy (arena, execution->orders[i]);
  return orders;
}

RspExecution *rsp_execution_copy (const RspExecution *execution, RspArena *arena) {
  const RspPreExecution *pre = execution->pre;
  RspExecution *own = rsp_arena_copy (arena, execution, sizeof *execution);
  own->rf = rsp_matrix_copy (arena, execution->rf);
  own->co = rsp_matrix_copy (arena, execution->co);
  own->orders = copy_orders (execution, arena);
  own->script = rsp_arena_copy (arena, execution->script, sizeof (guint) * execution->n_script);
  own->values = rsp_arena_copy (arena, execution->values, sizeof (RspValue) * pre->n);
  own->written = rsp_arena_copy (arena, execution->written, sizeof (RspValue) * pre->n);
  own->last = rsp_arena_copy (arena, execution->last, sizeof (guint) * pre->program->n_locations);
  own->state
      = rsp_arena_copy (arena, execution->state, sizeof (RspValue) * pre->program->n_observables);
  own->failed = copy_names (execution->failed, arena);
  own->raised = copy_names (execution->raised, arena);
  return own;
}

gboolean rsp_execution_fails (const RspExecution *execution, const char *id) {
  return execution->failed && g_strv_contains (execution->failed, id);
}

gboolean rsp_execution_raises (const RspExecution *execution, const char *flag) {
  return execution->raised && g_strv_contains (execution->raised, flag);
}
