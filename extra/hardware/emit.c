/* Threads as code: expressions, accesses, calls, statements, for CUDA, C11 and OpenCL. */
#include "extra/hardware/internal.h"
#include "parser/program.h"

#include <string.h>

static char *emit_call (Emitter *e, const RspExpr *expr);
static void emit_statement (Emitter *e, const RspStatement *s);

/* ---- Text ----------------------------------------------------------------------------------- */

/* "int32_t", "global int32_t *" */
static char *emit_type_text (const Emitter *e, const RspType *type) {
  GString *text = g_string_new (NULL);
  guint bits = type->bits > 1 ? type->bits : 8;
  gboolean is_signed = type->is_signed && type->bits > 1;
  const char *space = type->pointers ? e->target->spaces[type->space] : "";
  g_string_append_printf (text, "%s%s", space, *space ? " " : "");
  if (type->bits == 0)
    g_string_append (text, "void");
  else
    g_string_append_printf (text, "%sint%u_t", is_signed ? "" : "u", bits);
  for (guint i = 0; i < type->pointers; i++)
    g_string_append (text, i ? "*" : " *");
  return g_string_free (text, FALSE);
}

char *emit_plain_name (const char *name) {
  char *plain = g_strdup (name);
  for (char *at = plain; *at; at++)
    if (!g_ascii_isalnum (*at))
      *at = '_';
  return plain;
}

/* Octal escapes have three digits, so a digit after them is not part of them; a `?` could begin a
 * trigraph. */
void emit_string (const char *text, GString *out) {
  g_string_append_c (out, '"');
  for (const char *at = text; *at; at++)
    if (g_ascii_isprint (*at) && !strchr ("\"\\?", *at))
      g_string_append_c (out, *at);
    else
      g_string_append_printf (out, "\\%03o", (guint) (guchar) *at);
  g_string_append_c (out, '"');
}

/* "x3_x", "r0_r0" */
static char *emit_location_name (const Emitter *e, guint object) {
  const char *name = e->program->locations[object].name;
  g_autofree char *base = g_strndup (name, strcspn (name, "["));
  g_autofree char *plain = emit_plain_name (base);
  return g_strdup_printf ("x%u_%s", object, plain);
}

char *emit_register_name (const Emitter *e, guint reg) {
  g_autofree char *plain = emit_plain_name (e->thread->registers[reg].name);
  return g_strdup_printf ("r%u_%s", reg, plain);
}

/* The address of an object, with the target's macros. */
char *emit_object (const Emitter *e, guint object) {
  const RspProgram *program = e->program;
  g_autofree char *type = emit_type_text (e, &program->locations[object].type);
  guint unit = layout_unit (program), before = layout_before (program, object);
  guint units = layout_units (program, object);
  if (layout_space (program, object) == RSP_SPACE_LOCAL)
    return g_strdup_printf ("LOCAL (%s, %u, %u, %u)", type, unit, before, units);
  return g_strdup_printf ("GLOBAL (%s, %u, %u, %u, %u)", type, unit, before, units, object);
}

/* A value of a location or register in the initial state. */
static char *emit_initial (const Emitter *e, const RspType *type, gint64 value) {
  gboolean is_address = rsp_is_address (value) && (type->pointers || e->program->language->tagged);
  if (!type->pointers && !is_address) {
    if (type->bits == 64)
      return g_strdup_printf ("(%sint64_t) UINT64_C (0x%" G_GINT64_MODIFIER "x)",
                              type->is_signed ? "" : "u", value);
    if (type->is_signed || type->bits < 32)
      return value < 0 ? g_strdup_printf ("(%" G_GINT64_FORMAT " - 1)", value + 1)
                       : g_strdup_printf ("%" G_GINT64_FORMAT, value);
    return g_strdup_printf ("%uu", (guint) value);
  }
  g_autofree char *text = emit_type_text (e, type);
  if (!is_address)
    return g_strdup_printf ("(%s) 0", text);
  g_autofree char *object = emit_object (e, rsp_address_object (value));
  return g_strdup_printf ("(%s) (%s + %d)", text, object, rsp_address_element (value));
}

