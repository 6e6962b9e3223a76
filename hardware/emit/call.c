/* Atomic operations, fences and barriers: the target's table, filled in. */
#include "hardware/emit/call.h"
#include "hardware/emit/expression.h"
#include "hardware/emit/text.h"

static Operation operation_of (const RspCall *call) {
  switch (call->kind) {
  case RSP_CALL_LOAD:
    return OPERATION_LOAD;
  case RSP_CALL_STORE:
  case RSP_CALL_FLAG_CLEAR:
    return OPERATION_STORE;
  case RSP_CALL_FLAG_TEST_AND_SET:
    return OPERATION_EXCHANGE;
  case RSP_CALL_CAS:
    return call->weak ? OPERATION_CAS_WEAK : OPERATION_CAS_STRONG;
  case RSP_CALL_FENCE:
    return OPERATION_FENCE;
  case RSP_CALL_INIT:
    return OPERATION_PLAIN_STORE;
  case RSP_CALL_FETCH:
  case RSP_CALL_REDUCE: /* no target has it: what returns the old value is no weaker */
    return target_fetch (call->op);
  case RSP_CALL_SWAP:
    break; /* not in languages that are emitted call by call */
  }
  g_assert_not_reached ();
}

/* The type of what a pointer points to. */
static RspType pointee (const RspExpr *pointer) {
  RspType type = pointer->type;
  type.pointers -= type.pointers > 0;
  return type;
}

static const char *order_text (const Emitter *e, Operation operation, RspOrder order) {
  return e->target->orders[target_order (operation, order)];
}

/* CLK_GLOBAL_MEM_FENCE | … */
static char *flags_text (guint flags) {
  static const char *const names[]
      = { "CLK_GLOBAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE", "CLK_IMAGE_MEM_FENCE" };
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (flags & 1u << i)
      g_string_append_printf (text, "%s%s", text->len ? " | " : "", names[i]);
  return g_string_free (g_string_append (text, text->len ? "" : "0"), FALSE);
}

static char *emit_fence (const Emitter *e, const RspCall *call) {
  g_autofree char *flags = flags_text (call->flags);
  return emit_fill (e->target->operations[OPERATION_FENCE],
                    (const Filling[]){ { 'O', order_text (e, OPERATION_FENCE, call->order) },
                                       { 'S', e->target->scopes[call->scope] },
                                       { 'V', flags } },
                    3);
}

char *emit_barrier (const Emitter *e, const RspStatement *statement) {
  g_autofree char *flags = flags_text (statement->flags);
  return emit_fill (
      e->target->operations[OPERATION_BARRIER],
      (const Filling[]){ { 'S', e->target->scopes[statement->scope] }, { 'V', flags } }, 2);
}

/* The value that goes to the object, without a conversion. */
static char *value_text (Emitter *e, const RspCall *call, const RspType *type) {
  if (call->kind == RSP_CALL_FLAG_TEST_AND_SET || call->kind == RSP_CALL_FLAG_CLEAR)
    return g_strdup (call->kind == RSP_CALL_FLAG_CLEAR ? "0" : "1");
  g_autofree char *value = call->value ? emit_expression (e, call->value) : NULL;
  return value ? emit_convert (e, type, value) : g_strdup ("");
}

/* *expected: a register's value, or a plain load. */
static char *expected_text (Emitter *e, const RspExpr *expected, const char *address) {
  RspType type = pointee (expected);
  if (expected->kind == RSP_EXPR_ADDRESS && expected->u.node.a->kind == RSP_EXPR_REGISTER)
    return emit_expression (e, expected->u.node.a);
  return emit_plain_load (e, &type, address);
}

static char *emit_operation (Emitter *e, const RspCall *call) {
  Operation operation = operation_of (call);
  RspType type = pointee (call->object);
  g_autofree char *name = emit_type_text (e, &type);
  g_autofree char *object = emit_expression (e, call->object);
  g_autofree char *value = value_text (e, call, &type);
  g_autofree char *found = call->expected ? emit_expression (e, call->expected) : NULL;
  g_autofree char *expected = call->expected ? expected_text (e, call->expected, found) : NULL;
  const char *writeback
      = e->options->cas_writeback[e->program->language->id] ? found : e->target->nowhere;
  const Filling fillings[] = { { 'T', name },
                               { 'Q', e->target->spaces[type.space] },
                               { 'P', object },
                               { 'V', value },
                               { 'E', expected },
                               { 'O', order_text (e, operation, call->order) },
                               { 'F', order_text (e, OPERATION_LOAD, call->failure) },
                               { 'S', e->target->scopes[call->scope] },
                               { 'X', writeback } };
  return emit_fill (e->target->operations[operation], fillings, G_N_ELEMENTS (fillings));
}

char *emit_call (Emitter *e, const RspExpr *expr) {
  const RspCall *call = expr->u.call;
  g_autofree char *text
      = call->kind == RSP_CALL_FENCE ? emit_fence (e, call) : emit_operation (e, call);
  return call->kind == RSP_CALL_FLAG_TEST_AND_SET ? g_strdup_printf ("(%s != 0)", text)
                                                  : g_strdup_printf ("%s", text);
}
