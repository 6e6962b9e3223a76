/* The memory that a test needs. On every device, each work-group has its own local memory. */
#include "hardware/fit/memory.h"
#include "hardware/layout.h"
#include "parser/scopes.h"

static void
fit_local (Fit *fit, guint object)
{
  const RspProgram *program = fit->program;
  const RspThread *first = NULL;
  for (guint i = 0; i < program->n_threads; i++)
    for (guint k = 0; k < program->threads[i].n_parameters; k++)
      {
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
static void
fit_initial (Fit *fit, const RspLocation *location)
{
  if (location->type.pointers && rsp_is_address (location->initial)
      && layout_space (fit->program, rsp_address_object (location->initial)) == RSP_SPACE_LOCAL)
    fit_refuse (fit, &location->span, "a pointer to local memory in memory");
}

/* The same number of threads sees an object as local or global. */
static void
fit_space (Fit *fit, const RspThread *thread, const RspParameter *parameter)
{
  if (parameter->object == G_MAXUINT)
    return;
  RspSpace space = layout_space (fit->program, parameter->object);
  if ((parameter->type.space == RSP_SPACE_LOCAL) != (space == RSP_SPACE_LOCAL))
    fit_refuse (fit, &parameter->span, "%s has `%s` in another kind of memory than others",
                thread->name, parameter->name);
}

void
fit_memory (Fit *fit)
{
  const RspProgram *program = fit->program;
  for (guint i = 0; i < program->n_threads; i++)
    for (guint k = 0; k < program->threads[i].n_parameters; k++)
      fit_space (fit, &program->threads[i], &program->threads[i].parameters[k]);
  for (guint i = 0; i < program->n_locations; i++)
    {
      fit_initial (fit, &program->locations[i]);
      if (program->locations[i].object == i && layout_space (program, i) == RSP_SPACE_LOCAL)
        fit_local (fit, i);
    }
}
