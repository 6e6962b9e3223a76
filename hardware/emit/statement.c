/* Statements. A loop is left after as many rounds as the model unrolls, and the instance is then
 * dropped. */
#include "hardware/emit/statement.h"
#include "hardware/emit/call.h"
#include "hardware/emit/expression.h"
#include "hardware/emit/text.h"

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

/* The loop's own block, up to the round's first line. */
static void begin_round (Emitter *e, guint loop) {
  emit_line (e, "{");
  e->indent++;
  emit_line (e, "if (n%u++ == %u)", loop, e->options->unroll);
  emit_end_early (e);
}

static void end_round (Emitter *e, const char *tail) {
  e->indent--;
  emit_line (e, "}%s", tail);
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
  begin_round (e, loop);
  emit_body (e, s->body);
  g_autofree char *tail = g_strdup_printf (" while (%s);", condition);
  end_round (e, s->kind == RSP_STATEMENT_DO ? tail : "");
}

static void emit_if (Emitter *e, const RspStatement *s) {
  g_autofree char *condition = emit_expression (e, s->expr);
  emit_line (e, "if (%s)", condition);
  emit_body (e, s->body);
  if (!s->otherwise)
    return;
  emit_line (e, "else");
  emit_body (e, s->otherwise);
}

static void emit_declaration (Emitter *e, const RspStatement *s) {
  if (!s->expr)
    return;
  g_autofree char *name = emit_register_name (e, s->reg);
  g_autofree char *value = emit_expression (e, s->expr);
  g_autofree char *converted = emit_convert (e, &e->thread->registers[s->reg].type, value);
  emit_line (e, "%s = %s;", name, converted);
}

static void emit_return (Emitter *e) {
  emit_line (e, "goto end;");
  e->ends_early = TRUE;
}

void emit_statement (Emitter *e, const RspStatement *s) {
  g_autofree char *text = NULL;
  switch (s->kind) {
  case RSP_STATEMENT_EXPRESSION:
    text = emit_expression (e, s->expr);
    emit_line (e, "%s;", text);
    return;
  case RSP_STATEMENT_DECLARATION:
    emit_declaration (e, s);
    return;
  case RSP_STATEMENT_BLOCK:
    for (const RspStatement *inner = s->first; inner; inner = inner->next)
      emit_statement (e, inner);
    return;
  case RSP_STATEMENT_IF:
    emit_if (e, s);
    return;
  case RSP_STATEMENT_WHILE:
  case RSP_STATEMENT_DO:
  case RSP_STATEMENT_FOR:
    emit_loop (e, s);
    return;
  case RSP_STATEMENT_BARRIER:
    text = emit_barrier (e, s);
    emit_line (e, "%s;", text);
    return;
  case RSP_STATEMENT_BREAK:
  case RSP_STATEMENT_CONTINUE:
    emit_line (e, s->kind == RSP_STATEMENT_BREAK ? "break;" : "continue;");
    return;
  case RSP_STATEMENT_RETURN:
    emit_return (e);
    return;
  default:
    return;
  }
}