/* `value` as a word of the result: an address is the number of its location. */
static char *emit_result (const Emitter *e, const RspType *type, const char *value) {
  if (type->pointers)
    return g_strdup_printf ("test%u_address (c, %s)", e->number, value);
  if (e->program->language->tagged)
    return g_strdup_printf ("test%u_value (c, %s)", e->number, value);
  return g_strdup_printf ("(int64_t) %s", value);
}

/* The text with its places ($T, …) filled in. */
static char *fill_text (const char *text, const Filling *fillings, guint n) {
  GString *out = g_string_new (NULL);
  for (const char *at = text; *at; at++) {
    const char *filled = NULL;
    for (guint i = 0; *at == '$' && i < n; i++)
      if (fillings[i].letter == at[1])
        filled = fillings[i].text;
    if (filled)
      g_string_append (out, filled);
    else
      g_string_append_c (out, *at);
    at += filled != NULL;
  }
  return g_string_free (out, FALSE);
}

void emit_line (Emitter *e, const char *format, ...) {
  va_list arguments;
  for (guint i = 0; i < e->indent; i++)
    g_string_append (e->out, "  ");
  va_start (arguments, format);
  g_string_append_vprintf (e->out, format, arguments);
  va_end (arguments);
  g_string_append_c (e->out, '\n');
}

void emit_end_early (Emitter *e) {
  emit_line (e, "  {");
  emit_line (e, "    TRUNCATED;");
  emit_line (e, "    goto end;");
  emit_line (e, "  }");
  e->ends_early = TRUE;
}

/* ---- Assembly ------------------------------------------------------------------------------- */

const Assembly *rsp_assembly_find (RspTarget target, RspLanguageId language) {
  static const Assembly *const found[RSP_N_TARGETS][RSP_N_LANGUAGES]
      = { [RSP_TARGET_CUDA] = { [RSP_LANGUAGE_PTX] = &ptx_assembly } };
  return found[target][language];
}

/* ---- Memory --------------------------------------------------------------------------------- */

/* An instance's memory: its initial contents, and what is read from it at the end. */

static char *cell_text (const Emitter *e, guint location) {
  guint object = e->program->locations[location].object;
  g_autofree char *address = emit_object (e, object);
  return g_strdup_printf ("%s[%u]", address, location - object);
}

static void emit_initial_cells (Emitter *e, RspSpace space, guint group) {
  for (guint i = 0; i < e->program->n_locations; i++) {
    const RspLocation *location = &e->program->locations[i];
    if (layout_space (e->program, location->object) != space
        || (space == RSP_SPACE_LOCAL && fit_owner (e->program, location->object) != group))
      continue;
    g_autofree char *cell = cell_text (e, i);
    g_autofree char *value = emit_initial (e, &location->type, location->initial);
    if (location->initial && location->type.is_mbarrier)
      emit_line (e, "mbarrier_init (&%s, %u);", cell,
                 (guint) (location->initial >> RSP_MBARRIER_EXPECTED_SHIFT)
                     & RSP_MBARRIER_MOST_ARRIVALS);
    else
      emit_line (e, "%s = %s;", cell, value);
  }
}

static gboolean has_local_memory (const Emitter *e) {
  return layout_total (e->program, RSP_SPACE_LOCAL) > 0;
}

static void begin_group (Emitter *e, guint group) {
  emit_line (e, "  if (group == %u)", group);
  emit_line (e, "    {");
  e->indent = 3;
}

static void end_group (Emitter *e) {
  e->indent = 0;
  emit_line (e, "    }");
}

