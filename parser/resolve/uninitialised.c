/* Registers that are read before they are assigned; in columns, that nothing in the thread assigns.
 * One pass goes through the statements in the order of the text, and an assignment counts from
 * there on. So a register that only one branch of an `if` assigns is not reported: its value may be
 * used on that branch alone. */
#include "parser/resolve/uninitialised.h"

typedef struct Walk {
  LitmusResolver *resolver;
  const RspThread *thread;
  gboolean *assigned; /* per register: may it have been assigned, or is it reported? */
} Walk;

static void walk_expr (Walk *walk, const RspExpr *expr);

static void warn_of (const Walk *walk, const char *name, RspSpan span) {
  if (!walk->resolver->program->language->tagged)
    litmus_warning (walk->resolver, span, "in C its value is undetermined: initialise it",
                    "`%s` is read before it is assigned, and starts at 0", name);
  else {
    g_autofree char *hint = g_strdup_printf (
        "a value is given to a register in the initial state: `%s:%s=1`", walk->thread->name, name);
    litmus_warning (walk->resolver, span, hint, "nothing in %s sets `%s`, which is 0",
                    walk->thread->name, name);
  }
}

static void read_register (Walk *walk, guint reg, RspSpan span) {
  if (!walk->assigned[reg])
    warn_of (walk, walk->thread->registers[reg].name, span);
  walk->assigned[reg] = TRUE;
}

/* A place that is written, or whose address is taken. */
static void walk_place (Walk *walk, const RspExpr *expr, gboolean reads) {
  if (expr->kind != RSP_EXPR_REGISTER)
    walk_expr (walk, expr->kind == RSP_EXPR_DEREF ? expr->u.node.a : expr);
  else if (reads)
    read_register (walk, expr->u.reg, expr->span);
}

static void assign_place (Walk *walk, const RspExpr *expr) {
  if (expr->kind == RSP_EXPR_REGISTER)
    walk->assigned[expr->u.reg] = TRUE;
}

static void walk_call (Walk *walk, const RspCall *call) {
  const RspExpr *const operands[] = { call->object, call->value };
  for (guint i = 0; i < G_N_ELEMENTS (operands); i++)
    if (operands[i])
      walk_expr (walk, operands[i]);
  if (!call->expected)
    return;
  if (call->expected->kind == RSP_EXPR_ADDRESS) /* the expected value is read */
    walk_place (walk, call->expected->u.node.a, TRUE);
  walk_expr (walk, call->expected);
}

static void walk_expr (Walk *walk, const RspExpr *expr) {
  const RspExpr *a = expr->u.node.a, *b = expr->u.node.b, *c = expr->u.node.c;
  switch (expr->kind) {
  case RSP_EXPR_CONSTANT:
  case RSP_EXPR_LOCATION:
  case RSP_EXPR_BLOCK: /* not in tests */
    break;
  case RSP_EXPR_REGISTER:
    read_register (walk, expr->u.reg, expr->span);
    break;
  case RSP_EXPR_UNARY:
  case RSP_EXPR_CAST:
  case RSP_EXPR_DEREF:
    walk_expr (walk, a);
    break;
  case RSP_EXPR_BINARY:
  case RSP_EXPR_INDEX:
    walk_expr (walk, a);
    walk_expr (walk, b);
    break;
  case RSP_EXPR_CONDITIONAL:
    walk_expr (walk, a);
    walk_expr (walk, b);
    walk_expr (walk, c);
    break;
  case RSP_EXPR_ASSIGN:
    walk_expr (walk, b);
    walk_place (walk, a, expr->u.node.op != RSP_OP_NONE);
    assign_place (walk, a);
    break;
  case RSP_EXPR_STEP:
    walk_place (walk, a, TRUE);
    break;
  case RSP_EXPR_ADDRESS:
    walk_place (walk, a, FALSE);
    assign_place (walk, a);
    break;
  case RSP_EXPR_CALL:
    walk_call (walk, expr->u.call);
    break;
  }
}

static void walk_list (Walk *walk, const RspStatement *first);

static void walk_statement (Walk *walk, const RspStatement *statement) {
  gboolean body_first = statement->kind == RSP_STATEMENT_DO;
  if (statement->init)
    walk_list (walk, statement->init);
  if (body_first)
    walk_list (walk, statement->body);
  if (statement->expr)
    walk_expr (walk, statement->expr);
  if (statement->barrier && statement->barrier->name)
    walk_expr (walk, statement->barrier->name);
  if (statement->barrier && statement->barrier->quorum)
    walk_expr (walk, statement->barrier->quorum);
  if (statement->kind == RSP_STATEMENT_DECLARATION && statement->expr)
    walk->assigned[statement->reg] = TRUE;
  if (!body_first)
    walk_list (walk, statement->body);
  walk_list (walk, statement->otherwise);
  if (statement->step)
    walk_expr (walk, statement->step);
  walk_list (walk, statement->first);
}

static void walk_list (Walk *walk, const RspStatement *first) {
  for (const RspStatement *statement = first; statement; statement = statement->next)
    walk_statement (walk, statement);
}

void rsp_litmus_warn_of_uninitialised (LitmusResolver *resolver, const RspThread *thread) {
  g_autofree gboolean *assigned = g_new0 (gboolean, thread->n_registers + 1);
  Walk walk = { resolver, thread, assigned };
  for (guint i = 0; i < thread->n_registers; i++)
    assigned[i] = thread->registers[i].initialised;
  walk_list (&walk, thread->body);
}
