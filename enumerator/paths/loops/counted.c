/* Loops that count: the registers of the condition are assigned once in a round at most by
 * statements that every round executes, and from such registers alone. Where a `break` ends the
 * loop, its condition need only be calculated from registers alone. */
#include "enumerator/paths/loops/counted.h"

typedef struct Counting {
  RspExecutor *x;
  guint8 *needed; /* per register: the condition depends on it */
  gboolean good, changed;
  gboolean loose;    /* may rounds leave out assignments? */
  gboolean assigned; /* is a register assigned on which the condition depends? */
} Counting;

static void visit (Counting *c, const RspStatement *statement, gboolean always);
static void visit_expr (Counting *c, const RspExpr *expr, gboolean always);

/* The operands decide: nothing but registers and constants may be among them. */
static void need (Counting *c, const RspExpr *expr) {
  switch (expr->kind) {
  case RSP_EXPR_CONSTANT:
    return;
  case RSP_EXPR_REGISTER:
    c->good &= !c->x->escapes[expr->u.reg];
    c->changed |= !c->needed[expr->u.reg];
    c->needed[expr->u.reg] = TRUE;
    return;
  case RSP_EXPR_UNARY:
  case RSP_EXPR_CAST:
    need (c, expr->u.node.a);
    return;
  case RSP_EXPR_STEP:
    need (c, expr->u.node.a);
    return;
  case RSP_EXPR_ASSIGN:
  case RSP_EXPR_BINARY:
    need (c, expr->u.node.a);
    need (c, expr->u.node.b);
    return;
  default:
    c->good = FALSE;
  }
}

/* always: does every round evaluate it? */
static void visit_expr (Counting *c, const RspExpr *expr, gboolean always) {
  if (!expr || !c->good || expr->kind == RSP_EXPR_CONSTANT || expr->kind == RSP_EXPR_LOCATION
      || expr->kind == RSP_EXPR_REGISTER || expr->kind == RSP_EXPR_CALL)
    return; /* a call changes only what escapes */
  if (expr->kind == RSP_EXPR_BLOCK) {
    visit (c, expr->u.block.body, always);
    visit_expr (c, expr->u.block.value, always);
    return;
  }
  const RspExpr *a = expr->u.node.a;
  if ((expr->kind == RSP_EXPR_ASSIGN || expr->kind == RSP_EXPR_STEP) && a->kind == RSP_EXPR_REGISTER
      && c->needed[a->u.reg]) {
    c->good &= always || c->loose;
    c->assigned = TRUE;
    if (expr->kind == RSP_EXPR_ASSIGN)
      need (c, expr->u.node.b);
  }
  visit_expr (c, a, FALSE);
  visit_expr (c, expr->u.node.b, FALSE);
  visit_expr (c, expr->u.node.c, FALSE);
}

static void visit (Counting *c, const RspStatement *statement, gboolean always) {
  if (!statement || !c->good)
    return;
  gboolean list = statement->kind == RSP_STATEMENT_BLOCK;
  if (statement->kind == RSP_STATEMENT_DECLARATION && c->needed[statement->reg]) {
    c->good &= (always || c->loose) && statement->expr;
    c->assigned = TRUE;
    if (statement->expr)
      need (c, statement->expr);
  }
  visit_expr (c, statement->expr, always && statement->kind == RSP_STATEMENT_EXPRESSION);
  visit_expr (c, statement->step, FALSE);
  visit (c, statement->init, FALSE);
  visit (c, statement->body, FALSE);
  visit (c, statement->otherwise, FALSE);
  for (const RspStatement *s = statement->first; s; s = s->next)
    visit (c, s, always && list);
}

/* Do the registers of the condition, and nothing else, decide it? */
static gboolean counts (Counting *c, const RspStatement *loop, const RspExpr *condition) {
  c->good = TRUE;
  c->needed = rsp_arena_new0 (c->x->scratch, guint8, c->x->thread->n_registers + 1);
  need (c, condition);
  do {
    c->changed = FALSE;
    visit (c, loop->body, TRUE);
    visit_expr (c, loop->step, TRUE);
  } while (c->changed && c->good);
  return c->good;
}

gboolean loop_is_counted (RspExecutor *x, const RspStatement *loop) {
  if (!x->program->counts_loops || !loop->expr || loop->expr->kind == RSP_EXPR_CONSTANT)
    return FALSE;
  Counting c = { .x = x };
  return counts (&c, loop, loop->expr);
}

/* Does the statement break the loop around it? */
static gboolean breaks (const RspStatement *statement) {
  if (!statement || statement->kind != RSP_STATEMENT_BLOCK)
    return statement && statement->kind == RSP_STATEMENT_BREAK;
  gboolean found = FALSE;
  for (const RspStatement *s = statement->first; s && !found; s = s->next)
    found = breaks (s);
  return found;
}

static gboolean has_counted_break (RspExecutor *x, const RspStatement *loop,
                                   const RspStatement *statement) {
  gboolean found = FALSE;
  for (const RspStatement *s = statement->first;
       statement->kind == RSP_STATEMENT_BLOCK && s && !found; s = s->next)
    found = has_counted_break (x, loop, s);
  if (statement->kind != RSP_STATEMENT_IF
      || !(breaks (statement->body) || breaks (statement->otherwise)))
    return found;
  Counting c = { .x = x, .loose = TRUE };
  return counts (&c, loop, statement->expr) && c.assigned;
}

gboolean loop_counts_to_break (RspExecutor *x, const RspStatement *loop) {
  return x->program->counts_loops && has_counted_break (x, loop, loop->body);
}
