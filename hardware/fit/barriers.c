/* Barriers: the instances of a block also wait for each other, so every work-item of a work-group
 * must reach the same barriers, whatever it reads. Each thread's barriers are turned into text,
 * with the loops around them, and the texts of a work-group must be equal. */
#include "hardware/fit/barriers.h"
#include "hardware/fit/walk.h"
#include "parser/scopes.h"

#include <string.h>

static void find_barrier (gpointer data, const RspStatement *s) {
  gboolean *found = data;
  *found |= s->kind == RSP_STATEMENT_BARRIER;
}

static gboolean has_barrier (const RspStatement *s) {
  gboolean found = FALSE;
  Walk walk = { .statement = find_barrier, .data = &found };
  walk_statement (&walk, s);
  return found;
}

/* ---- Registers that depend on memory ---- */

typedef struct Taint {
  guint8 *registers; /* per register: can its value come from memory? */
  gboolean changed, found;
} Taint;

static void find_memory (gpointer data, const RspExpr *e) {
  Taint *taint = data;
  taint->found |= e->kind == RSP_EXPR_CALL || e->kind == RSP_EXPR_DEREF || e->kind == RSP_EXPR_INDEX
                  || e->kind == RSP_EXPR_ADDRESS
                  || (e->kind == RSP_EXPR_REGISTER && taint->registers[e->u.reg]);
}

static gboolean is_tainted (Taint *taint, const RspExpr *e) {
  Walk walk = { .expression = find_memory, .data = taint };
  taint->found = FALSE;
  walk_expression (&walk, e);
  return taint->found;
}

static void taint_register (Taint *taint, guint reg, const RspExpr *value) {
  if (taint->registers[reg] || !is_tainted (taint, value))
    return;
  taint->registers[reg] = TRUE;
  taint->changed = TRUE;
}

static void taint_expression (gpointer data, const RspExpr *e) {
  gboolean assigns = e->kind == RSP_EXPR_ASSIGN && e->u.node.a->kind == RSP_EXPR_REGISTER;
  if (assigns)
    taint_register (data, e->u.node.a->u.reg, e->u.node.b);
  if (e->kind == RSP_EXPR_ADDRESS && e->u.node.a->kind == RSP_EXPR_REGISTER)
    taint_register (data, e->u.node.a->u.reg, e);
}

static void taint_statement (gpointer data, const RspStatement *s) {
  if (s->kind == RSP_STATEMENT_DECLARATION && s->expr)
    taint_register (data, s->reg, s->expr);
}

/* Assignments in a branch are not treated as depending on its condition: barriers may not be in a
 * branch, and registers of loops around them are assigned only by the loop. */
static void taint_thread (Taint *taint, const RspThread *thread) {
  Walk walk = { .statement = taint_statement, .expression = taint_expression, .data = taint };
  do {
    taint->changed = FALSE;
    walk_statement (&walk, thread->body);
  } while (taint->changed);
}

/* ---- Texts ---- */

typedef struct Barriers {
  Fit *fit;
  Taint taint;
  GString *text;
} Barriers;

static void append_source (const RspExpr *e, GString *out) {
  if (e)
    g_string_append_len (out, e->span.source->text + e->span.begin, e->span.end - e->span.begin);
  g_string_append_c (out, ';');
}

static void write_barriers (Barriers *b, const RspStatement *s);

static void find_jump (gpointer data, const RspStatement *s) {
  gboolean *found = data;
  *found |= s->kind == RSP_STATEMENT_BREAK || s->kind == RSP_STATEMENT_CONTINUE
            || s->kind == RSP_STATEMENT_RETURN;
}

static void write_loop (Barriers *b, const RspStatement *s) {
  gboolean jumps = FALSE;
  Walk walk = { .statement = find_jump, .data = &jumps };
  walk_statement (&walk, s->body);
  if (jumps || !s->expr || is_tainted (&b->taint, s->expr) || is_tainted (&b->taint, s->step))
    fit_refuse (b->fit, &s->span,
                "a barrier in a loop whose rounds depend on memory, where the instances of a block "
                "would not meet");
  if (s->init && s->init->expr)
    append_source (s->init->expr, b->text);
  append_source (s->expr, b->text);
  append_source (s->step, b->text);
  g_string_append_c (b->text, '{');
  write_barriers (b, s->body);
  g_string_append_c (b->text, '}');
}

static void write_barriers (Barriers *b, const RspStatement *s) {
  if (!s || !has_barrier (s))
    return;
  switch (s->kind) {
  case RSP_STATEMENT_BARRIER:
    if (s->wide)
      fit_refuse (b->fit, &s->span, "a barrier of several work-groups");
    g_string_append_printf (b->text, "%s:%u,%d;", s->label ? s->label : "", s->flags, s->scope);
    return;
  case RSP_STATEMENT_BLOCK:
    for (const RspStatement *inner = s->first; inner; inner = inner->next)
      write_barriers (b, inner);
    return;
  case RSP_STATEMENT_IF:
    fit_refuse (b->fit, &s->span,
                "a barrier under a condition, where the instances of a block would not meet");
    return;
  default:
    write_loop (b, s);
  }
}

static char *barriers_of (Fit *fit, const RspThread *thread) {
  g_autofree guint8 *registers = g_new0 (guint8, thread->n_registers + 1);
  gboolean jumps = FALSE;
  Barriers b = { .fit = fit, .taint.registers = registers, .text = g_string_new (NULL) };
  Walk walk = { .statement = find_jump, .data = &jumps };
  walk_statement (&walk, thread->body);
  if (has_barrier (thread->body) && jumps)
    fit_refuse (fit, &thread->span, "a jump in a thread with barriers");
  taint_thread (&b.taint, thread);
  write_barriers (&b, thread->body);
  return g_string_free (b.text, FALSE);
}

/* OpenCL C requires all work-items of a work-group to reach the same barrier in the text, but each
 * thread of a test is a function of its own. */
static void fit_opencl (Fit *fit, const RspThread *a, const RspThread *b) {
  if (fit->options->target == RSP_TARGET_OPENCL && rsp_threads_share (a, b, RSP_LEVEL_WORK_GROUP)
      && (has_barrier (a->body) || has_barrier (b->body)))
    fit_refuse (fit, &b->span,
                "barriers of %s and %s, which OpenCL C requires to be one in the text", a->name,
                b->name);
}

void fit_barriers (Fit *fit) {
  const RspProgram *program = fit->program;
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < program->n_threads; i++) {
    const RspThread *b = &program->threads[i];
    g_ptr_array_add (texts, barriers_of (fit, b));
    for (guint k = 0; k < i; k++) {
      const RspThread *a = &program->threads[k];
      fit_opencl (fit, a, b);
      if (rsp_threads_share (a, b, RSP_LEVEL_WORK_GROUP)
          && !g_str_equal (texts->pdata[i], texts->pdata[k]))
        fit_refuse (fit, &b->span, "%s and %s are in one work-group and come to different barriers",
                    a->name, b->name);
    }
  }
}
