/* Expressions that cannot run on a device: undefined where paths fail in the model, or beyond a
 * target's operations. */
#include "hardware/fit/expressions.h"
#include "hardware/fit/walk.h"

static gboolean is_constant (const RspExpr *e) { return e->kind == RSP_EXPR_CONSTANT; }

static void fit_call (Fit *fit, const RspExpr *e) {
  const RspCall *call = e->u.call;
  if (call->remote)
    fit_refuse (fit, &e->span,
                "no device has remote operations; `-remote ordinary` runs them as "
                "ordinary ones of the same scope");
  if (!call->object || call->kind == RSP_CALL_INIT)
    return;
  const RspType *type = &call->object->type;
  guint bits = type->pointers > 1 ? 64 : type->bits;
  if (bits < target_get (fit->options->target)->least_bits)
    fit_refuse (fit, &e->span, "%s has no atomic objects of %u bits",
                rsp_target_names[fit->options->target], bits);
}

/* Division by zero and shifts that are too large are errors in the model, and undefined on a
 * device. */
static void fit_operator (Fit *fit, const RspExpr *e) {
  RspOperator op = e->u.node.op;
  const RspExpr *b = e->u.node.b;
  gint64 limit = MAX (e->type.bits, 32);
  if ((op == RSP_OP_DIV || op == RSP_OP_MOD) && !(is_constant (b) && b->u.constant > 0))
    fit_refuse (fit, &e->span, "a division by a value that may be zero");
  if ((op == RSP_OP_SHL || op == RSP_OP_SHR)
      && !(is_constant (b) && b->u.constant >= 0 && b->u.constant < limit))
    fit_refuse (fit, &e->span, "a shift by an amount that may be too large");
}

static void fit_pointers (Fit *fit, const RspExpr *e) {
  gboolean adds = e->u.node.op == RSP_OP_ADD || e->u.node.op == RSP_OP_SUB;
  if (e->type.pointers && (e->kind == RSP_EXPR_BINARY ? adds : e->u.node.op != RSP_OP_NONE))
    fit_refuse (fit, &e->span, "arithmetic on pointers, which could leave the test's memory");
}

static void fit_cast (Fit *fit, const RspExpr *e) {
  const RspExpr *a = e->u.node.a;
  if (!!e->type.pointers != !!a->type.pointers && e->type.bits && !is_constant (a))
    fit_refuse (fit, &e->span, "a cast between a pointer and a number");
}

/* The place is computed twice by `op=`, ++ and --. */
static void find_effects (gpointer data, const RspExpr *e) {
  gboolean *found = data;
  *found |= e->kind == RSP_EXPR_CALL || e->kind == RSP_EXPR_ASSIGN || e->kind == RSP_EXPR_STEP
            || e->kind == RSP_EXPR_DEREF || e->kind == RSP_EXPR_INDEX;
}

static void fit_place (Fit *fit, const RspExpr *place) {
  gboolean found = FALSE;
  Walk walk = { .expression = find_effects, .data = &found };
  if (place->kind == RSP_EXPR_REGISTER)
    return;
  walk_expression (&walk, place->u.node.a);
  walk_expression (&walk, place->kind == RSP_EXPR_INDEX ? place->u.node.b : NULL);
  if (found)
    fit_refuse (fit, &place->span, "memory accesses in the address of an assignment `op=`");
}

static void fit_expression (gpointer data, const RspExpr *e) {
  Fit *fit = data;
  switch (e->kind) {
  case RSP_EXPR_CALL:
    fit_call (fit, e);
    return;
  case RSP_EXPR_CAST:
    fit_cast (fit, e);
    return;
  case RSP_EXPR_BINARY:
    fit_operator (fit, e);
    fit_pointers (fit, e);
    return;
  case RSP_EXPR_ASSIGN:
    fit_pointers (fit, e);
    if (e->u.node.op != RSP_OP_NONE) {
      fit_operator (fit, e);
      fit_place (fit, e->u.node.a);
    }
    return;
  case RSP_EXPR_STEP:
    fit_pointers (fit, e);
    fit_place (fit, e->u.node.a);
    return;
  default:
    return;
  }
}

void fit_expressions (Fit *fit) {
  Walk walk = { .expression = fit_expression, .data = fit };
  for (guint i = 0; i < fit->program->n_threads; i++) {
    fit->thread = &fit->program->threads[i];
    walk_statement (&walk, fit->thread->body);
  }
}
