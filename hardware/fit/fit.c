#include "hardware/fit/fit.h"
#include "hardware/emit/assembly.h"
#include "hardware/fit/barriers.h"
#include "hardware/fit/expressions.h"
#include "hardware/fit/instructions.h"
#include "hardware/fit/walk.h"
#include "hardware/layout.h"
#include "parser/scopes.h"

enum {
  MAX_GROUPS = 16, /* as in templates/suite.h */
  MAX_MEMBERS = 32,
  MAX_STATE = 32
};

/* ---- Memory: on every device, each work-group has its own local memory ---- */

static void fit_local (Fit *fit, guint object) {
  const RspProgram *program = fit->program;
  const RspThread *first = NULL;
  for (guint i = 0; i < program->n_threads; i++)
    for (guint k = 0; k < program->threads[i].n_parameters; k++) {
      const RspThread *thread = &program->threads[i];
      const RspParameter *parameter = &thread->parameters[k];
      if (parameter->object != object)
        continue;
      if (first && !rsp_threads_share (first, thread, RSP_LEVEL_WORK_GROUP))
        fit_refuse (fit, &parameter->span,
                    "`%s` is local memory of two work-groups, %s's and %s's, and each work-group "
                    "of a device has its own",
                    parameter->name, first->name, thread->name);
      first = thread;
    }
}

/* A pointer into local memory is meaningless in another work-group. */
static void fit_initial (Fit *fit, const RspLocation *location) {
  if (location->type.pointers && rsp_is_address (location->initial)
      && layout_space (fit->program, rsp_address_object (location->initial)) == RSP_SPACE_LOCAL)
    fit_refuse (fit, &location->span, "a pointer to local memory in memory");
}

/* The same number of threads sees an object as local or global. */
static void fit_space (Fit *fit, const RspThread *thread, const RspParameter *parameter) {
  if (parameter->object == G_MAXUINT)
    return;
  RspSpace space = layout_space (fit->program, parameter->object);
  if ((parameter->type.space == RSP_SPACE_LOCAL) != (space == RSP_SPACE_LOCAL))
    fit_refuse (fit, &parameter->span, "%s has `%s` in another kind of memory than others",
                thread->name, parameter->name);
}

static void fit_memory (Fit *fit) {
  const RspProgram *program = fit->program;
  for (guint i = 0; i < program->n_threads; i++)
    for (guint k = 0; k < program->threads[i].n_parameters; k++)
      fit_space (fit, &program->threads[i], &program->threads[i].parameters[k]);
  for (guint i = 0; i < program->n_locations; i++) {
    fit_initial (fit, &program->locations[i]);
    if (program->locations[i].object == i && layout_space (program, i) == RSP_SPACE_LOCAL)
      fit_local (fit, i);
  }
}

/* ---- All ---- */

static void fit_size (Fit *fit) {
  const RspProgram *program = fit->program;
  for (guint i = 0; i < program->n_threads; i++)
    if (layout_member (program, &program->threads[i]) >= MAX_MEMBERS)
      fit_refuse (fit, NULL, "a work-group has more than %d threads", MAX_MEMBERS);
  if (layout_n_groups (program) > MAX_GROUPS)
    fit_refuse (fit, NULL, "more than %d work-groups", MAX_GROUPS);
  if (program->n_observables > MAX_STATE)
    fit_refuse (fit, NULL, "its states have more than %d values", MAX_STATE);
}

char *rsp_hardware_refusal (const RspProgram *program, const RspEmitOptions *options) {
  Fit fit = { .program = program, .options = options };
  gboolean tagged = program->language->tagged;
  if (tagged && !rsp_assembly_find (options->target, program->language->id)) {
    fit_refuse (&fit, NULL, "%s has no form for %s tests", rsp_target_names[options->target],
                program->language->word);
    return fit.reason;
  }
  fit_size (&fit);
  if (!fit.reason)
    fit_memory (&fit);
  fit_expressions (&fit);
  if (tagged)
    fit_instructions (&fit);
  else
    fit_barriers (&fit);
  return fit.reason;
}

/* ---- Remote operations ---- */

static void make_ordinary (gpointer data, const RspExpr *e) {
  guint *n = data;
  if (e->kind != RSP_EXPR_CALL || !e->u.call->remote)
    return;
  e->u.call->remote = FALSE;
  (*n)++;
}

guint rsp_hardware_make_ordinary (RspProgram *program) {
  guint n = 0;
  Walk walk = { .expression = make_ordinary, .data = &n };
  for (guint i = 0; i < program->n_threads; i++)
    walk_statement (&walk, program->threads[i].body);
  return n;
}
