/* Expressions. C's rules for integers are the model's, except that signed overflow wraps here, so
 * it is computed without a sign. */
#include "hardware/emit/expression.h"
#include "hardware/emit/call.h"
#include "hardware/emit/text.h"

static const char *operator_text (RspOperator op) {
  static const char *const texts[]
      = { [RSP_OP_ADD] = "+",         [RSP_OP_SUB] = "-",          [RSP_OP_MUL] = "*",
          [RSP_OP_DIV] = "/",         [RSP_OP_MOD] = "%",          [RSP_OP_SHL] = "<<",
          [RSP_OP_SHR] = ">>",        [RSP_OP_AND] = "&",          [RSP_OP_OR] = "|",
          [RSP_OP_XOR] = "^",         [RSP_OP_EQ] = "==",          [RSP_OP_NE] = "!=",
          [RSP_OP_LT] = "<",          [RSP_OP_LE] = "<=",          [RSP_OP_GT] = ">",
          [RSP_OP_GE] = ">=",         [RSP_OP_LOGICAL_AND] = "&&", [RSP_OP_LOGICAL_OR] = "||",
          [RSP_OP_COMMA] = ",",       [RSP_OP_NEGATE] = "-",       [RSP_OP_COMPLEMENT] = "~",
          [RSP_OP_LOGICAL_NOT] = "!", [RSP_OP_PLUS] = "+" };
  return texts[op];
}

char *emit_convert (const Emitter *e, const RspType *type, const char *text) {
  if (type->bits == 1 && !type->pointers)
    return g_strdup_printf ("(uint8_t) ((%s) != 0)", text);
  g_autofree char *name = emit_type_text (e, type);
  return g_strdup_printf ("(%s) %s", name, text);
}

/* The operation in the type of its result, as the model converts. */
static char *binary_text (const RspType *type, RspOperator op, const char *a, const char *b) {
  gboolean wraps = op == RSP_OP_ADD || op == RSP_OP_SUB || op == RSP_OP_MUL || op == RSP_OP_SHL;
  if (!wraps || !type->is_signed || type->pointers)
    return g_strdup_printf ("(%s %s %s)", a, operator_text (op), b);
  guint bits = MAX (type->bits, 32);
  return g_strdup_printf ("(int%u_t) ((uint%u_t) %s %s (uint%u_t) %s)", bits, bits, a,
                          operator_text (op), bits, b);
}

static char *emit_binary (Emitter *e, const RspExpr *expr) {
  g_autofree char *a = emit_expression (e, expr->u.node.a);
  g_autofree char *b = emit_expression (e, expr->u.node.b);
  g_autofree char *text = binary_text (&expr->type, expr->u.node.op, a, b);
  return g_strdup_printf ("(%s)", text);
}

static char *emit_unary (Emitter *e, const RspExpr *expr) {
  g_autofree char *a = emit_expression (e, expr->u.node.a);
  if (expr->u.node.op == RSP_OP_NEGATE && expr->type.is_signed) {
    g_autofree char *text = binary_text (&expr->type, RSP_OP_SUB, "0", a);
    return g_strdup_printf ("(%s)", text);
  }
  return g_strdup_printf ("(%s%s)", operator_text (expr->u.node.op), a);
}

/* ---- Places ---- */

static char *element_address (Emitter *e, const RspExpr *array, const RspExpr *index) {
  g_autofree char *base = emit_expression (e, array);
  g_autofree char *at = emit_expression (e, index);
  guint n
      = array->kind == RSP_EXPR_LOCATION ? e->program->locations[array->u.object].n_elements : 1;
  return g_strdup_printf ("(%s + in_bounds (c, %s, %u))", base, at, n);
}

static char *emit_address (Emitter *e, const RspExpr *expr) {
  if (expr->kind == RSP_EXPR_REGISTER) {
    g_autofree char *name = emit_register_name (e, expr->u.reg);
    return g_strdup_printf ("(&%s)", name);
  }
  if (expr->kind == RSP_EXPR_INDEX)
    return element_address (e, expr->u.node.a, expr->u.node.b);
  return emit_expression (e, expr->u.node.a);
}

/* All parameters have the same form, which gives a pointer's value. */
char *emit_plain_load (const Emitter *e, const RspType *type, const char *address) {
  g_autofree char *name = emit_type_text (e, type);
  return emit_fill (
      e->target->operations[OPERATION_PLAIN_LOAD],
      (const Filling[]){ { 'T', name }, { 'Q', e->target->spaces[type->space] }, { 'P', address } },
      3);
}

