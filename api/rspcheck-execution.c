#include "rspcheck-execution.h"
#include "api/handle.h"
#include "report/explain/columns.h"
#include "report/graph/dot.h"

API_HANDLE (RspcheckEvent, rspcheck_event, RspViewEvent)
API_HANDLE (RspcheckRelation, rspcheck_relation, RspViewRelation)
API_HANDLE (RspcheckExecution, rspcheck_execution, RspExecutionView)

/* ---- Executions ---- */

API_PARTS (RspcheckExecution, rspcheck_execution, n_events, self->value->n, event, RspcheckEvent,
           &self->value->events[i])
API_PARTS (RspcheckExecution, rspcheck_execution, n_relations, self->value->n_relations, relation,
           RspcheckRelation, &self->value->relations[i])
API_LIST (RspcheckExecution, rspcheck_execution, failed, failed)
API_LIST (RspcheckExecution, rspcheck_execution, raised, raised)

/* The relations that a `show` names come last: a relation with its own name precedes them. */
RspcheckRelation *rspcheck_execution_find_relation (const RspcheckExecution *execution,
                                                    const char *name) {
  g_return_val_if_fail (execution != NULL && name != NULL, NULL);
  const RspExecutionView *view = execution->value;
  for (guint i = 0; i < view->n_relations; i++)
    if (g_str_equal (view->relations[i].name, name))
      return api_handle_new (execution->result, &view->relations[i]);
  return NULL;
}

/* Every second string of the state, which is name, value, name, value, … */
static char **half_of_state (const RspExecutionView *view, guint first) {
  GPtrArray *half = g_ptr_array_new ();
  for (guint i = 0; view->state && view->state[i]; i += 2)
    g_ptr_array_add (half, g_strdup (view->state[i + first]));
  g_ptr_array_add (half, NULL);
  return (char **) g_ptr_array_free (half, FALSE);
}

API_FIELD (RspcheckExecution, rspcheck_execution, state_names, char **, NULL,
           half_of_state (self->value, 0))
API_FIELD (RspcheckExecution, rspcheck_execution, state_values, char **, NULL,
           half_of_state (self->value, 1))

char *rspcheck_execution_text (const RspcheckExecution *execution) {
  g_return_val_if_fail (execution != NULL, NULL);
  GString *text = g_string_new (NULL);
  rsp_view_format (execution->value, text);
  return g_string_free (text, FALSE);
}

char *rspcheck_execution_dot (const RspcheckExecution *execution, const char *title) {
  static const RspGraphOptions none;
  g_return_val_if_fail (execution != NULL, NULL);
  GString *text = g_string_new (NULL);
  rsp_graph_format (execution->value, title ? title : "", NULL, 0, &none, text);
  return g_string_free (text, FALSE);
}

/* ---- Events ---- */

#define EVENT_TEXT(what)                                                                           \
  API_FIELD (RspcheckEvent, rspcheck_event, what, const char *, NULL, self->value->what)

EVENT_TEXT (id)
EVENT_TEXT (source)
EVENT_TEXT (text)
EVENT_TEXT (location)
EVENT_TEXT (read)
EVENT_TEXT (written)
API_FIELD (RspcheckEvent, rspcheck_event, thread, int, -1,
           self->value->thread == RSP_VIEW_INITIAL ? -1 : (int) self->value->thread)
API_FIELD (RspcheckEvent, rspcheck_event, line, guint, 0, self->value->line)
API_FIELD (RspcheckEvent, rspcheck_event, column, guint, 0, self->value->column)
API_LIST (RspcheckEvent, rspcheck_event, sets, sets)

/* ---- Relations ---- */

API_FIELD (RspcheckRelation, rspcheck_relation, name, const char *, NULL, self->value->name)
API_FIELD (RspcheckRelation, rspcheck_relation, is_set, gboolean, FALSE, self->value->is_set)
API_FIELD (RspcheckRelation, rspcheck_relation, is_defined, gboolean, FALSE,
           self->value->kind != RSP_VIEW_BASE)

gboolean rspcheck_relation_holds (const RspcheckRelation *relation, guint from, guint to) {
  g_return_val_if_fail (relation != NULL, FALSE);
  const RspMatrix *pairs = relation->value->pairs;
  g_return_val_if_fail (from < pairs->n && to < pairs->n, FALSE);
  return rsp_matrix_get (pairs, from, to);
}

guint *rspcheck_relation_pairs (const RspcheckRelation *relation, gsize *n) {
  g_return_val_if_fail (relation != NULL && n != NULL, NULL);
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < relation->value->pairs->n; i++)
    for (guint k = 0; k < relation->value->pairs->n; k++)
      if (rspcheck_relation_holds (relation, i, k))
        g_array_append_vals (pairs, (guint[]){ i, k }, 2);
  *n = pairs->len;
  return (guint *) g_array_free (pairs, FALSE);
}
