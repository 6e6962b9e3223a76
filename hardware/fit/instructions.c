/* Tests of languages with tags: one address per location, instructions that the device has, and
 * barriers at which the instances of a block meet. */
#include "hardware/fit/instructions.h"
#include "hardware/emit/assembly.h"
#include "hardware/fit/walk.h"
#include "hardware/named_barriers.h"
#include "parser/scopes.h"

/* ---- Memory ---- */

static void fit_aliases (Fit *fit) {
  const RspProgram *program = fit->program;
  for (guint i = 0; i < program->n_locations; i++)
    if (program->locations[i].physical != i)
      fit_refuse (
          fit, &program->locations[i].span,
          "`%s` is another address of `%s`, and a test's memory on a device has one address",
          program->locations[i].name, program->locations[program->locations[i].physical].name);
}

/* ---- Barriers ---- */

static void fit_barrier (Fit *fit, const RspThread *thread, const RspStatement *s) {
  const RspBarrier *barrier = s->barrier;
  if ((barrier->name && barrier->name->kind != RSP_EXPR_CONSTANT)
      || (barrier->quorum && barrier->quorum->kind != RSP_EXPR_CONSTANT)) {
    fit_refuse (fit, &s->span, "a barrier whose name or quorum is in a register");
    return;
  }
  guint n = named_barrier_arrivals (fit->program, thread, s);
  gint64 quorum = barrier->quorum ? barrier->quorum->u.constant : 0;
  if (quorum && quorum != n)
    fit_refuse (
        fit, &s->span,
        "a barrier that %u threads of the work-group come to, but whose quorum is %" G_GINT64_FORMAT
        ": the instances of a block would not meet",
        n, quorum);
  if (named_barrier_number (fit->program, thread, s) > MAX_NAMED_BARRIERS)
    fit_refuse (fit, &s->span, "more than %d barriers", MAX_NAMED_BARRIERS);
}

/* The first statement from s on at which a thread waits, or NULL. */
static const RspStatement *next_wait (const RspStatement *s) {
  while (s && (s->kind != RSP_STATEMENT_BARRIER || s->barrier->arrives))
    s = s->next;
  return s;
}

/* Has thread b, which has come as far as `reached` (NULL: to its end), arrived where a waits? A
 * thread that does not come there is not waited for. */
static gboolean has_arrived (const RspProgram *program, const RspThread *a,
                             const RspStatement *wait, const RspThread *b,
                             const RspStatement *reached) {
  guint number = named_barrier_number (program, a, wait);
  gboolean passed = TRUE;
  for (const RspStatement *s = b->body->first; s; s = s->next) {
    if (s->kind == RSP_STATEMENT_BARRIER && named_barrier_number (program, b, s) == number)
      return passed;
    passed &= s != reached;
  }
  return TRUE;
}

/* Every thread runs to its next wait, as long as one can. */
static void fit_order (Fit *fit) {
  const RspProgram *program = fit->program;
  g_autofree const RspStatement **at = g_new0 (const RspStatement *, program->n_threads + 1);
  gboolean moved = TRUE;
  guint waiting = G_MAXUINT;
  for (guint i = 0; i < program->n_threads; i++)
    at[i] = next_wait (program->threads[i].body->first);
  while (moved) {
    moved = FALSE;
    waiting = G_MAXUINT;
    for (guint i = 0; i < program->n_threads; i++) {
      const RspThread *thread = &program->threads[i];
      gboolean met = at[i] != NULL;
      for (guint k = 0; met && k < program->n_threads; k++)
        if (rsp_threads_share (thread, &program->threads[k], RSP_LEVEL_WORK_GROUP))
          met = has_arrived (program, thread, at[i], &program->threads[k], at[k]);
      if (met)
        at[i] = next_wait (at[i]->next);
      else if (at[i])
        waiting = i;
      moved |= met;
    }
  }
  if (waiting != G_MAXUINT)
    fit_refuse (fit, &at[waiting]->span, "its barriers wait for each other");
}

/* Does the statement access memory at an address in a register? */
static void find_indirection (gpointer data, const RspExpr *e) {
  gboolean *found = data;
  *found |= e->kind == RSP_EXPR_CALL && e->u.call->object
            && e->u.call->object->kind == RSP_EXPR_REGISTER;
}

/* An instance whose address is none ends, and would be missed at the barrier. */
static void fit_addresses (Fit *fit, const RspThread *thread) {
  gboolean found = FALSE;
  Walk walk = { .expression = find_indirection, .data = &found };
  walk_statement (&walk, thread->body);
  if (found && has_named_barriers (thread))
    fit_refuse (fit, &thread->span, "an address in a register, in a thread with barriers");
}

static void fit_thread (Fit *fit, const RspThread *thread) {
  fit_addresses (fit, thread);
  if (has_named_barriers (thread) && thread->body->kind == RSP_STATEMENT_CODE)
    fit_refuse (fit, &thread->span, "a jump in a thread with barriers");
  for (const RspStatement *s = thread->body->first; s && !fit->reason; s = s->next)
    if (s->kind == RSP_STATEMENT_BARRIER)
      fit_barrier (fit, thread, s);
    else {
      g_autofree char *reason
          = rsp_assembly_find (fit->options->target, fit->program->language->id)->refusal (s);
      if (reason)
        fit_refuse (fit, &s->span, "%s", reason);
    }
}

void fit_instructions (Fit *fit) {
  fit_aliases (fit);
  for (guint i = 0; i < fit->program->n_threads; i++)
    fit_thread (fit, &fit->program->threads[i]);
  if (!fit->reason)
    fit_order (fit);
}
