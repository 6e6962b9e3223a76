/* The question on the host: observables, proposition, filter. */
#include "hardware/emit/question.h"
#include "hardware/emit/text.h"
#include "hardware/named_barriers.h"
#include "parser/format.h"
#include "parser/hash.h"

/* An address as in states: the location's number, or what the model has for it. */
static gint64 constant_of (const RspProgram *program, gint64 value) {
  if (!rsp_is_address (value) || program->language->tagged)
    return value;
  guint object = rsp_address_object (value);
  gint64 location = (gint64) object + rsp_address_element (value);
  return object < program->n_locations && location >= 0 ? location + 1 : -1;
}

/* One side of an atom. */
static char *operand_text (const Emitter *e, const RspOperand *operand, const RspOperand *other) {
  const RspProgram *program = e->program;
  if (operand->is_observable)
    return g_strdup_printf ("state[%u]", operand->observable);
  gboolean pointer
      = other->is_observable
        && rsp_observable_type (program, &program->observables[other->observable])->pointers;
  return g_strdup_printf ("(int64_t) UINT64_C (0x%" G_GINT64_MODIFIER "x)",
                          pointer ? constant_of (program, operand->constant) : operand->constant);
}

static void emit_prop (const Emitter *e, const RspProp *prop) {
  static const char *const joints[] = { [RSP_PROP_AND] = " && ", [RSP_PROP_OR] = " || " };
  g_string_append_c (e->out, '(');
  switch (prop->kind) {
  case RSP_PROP_TRUE:
  case RSP_PROP_FALSE:
    g_string_append (e->out, prop->kind == RSP_PROP_TRUE ? "1" : "0");
    break;
  case RSP_PROP_ATOM: {
    g_autofree char *left = operand_text (e, &prop->left, &prop->right);
    g_autofree char *right = operand_text (e, &prop->right, &prop->left);
    g_string_append_printf (e->out, "%s %s %s", left,
                            prop->op == RSP_OP_NE   ? "!="
                            : prop->op == RSP_OP_LT ? "<"
                                                    : "==",
                            right);
    break;
  }
  case RSP_PROP_NOT:
    g_string_append_c (e->out, '!');
    emit_prop (e, prop->a);
    break;
  case RSP_PROP_IMPLIES:
    g_string_append_c (e->out, '!');
    emit_prop (e, prop->a);
    g_string_append (e->out, " || ");
    emit_prop (e, prop->b);
    break;
  default:
    emit_prop (e, prop->a);
    g_string_append (e->out, joints[prop->kind]);
    emit_prop (e, prop->b);
  }
  g_string_append_c (e->out, ')');
}

static void emit_predicate (Emitter *e, const char *name, const RspProp *prop) {
  emit_line (e, "static int\ntest%u_%s (const int64_t *state)\n{", e->number, name);
  g_string_append (e->out, "  (void) state;\n  return ");
  if (prop)
    emit_prop (e, prop);
  else
    g_string_append_c (e->out, '1');
  emit_line (e, ";\n}\n");
}

static const char *kind_text (const RspProgram *program, const RspObservable *observable) {
  const RspType *type = rsp_observable_type (program, observable);
  if (program->language->tagged)
    return "VALUE_EITHER";
  if (type->pointers)
    return "VALUE_ADDRESS";
  return type->is_signed || type->bits < 64 ? "VALUE_SIGNED" : "VALUE_UNSIGNED";
}

static void emit_observables (Emitter *e) {
  const RspProgram *program = e->program;
  emit_line (e, "static const observable test%u_observables[] = {", e->number);
  for (guint i = 0; i < program->n_observables; i++) {
    const RspObservable *o = &program->observables[i];
    g_string_append (e->out, "  { ");
    emit_string (o->name, e->out);
    emit_line (e, ", %s, %d },", kind_text (program, o),
               !(program->filter_only && program->filter_only[i]));
  }
  emit_line (e, "  { \"\", VALUE_SIGNED, 0 }\n};\n");
}

static void emit_element (Emitter *e, const char *text) {
  g_string_append (e->out, "  ");
  emit_string (text, e->out);
  g_string_append (e->out, ",\n");
}

static void emit_locations (Emitter *e) {
  emit_line (e, "static const char *const test%u_locations[] = {", e->number);
  for (guint i = 0; i < e->program->n_locations; i++)
    emit_element (e, e->program->locations[i].name);
  emit_line (e, "  \"\"\n};\n");
}

void emit_question (Emitter *e) {
  emit_predicate (e, "satisfies", e->program->condition);
  emit_predicate (e, "keeps", e->program->filter);
  emit_observables (e);
  emit_locations (e);
}

/* ---- The test ---- */

static void emit_numbers (Emitter *e, guint (*number) (const RspProgram *, guint)) {
  g_string_append (e->out, "  { ");
  for (guint g = 0; g < layout_n_groups (e->program); g++)
    g_string_append_printf (e->out, "%s%u", g ? ", " : "", number (e->program, g));
  g_string_append (e->out, " },\n");
}

static guint count_members (const RspProgram *program, guint group) {
  guint n = 0;
  for (guint i = 0; i < program->n_threads; i++)
    n += layout_group (program, &program->threads[i]) == group;
  return n;
}

/* Threads that meet at some barriers of their work-group only: a warp comes to a barrier as a whole
 * (PTX ISA, "barrier"). */
static gboolean needs_warps (const RspProgram *program) {
  for (guint i = 0; i < program->n_threads; i++)
    if (program->language->tagged && has_named_barriers (&program->threads[i]))
      return TRUE;
  return FALSE;
}

/* The quantifier and the proposition are apart in the log: its question begins with the first. */
void emit_table (Emitter *e, const char *note) {
  static const char *const questions[] = { [RSP_EXISTS] = "QUESTION_EXISTS",
                                           [RSP_NOT_EXISTS] = "QUESTION_NOT_EXISTS",
                                           [RSP_FORALL] = "QUESTION_FORALL" };
  const RspProgram *program = e->program;
  g_autofree char *condition = rsp_program_format_condition (program);
  g_autofree char *hash = rsp_program_hash (program);
  g_autofree char *scope_hash = rsp_program_scope_hash (program);
  const char *const texts[] = { program->name, condition, hash, scope_hash, note };
  guint n = e->number;
  emit_line (e, "TEST_CODE (test%u, %u);\n", n, program->n_observables);
  emit_line (e, "LINKAGE const test test%u = {", n);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    emit_element (e, texts[i]);
  emit_line (e, "  %s, %u, test%u_observables,", questions[program->quantifier],
             program->n_observables, n);
  emit_line (e, "  test%u_locations, %u, test%u_satisfies, test%u_keeps,", n, program->n_locations,
             n, n);
  emit_line (e, "  %u, %u, %u, %u,", layout_unit (program),
             layout_total (program, RSP_SPACE_GLOBAL), layout_total (program, RSP_SPACE_LOCAL),
             layout_n_results (program));
  emit_line (e, "  %u, %u, %u,", layout_n_groups (program), layout_n_devices (program),
             program->n_threads);
  emit_numbers (e, count_members);
  emit_numbers (e, layout_device);
  emit_line (e, "  %d, &test%u_code\n};", needs_warps (program), n);
}
