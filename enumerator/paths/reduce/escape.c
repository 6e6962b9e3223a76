/* Finds the objects whose addresses may be values of pointers in registers or memory: those that
 * are used other than as the place of an access, and those in the initial state. A pointer that was
 * read can denote no other object. */
#include "enumerator/paths/reduce/escape.h"
#include "enumerator/paths/state.h"

static void walk (RspExecutor *x, const RspExpr *expr, gboolean accessed);
static void visit_statement (RspExecutor *x, const RspStatement *statement);

static void walk_children (RspExecutor *x, const RspExpr *expr, gboolean accessed_a,
                           gboolean accessed_b) {
  walk (x, expr->u.node.a, accessed_a);
  walk (x, expr->u.node.b, accessed_b);
  walk (x, expr->u.node.c, accessed_b);
}

static void walk_kind (RspExecutor *x, const RspExpr *expr, gboolean accessed) {
  const RspExpr *a = expr->u.node.a;
  switch (expr->kind) {
  case RSP_EXPR_CONSTANT:
  case RSP_EXPR_REGISTER:
    return;
  case RSP_EXPR_LOCATION:
    if (!accessed)
      x->escaping_objects[expr->u.object] = TRUE;
    return;
  case RSP_EXPR_CALL:
    walk (x, expr->u.call->object, TRUE);
    walk (x, expr->u.call->expected, TRUE);
    walk (x, expr->u.call->value, FALSE);
    return;
  case RSP_EXPR_BLOCK:
    visit_statement (x, expr->u.block.body);
    walk (x, expr->u.block.value, accessed);
    return;
  case RSP_EXPR_DEREF:
  case RSP_EXPR_INDEX:
    walk_children (x, expr, TRUE, FALSE);
    return;
  case RSP_EXPR_ADDRESS:
    if (a->kind == RSP_EXPR_DEREF || a->kind == RSP_EXPR_INDEX)
      walk_children (x, a, accessed, FALSE);
    else
      walk (x, a, accessed);
    return;
  case RSP_EXPR_CAST:
  case RSP_EXPR_BINARY:
    walk_children (x, expr, accessed, accessed);
    return;
  default:
    walk_children (x, expr, FALSE, FALSE);
    return;
  }
}

/* accessed: is the value only used as the address of an access? */
static void walk (RspExecutor *x, const RspExpr *expr, gboolean accessed) {
  if (!expr)
    return;
  if (executor_enter (x, expr->span))
    walk_kind (x, expr, accessed);
  executor_leave (x);
}

static void visit_statement (RspExecutor *x, const RspStatement *statement) {
  if (!statement)
    return;
  if (executor_enter (x, statement->span)) {
    walk (x, statement->expr, FALSE);
    walk (x, statement->step, FALSE);
    visit_statement (x, statement->init);
    visit_statement (x, statement->body);
    visit_statement (x, statement->otherwise);
    for (const RspStatement *s = statement->first; s; s = s->next)
      visit_statement (x, s);
  }
  executor_leave (x);
}

static void note_initial (RspExecutor *x, gint64 value) {
  if (rsp_is_address (value) && rsp_address_object (value) < x->program->n_locations)
    x->escaping_objects[rsp_address_object (value)] = TRUE;
}

static void find_escaping (RspExecutor *x) {
  const RspProgram *program = x->program;
  x->escaping_objects = rsp_arena_new0 (x->scratch, guint8, program->n_locations + 1);
  for (guint i = 0; i < program->n_locations; i++)
    note_initial (x, program->locations[i].initial);
  for (guint t = 0; t < program->n_threads; t++) {
    const RspThread *thread = &program->threads[t];
    for (guint i = 0; i < thread->n_registers; i++)
      note_initial (x, thread->registers[i].initial);
    visit_statement (x, thread->body);
  }
}

/* The statements around the one that asks do not count as levels of those that are visited. */
const guint8 *executor_escaping_objects (RspExecutor *x) {
  guint depth = x->depth;
  x->depth = 0;
  if (!x->escaping_objects)
    find_escaping (x);
  x->depth = depth;
  if (x->gave_up)
    x->escaping_objects = NULL;
  return x->escaping_objects;
}
