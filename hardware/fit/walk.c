#include "hardware/fit/walk.h"

void walk_expression (const Walk *walk, const RspExpr *e) {
  if (!e)
    return;
  if (walk->expression)
    walk->expression (walk->data, e);
  switch (e->kind) {
  case RSP_EXPR_CONSTANT:
  case RSP_EXPR_LOCATION:
  case RSP_EXPR_REGISTER:
    return;
  case RSP_EXPR_CALL:
    walk_expression (walk, e->u.call->object);
    walk_expression (walk, e->u.call->expected);
    walk_expression (walk, e->u.call->value);
    return;
  default:
    walk_expression (walk, e->u.node.a);
    walk_expression (walk, e->u.node.b);
    walk_expression (walk, e->u.node.c);
  }
}

void walk_statement (const Walk *walk, const RspStatement *s) {
  if (!s)
    return;
  if (walk->statement)
    walk->statement (walk->data, s);
  walk_expression (walk, s->expr);
  walk_expression (walk, s->step);
  walk_statement (walk, s->init);
  walk_statement (walk, s->body);
  walk_statement (walk, s->otherwise);
  for (const RspStatement *inner = s->first; inner; inner = inner->next)
    walk_statement (walk, inner);
}
