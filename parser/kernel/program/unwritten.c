/* Which objects the text of the work-items writes nowhere: every use of their addresses is in the
 * address of a read. What is read there is known before any path is explored. */
#include "parser/kernel/program/unwritten.h"

typedef struct Scan {
  RspProgram *program;
  guint8 *used; /* per location that begins an object: is its address used otherwise? */
} Scan;

static void scan_statements (Scan *scan, const RspStatement *statement);
static void scan_value (Scan *scan, const RspExpr *expr);

/* The address from which something is read: a pointer, and what is added to it. */
static void scan_address (Scan *scan, const RspExpr *expr) {
  switch (expr->kind) {
  case RSP_EXPR_LOCATION:
    return;
  case RSP_EXPR_BINARY:
    (expr->u.node.a->type.pointers ? scan_address : scan_value) (scan, expr->u.node.a);
    scan_value (scan, expr->u.node.b);
    return;
  case RSP_EXPR_CAST:
    scan_address (scan, expr->u.node.a);
    return;
  case RSP_EXPR_CONDITIONAL:
    scan_value (scan, expr->u.node.a);
    scan_address (scan, expr->u.node.b);
    scan_address (scan, expr->u.node.c);
    return;
  default:
    scan_value (scan, expr);
    return;
  }
}

/* What is assigned to. */
static void scan_target (Scan *scan, const RspExpr *expr) {
  if (expr->kind == RSP_EXPR_DEREF)
    scan_value (scan, expr->u.node.a);
  else
    scan_value (scan, expr);
}

static void scan_call (Scan *scan, const RspCall *call) {
  const RspExpr *const operands[] = { call->object, call->value, call->expected };
  for (gsize i = 0; i < G_N_ELEMENTS (operands); i++)
    if (operands[i])
      scan_value (scan, operands[i]);
}

static void scan_operands (Scan *scan, const RspExpr *expr) {
  const RspExpr *const operands[] = { expr->u.node.a, expr->u.node.b, expr->u.node.c };
  for (gsize i = 0; i < G_N_ELEMENTS (operands); i++)
    if (operands[i])
      scan_value (scan, operands[i]);
}

static void scan_value (Scan *scan, const RspExpr *expr) {
  switch (expr->kind) {
  case RSP_EXPR_CONSTANT:
  case RSP_EXPR_REGISTER:
    return;
  case RSP_EXPR_LOCATION:
    scan->used[expr->u.object] = TRUE;
    return;
  case RSP_EXPR_DEREF:
    scan_address (scan, expr->u.node.a);
    return;
  case RSP_EXPR_ASSIGN:
  case RSP_EXPR_STEP:
    scan_target (scan, expr->u.node.a);
    if (expr->u.node.b)
      scan_value (scan, expr->u.node.b);
    return;
  case RSP_EXPR_CALL:
    scan_call (scan, expr->u.call);
    return;
  case RSP_EXPR_BLOCK:
    scan_statements (scan, expr->u.block.body);
    scan_value (scan, expr->u.block.value);
    return;
  default:
    scan_operands (scan, expr);
    return;
  }
}

static void scan_statements (Scan *scan, const RspStatement *statement) {
  for (; statement; statement = statement->next) {
    if (statement->expr)
      scan_value (scan, statement->expr);
    if (statement->step)
      scan_value (scan, statement->step);
    scan_statements (scan, statement->init);
    scan_statements (scan, statement->body);
    scan_statements (scan, statement->otherwise);
    scan_statements (scan, statement->first);
  }
}

void kernel_mark_unwritten (RspProgram *program) {
  g_autofree guint8 *used = g_new0 (guint8, program->n_locations + 1);
  Scan scan = { program, used };
  for (guint i = 0; i < program->n_threads; i++)
    scan_statements (&scan, program->threads[i].body);
  for (guint i = 0; i < program->n_locations; i++)
    if (program->locations[i].type.pointers && rsp_is_address (program->locations[i].initial))
      used[rsp_address_object (program->locations[i].initial)] = TRUE;
  for (guint i = 0; i < program->n_locations; i++) {
    RspLocation *location = &program->locations[i];
    location->fixed |= !used[location->object];
  }
}