/* The type of the contents of a place, with the address space of the pointer to it. */
static RspType place_type (const RspExpr *place) {
  RspType type = place->type;
  if (place->kind == RSP_EXPR_DEREF || place->kind == RSP_EXPR_INDEX)
    type.space = place->u.node.a->type.space;
  return type;
}

static char *emit_load (Emitter *e, const RspExpr *expr) {
  RspType type = place_type (expr);
  g_autofree char *address = emit_address (e, expr);
  g_autofree char *text = emit_plain_load (e, &type, address);
  return g_strdup_printf ("(%s)", text);
}

/* Stores `value` in the place; the expression's value is what was stored. */
static char *store_text (Emitter *e, const RspExpr *place, const char *value) {
  g_autofree char *converted = emit_convert (e, &place->type, value);
  g_autofree char *address = emit_address (e, place);
  g_autofree char *type = emit_type_text (e, &place->type);
  const char *space = e->target->spaces[place_type (place).space];
  if (place->kind == RSP_EXPR_REGISTER) {
    g_autofree char *name = emit_register_name (e, place->u.reg);
    return g_strdup_printf ("(%s = %s)", name, converted);
  }
  g_autofree char *text = emit_fill (
      e->target->operations[OPERATION_PLAIN_STORE],
      (const Filling[]){ { 'T', type }, { 'Q', space }, { 'P', address }, { 'V', converted } }, 4);
  return g_strdup_printf ("(%s)", text);
}

/* a = b, a op= b */
static char *emit_assign (Emitter *e, const RspExpr *expr) {
  const RspExpr *place = expr->u.node.a;
  g_autofree char *value = emit_expression (e, expr->u.node.b);
  if (expr->u.node.op == RSP_OP_NONE)
    return store_text (e, place, value);
  g_autofree char *old = emit_expression (e, place);
  g_autofree char *sum = binary_text (&place->type, expr->u.node.op, old, value);
  return store_text (e, place, sum);
}

/* After the step the old value is the new one stepped back. */
static char *emit_step (Emitter *e, const RspExpr *expr) {
  const RspExpr *place = expr->u.node.a;
  RspOperator op = expr->u.node.op, back = op == RSP_OP_ADD ? RSP_OP_SUB : RSP_OP_ADD;
  g_autofree char *old = emit_expression (e, place);
  g_autofree char *sum = binary_text (&place->type, op, old, "1");
  char *stored = store_text (e, place, sum);
  if (!expr->u.node.post)
    return stored;
  g_autofree char *next = stored;
  g_autofree char *before = binary_text (&place->type, back, next, "1");
  g_autofree char *converted = emit_convert (e, &place->type, before);
  return g_strdup_printf ("(%s)", converted);
}

/* ---- All kinds ---- */

static char *emit_conditional (Emitter *e, const RspExpr *expr) {
  g_autofree char *a = emit_expression (e, expr->u.node.a);
  g_autofree char *b = emit_expression (e, expr->u.node.b);
  g_autofree char *c = emit_expression (e, expr->u.node.c);
  return g_strdup_printf ("(%s ? %s : %s)", a, b, c);
}

static char *emit_cast (Emitter *e, const RspExpr *expr) {
  g_autofree char *a = emit_expression (e, expr->u.node.a);
  g_autofree char *text = emit_convert (e, &expr->type, a);
  return g_strdup_printf ("(%s)", text);
}

char *emit_expression (Emitter *e, const RspExpr *expr) {
  switch (expr->kind) {
  case RSP_EXPR_CONSTANT:
    return emit_initial (e, &expr->type, expr->u.constant);
  case RSP_EXPR_LOCATION:
    return emit_location_name (e, expr->u.object);
  case RSP_EXPR_REGISTER:
    return emit_register_name (e, expr->u.reg);
  case RSP_EXPR_UNARY:
    return emit_unary (e, expr);
  case RSP_EXPR_BINARY:
    return emit_binary (e, expr);
  case RSP_EXPR_ASSIGN:
    return emit_assign (e, expr);
  case RSP_EXPR_STEP:
    return emit_step (e, expr);
  case RSP_EXPR_CONDITIONAL:
    return emit_conditional (e, expr);
  case RSP_EXPR_CAST:
    return emit_cast (e, expr);
  case RSP_EXPR_ADDRESS:
    return emit_address (e, expr->u.node.a);
  case RSP_EXPR_CALL:
    return emit_call (e, expr);
  default:
    return emit_load (e, expr);
  }
}