static char *memory_value_text (const Emitter *e, guint location) {
  g_autofree char *cell = cell_text (e, location);
  return emit_result (e, &e->program->locations[location].type, cell);
}

static gboolean observes_pointers (const RspProgram *program) {
  for (guint i = 0; i < program->n_observables; i++)
    if (rsp_observable_type (program, &program->observables[i])->pointers)
      return TRUE;
  return FALSE;
}

/* address (c, p): the number of the location at p, from 1; 0 for NULL, -1 for none. */
static void emit_numbering (Emitter *e) {
  const char *space = e->target->spaces[RSP_SPACE_GLOBAL];
  if (!observes_pointers (e->program))
    return;
  emit_line (e, "CODE int64_t\ntest%u_address (CONTEXT c, const %s void *p)\n{", e->number, space);
  for (guint i = 0; i < e->program->n_locations; i++) {
    if (layout_space (e->program, e->program->locations[i].object) == RSP_SPACE_LOCAL)
      continue;
    g_autofree char *cell = cell_text (e, i);
    emit_line (e, "  if (p == (const %s void *) &%s)\n    return %u;", space, cell, i + 1);
  }
  emit_line (e, "  return p ? -1 : 0;\n}\n");
}

/* value (c, v): v, but if it is the address of a location of the instance, the model's value for
 * it. For languages in which any value may be an address. */
static void emit_recognition (Emitter *e) {
  if (!e->program->language->tagged)
    return;
  emit_line (e, "CODE int64_t\ntest%u_value (CONTEXT c, int64_t v)\n{", e->number);
  for (guint i = 0; i < e->program->n_locations; i++) {
    g_autofree char *cell = cell_text (e, i);
    emit_line (e, "  if (v == (int64_t) &%s)\n    return INT64_C (0x%" G_GINT64_MODIFIER "x);",
               cell, rsp_address (i, 0));
  }
  emit_line (e, "  return v;\n}\n");
}

void emit_memory (Emitter *e) {
  emit_numbering (e);
  emit_recognition (e);
  /* begin (group, c): initialises the group's local memory. */
  emit_line (e, "CODE void\ntest%u_begin (unsigned group, CONTEXT c)\n{", e->number);
  for (guint g = 0; has_local_memory (e) && g < layout_n_groups (e->program); g++) {
    begin_group (e, g);
    emit_initial_cells (e, RSP_SPACE_LOCAL, g);
    if (e->program->language->tagged)
      emit_line (e, "async_fence ();");
    end_group (e);
  }
  emit_line (e, "}\n");
  /* finish (group, c): reports the observables in local memory. */
  const RspProgram *program = e->program;
  emit_line (e, "CODE void\ntest%u_finish (unsigned group, CONTEXT c)\n{", e->number);
  for (guint g = 0; has_local_memory (e) && g < layout_n_groups (program); g++) {
    begin_group (e, g);
    if (program->language->tagged)
      emit_line (e, "async_fence ();");
    for (guint i = 0; i < program->n_observables; i++) {
      const RspObservable *o = &program->observables[i];
      if (o->is_register || layout_result (program, i) == G_MAXUINT
          || fit_owner (program, program->locations[o->location].object) != g)
        continue;
      g_autofree char *value = memory_value_text (e, o->location);
      emit_line (e, "RESULT (%u) = %s;", layout_result (program, i), value);
    }
    end_group (e);
  }
  emit_line (e, "}\n");
  /* state (c, state): collects all observables. */
  emit_line (e, "CODE void\ntest%u_state (CONTEXT c, STATE state)\n{", e->number);
  e->indent = 1;
  for (guint i = 0; i < program->n_observables; i++) {
    guint result = layout_result (program, i);
    g_autofree char *value = result == G_MAXUINT
                                 ? memory_value_text (e, program->observables[i].location)
                                 : g_strdup_printf ("RESULT (%u)", result);
    emit_line (e, "state[%u] = %s;", i, value);
  }
  e->indent = 0;
  emit_line (e, "}\n");
  emit_line (e, "CODE void\ntest%u_reset (CONTEXT c)\n{", e->number);
  e->indent = 1;
  emit_initial_cells (e, RSP_SPACE_GLOBAL, 0);
  e->indent = 0;
  emit_line (e, "}\n");
}

