#include "hardware/fit/fit.h"
#include "hardware/fit/barriers.h"
#include "hardware/fit/expressions.h"
#include "hardware/fit/memory.h"
#include "hardware/fit/walk.h"
#include "hardware/layout.h"

enum
{
  MAX_GROUPS = 16, /* as in templates/suite.h */
  MAX_MEMBERS = 32,
  MAX_STATE = 32
};

void
fit_refuse (Fit *fit, const RspSpan *at, const char *format, ...)
{
  va_list arguments;
  if (fit->reason)
    return;
  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  guint line = at && at->source ? rsp_span_line (*at) : 0;
  fit->reason = line ? g_strdup_printf ("line %u: %s", line, text) : g_steal_pointer (&text);
}

static void
fit_size (Fit *fit)
{
  const RspProgram *program = fit->program;
  for (guint i = 0; i < program->n_threads; i++)
    if (layout_member (program, &program->threads[i]) >= MAX_MEMBERS)
      fit_refuse (fit, NULL, "a work-group has more than %d threads", MAX_MEMBERS);
  if (layout_n_groups (program) > MAX_GROUPS)
    fit_refuse (fit, NULL, "more than %d work-groups", MAX_GROUPS);
  if (program->n_observables > MAX_STATE)
    fit_refuse (fit, NULL, "its states have more than %d values", MAX_STATE);
}

char *
rsp_hardware_refusal (const RspProgram *program, const RspEmitOptions *options)
{
  Fit fit = { .program = program, .options = options };
  fit_size (&fit);
  if (!fit.reason)
    fit_memory (&fit);
  fit_expressions (&fit);
  fit_barriers (&fit);
  return fit.reason;
}

/* ---- Remote operations ---- */

static void
make_ordinary (gpointer data, const RspExpr *e)
{
  guint *n = data;
  if (e->kind != RSP_EXPR_CALL || !e->u.call->remote)
    return;
  e->u.call->remote = FALSE;
  (*n)++;
}

guint
rsp_hardware_make_ordinary (RspProgram *program)
{
  guint n = 0;
  Walk walk = { .expression = make_ordinary, .data = &n };
  for (guint i = 0; i < program->n_threads; i++)
    walk_statement (&walk, program->threads[i].body);
  return n;
}