/* ---- Expression ----------------------------------------------------------------------------- */

/* Expressions. The model follows C's rules for integers, except that signed overflow wraps: such
 * operations are computed unsigned. */

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

/* text converted to the type, as an assignment does. */
static char *emit_convert (const Emitter *e, const RspType *type, const char *text) {
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

/* ---- Places ---- */
static char *emit_address (Emitter *e, const RspExpr *expr) {
  if (expr->kind == RSP_EXPR_REGISTER) {
    g_autofree char *name = emit_register_name (e, expr->u.reg);
    return g_strdup_printf ("(&%s)", name);
  }
  if (expr->kind == RSP_EXPR_INDEX) {
    g_autofree char *base = emit_expression (e, expr->u.node.a);
    g_autofree char *at = emit_expression (e, expr->u.node.b);
    guint n = expr->u.node.a->kind == RSP_EXPR_LOCATION
                  ? e->program->locations[expr->u.node.a->u.object].n_elements
                  : 1;
    return g_strdup_printf ("(%s + in_bounds (c, %s, %u))", base, at, n);
  }
  return emit_expression (e, expr->u.node.a);
}

/* A plain load of a value of the type. */
static char *emit_plain_load (const Emitter *e, const RspType *type, const char *address) {
  g_autofree char *name = emit_type_text (e, type);
  return fill_text (
      e->target->operations[OPERATION_PLAIN_LOAD],
      (const Filling[]){ { 'T', name }, { 'Q', e->target->spaces[type->space] }, { 'P', address } },
      3);
}

/* The type of a place's contents, with the address space of the pointer to it. */
static RspType place_type (const RspExpr *place) {
  RspType type = place->type;
  if (place->kind == RSP_EXPR_DEREF || place->kind == RSP_EXPR_INDEX)
    type.space = place->u.node.a->type.space;
  return type;
}

/* A store of `value` in the place, as an expression whose value is the stored one. */
static char *store_text (Emitter *e, const RspExpr *place, const char *value) {
  g_autofree char *converted = emit_convert (e, &place->type, value);
  g_autofree char *address = emit_address (e, place);
  g_autofree char *type = emit_type_text (e, &place->type);
  const char *space = e->target->spaces[place_type (place).space];
  if (place->kind == RSP_EXPR_REGISTER) {
    g_autofree char *name = emit_register_name (e, place->u.reg);
    return g_strdup_printf ("(%s = %s)", name, converted);
  }
  g_autofree char *text = fill_text (
      e->target->operations[OPERATION_PLAIN_STORE],
      (const Filling[]){ { 'T', type }, { 'Q', space }, { 'P', address }, { 'V', converted } }, 4);
  return g_strdup_printf ("(%s)", text);
}

/* The value of `x++` is the new value stepped back. */
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
char *emit_expression (Emitter *e, const RspExpr *expr) {
  switch (expr->kind) {
  case RSP_EXPR_CONSTANT:
    return emit_initial (e, &expr->type, expr->u.constant);
  case RSP_EXPR_LOCATION:
    return emit_location_name (e, expr->u.object);
  case RSP_EXPR_REGISTER:
    return emit_register_name (e, expr->u.reg);
  case RSP_EXPR_UNARY: {
    g_autofree char *a = emit_expression (e, expr->u.node.a);
    if (expr->u.node.op == RSP_OP_NEGATE && expr->type.is_signed) {
      g_autofree char *text = binary_text (&expr->type, RSP_OP_SUB, "0", a);
      return g_strdup_printf ("(%s)", text);
    }
    return g_strdup_printf ("(%s%s)", operator_text (expr->u.node.op), a);
  }
  case RSP_EXPR_BINARY: {
    g_autofree char *a = emit_expression (e, expr->u.node.a);
    g_autofree char *b = emit_expression (e, expr->u.node.b);
    g_autofree char *text = binary_text (&expr->type, expr->u.node.op, a, b);
    return g_strdup_printf ("(%s)", text);
  }
  case RSP_EXPR_ASSIGN: {
    /* a = b, a op= b */
    const RspExpr *place = expr->u.node.a;
    g_autofree char *value = emit_expression (e, expr->u.node.b);
    if (expr->u.node.op == RSP_OP_NONE)
      return store_text (e, place, value);
    g_autofree char *old = emit_expression (e, place);
    g_autofree char *sum = binary_text (&place->type, expr->u.node.op, old, value);
    return store_text (e, place, sum);
  }
  case RSP_EXPR_STEP:
    return emit_step (e, expr);
  case RSP_EXPR_CONDITIONAL: {
    g_autofree char *a = emit_expression (e, expr->u.node.a);
    g_autofree char *b = emit_expression (e, expr->u.node.b);
    g_autofree char *c = emit_expression (e, expr->u.node.c);
    return g_strdup_printf ("(%s ? %s : %s)", a, b, c);
  }
  case RSP_EXPR_CAST: {
    g_autofree char *a = emit_expression (e, expr->u.node.a);
    g_autofree char *text = emit_convert (e, &expr->type, a);
    return g_strdup_printf ("(%s)", text);
  }
  case RSP_EXPR_ADDRESS:
    return emit_address (e, expr->u.node.a);
  case RSP_EXPR_CALL:
    return emit_call (e, expr);
  default: {
    RspType type = place_type (expr);
    g_autofree char *address = emit_address (e, expr);
    g_autofree char *text = emit_plain_load (e, &type, address);
    return g_strdup_printf ("(%s)", text);
  }
  }
}

/* ---- Call ----------------------------------------------------------------------------------- */

/* Atomic operations, fences and barriers: texts of the target's table, filled in. */

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
  case RSP_CALL_REDUCE: /* no target has it; an operation that returns the old value is as strong */
    return target_fetch (call->op);
  case RSP_CALL_UNLESS:
  case RSP_CALL_FETCH_UNLESS:
  case RSP_CALL_SWAP:
  case RSP_CALL_COPY:
  case RSP_CALL_WAIT:
  case RSP_CALL_PHASE:
  case RSP_CALL_TEST:
    break; /* refused, or not in languages that are emitted call by call */
  }
  g_assert_not_reached ();
}

/* The type that a pointer points to. */
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

/* The value for the object, converted to its type. */
static char *call_value_text (Emitter *e, const RspCall *call, const RspType *type) {
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

static char *emit_call (Emitter *e, const RspExpr *expr) {
  const RspCall *call = expr->u.call;
  if (call->kind == RSP_CALL_FENCE) {
    g_autofree char *flags = flags_text (call->flags);
    return fill_text (e->target->operations[OPERATION_FENCE],
                      (const Filling[]){ { 'O', order_text (e, OPERATION_FENCE, call->order) },
                                         { 'S', e->target->scopes[call->scope] },
                                         { 'V', flags } },
                      3);
  }
  Operation operation = operation_of (call);
  RspType type = pointee (call->object);
  g_autofree char *name = emit_type_text (e, &type);
  g_autofree char *object = emit_expression (e, call->object);
  g_autofree char *value = call_value_text (e, call, &type);
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
  g_autofree char *text
      = fill_text (e->target->operations[operation], fillings, G_N_ELEMENTS (fillings));
  return call->kind == RSP_CALL_FLAG_TEST_AND_SET ? g_strdup_printf ("(%s != 0)", text)
                                                  : g_steal_pointer (&text);
}

/* ---- Statement ------------------------------------------------------------------------------ */

/* Statements. A loop ends after as many rounds as the model unrolls, and the instance is dropped.
 */

static void emit_body (Emitter *e, const RspStatement *body) {
  emit_line (e, "{");
  e->indent++;
  if (body && body->kind == RSP_STATEMENT_BLOCK)
    for (const RspStatement *s = body->first; s; s = s->next)
      emit_statement (e, s);
  else if (body)
    emit_statement (e, body);
  e->indent--;
  emit_line (e, "}");
}

static void emit_loop (Emitter *e, const RspStatement *s) {
  guint loop = e->n_loops++;
  if (s->kind == RSP_STATEMENT_FOR && s->init)
    emit_statement (e, s->init);
  g_autofree char *condition = s->expr ? emit_expression (e, s->expr) : g_strdup ("1");
  g_autofree char *step
      = s->kind == RSP_STATEMENT_FOR && s->step ? emit_expression (e, s->step) : g_strdup ("");
  emit_line (e, "n%u = 0;", loop);
  if (s->kind == RSP_STATEMENT_DO)
    emit_line (e, "do");
  else
    emit_line (e, "for (; %s; %s)", condition, step);
  emit_line (e, "{");
  e->indent++;
  emit_line (e, "if (n%u++ == %u)", loop, e->options->unroll);
  emit_end_early (e);
  emit_body (e, s->body);
  e->indent--;
  if (s->kind == RSP_STATEMENT_DO)
    emit_line (e, "} while (%s);", condition);
  else
    emit_line (e, "}");
}

static void emit_statement (Emitter *e, const RspStatement *s) {
  g_autofree char *text = NULL;
  switch (s->kind) {
  case RSP_STATEMENT_EXPRESSION:
    text = emit_expression (e, s->expr);
    emit_line (e, "%s;", text);
    return;
  case RSP_STATEMENT_DECLARATION: {
    g_autofree char *name = emit_register_name (e, s->reg);
    g_autofree char *value = s->expr ? emit_expression (e, s->expr) : NULL;
    text = value ? emit_convert (e, &e->thread->registers[s->reg].type, value) : NULL;
    if (text)
      emit_line (e, "%s = %s;", name, text);
    return;
  }
  case RSP_STATEMENT_BLOCK:
    for (const RspStatement *inner = s->first; inner; inner = inner->next)
      emit_statement (e, inner);
    return;
  case RSP_STATEMENT_IF:
    text = emit_expression (e, s->expr);
    emit_line (e, "if (%s)", text);
    emit_body (e, s->body);
    if (s->otherwise) {
      emit_line (e, "else");
      emit_body (e, s->otherwise);
    }
    return;
  case RSP_STATEMENT_WHILE:
  case RSP_STATEMENT_DO:
  case RSP_STATEMENT_FOR:
    emit_loop (e, s);
    return;
  case RSP_STATEMENT_BARRIER: {
    g_autofree char *flags = flags_text (s->flags);
    text = fill_text (e->target->operations[OPERATION_BARRIER],
                      (const Filling[]){ { 'S', e->target->scopes[s->scope] }, { 'V', flags } }, 2);
    emit_line (e, "%s;", text);
    return;
  }
  case RSP_STATEMENT_BREAK:
  case RSP_STATEMENT_CONTINUE:
    emit_line (e, s->kind == RSP_STATEMENT_BREAK ? "break;" : "continue;");
    return;
  case RSP_STATEMENT_RETURN:
    emit_line (e, "goto end;");
    e->ends_early = TRUE;
    return;
  default:
    return;
  }
}

/* ---- Thread --------------------------------------------------------------------------------- */

/* Threads as functions, and the function that finds the one to run. */

gboolean emit_is_remote (const Emitter *e, guint object) {
  guint owner = layout_space (e->program, object) == RSP_SPACE_LOCAL
                    ? fit_owner (e->program, object)
                    : G_MAXUINT;
  return e->program->language->tagged && owner != G_MAXUINT
         && owner != layout_group (e->program, e->thread);
}

guint emit_rank (const Emitter *e, guint object) {
  return layout_slot (e->program, fit_owner (e->program, object)) % layout_cluster (e->program);
}

static void emit_address_of (Emitter *e, guint object) {
  RspType pointer = e->program->locations[object].type;
  pointer.pointers++;
  g_autofree char *type = emit_type_text (e, &pointer);
  g_autofree char *name = emit_location_name (e, object);
  g_autofree char *address = emit_object (e, object);
  if (emit_is_remote (e, object))
    emit_line (e, "%sconst %s = REMOTE (%s, %u);", type, name, address, emit_rank (e, object));
  else
    emit_line (e, "%sconst %s = %s;", type, name, address);
}

/* The body is written first, because the lines before it depend on it. */
static void emit_thread (Emitter *e, guint thread) {
  GString *out = e->out;
  g_autoptr (GString) body = g_string_new (NULL);
  e->thread = &e->program->threads[thread];
  e->n_loops = 0;
  e->ends_early = FALSE;
  e->out = body;
  e->indent = 1;
  const Assembly *assembly = rsp_assembly_find (e->options->target, e->program->language->id);
  if (assembly)
    assembly->body (e);
  else
    emit_statement (e, e->thread->body);
  e->out = out;
  e->indent = 0;
  emit_line (e, "ROLE void\ntest%u_P%u (CONTEXT c)\n{", e->number, e->thread->number);
  e->indent = 1;
  /* The addresses of the thread's parameters or, in languages without parameters, of all objects.
   */
  for (guint i = 0; i < e->thread->n_parameters; i++)
    if (e->thread->parameters[i].object != G_MAXUINT)
      emit_address_of (e, e->thread->parameters[i].object);
  for (guint i = 0; e->program->language->tagged && i < e->program->n_locations; i++)
    emit_address_of (e, i);
  for (guint i = 0; i < e->thread->n_registers; i++) {
    const RspRegister *reg = &e->thread->registers[i];
    g_autofree char *type = emit_type_text (e, &reg->type);
    g_autofree char *name = emit_register_name (e, i);
    g_autofree char *initial = emit_initial (e, &reg->type, reg->initial);
    emit_line (e, "%s%s%s = %s;", type, reg->type.pointers ? "" : " ", name, initial);
  }
  for (guint k = 0; k < e->n_loops; k++)
    emit_line (e, "unsigned n%u;", k);
  g_string_append_printf (out, "%s%s", body->str, e->ends_early ? "end:;\n" : "");
  if (assembly)
    assembly->end (e);
  for (guint i = 0; i < e->program->n_observables; i++) {
    const RspObservable *o = &e->program->observables[i];
    if (!o->is_register || o->thread != thread)
      continue;
    g_autofree char *name = emit_register_name (e, o->reg);
    g_autofree char *value = emit_result (e, &e->thread->registers[o->reg].type, name);
    emit_line (e, "RESULT (%u) = %s;", layout_result (e->program, i), value);
  }
  e->indent = 0;
  emit_line (e, "}\n");
}

void emit_threads (Emitter *e) {
  for (guint i = 0; i < e->program->n_threads; i++)
    emit_thread (e, i);
  emit_line (e, "CODE void\ntest%u_thread (unsigned group, unsigned member, CONTEXT c)\n{",
             e->number);
  for (guint i = 0; i < e->program->n_threads; i++) {
    const RspThread *thread = &e->program->threads[i];
    emit_line (e, "  %sif (group == %u && member == %u)", i ? "else " : "",
               layout_group (e->program, thread), layout_member (e->program, thread));
    emit_line (e, "    test%u_P%u (c);", e->number, thread->number);
  }
  emit_line (e, "}\n");
}
