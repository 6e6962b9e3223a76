#include "enumerator/search.h"

#include <string.h>

enum
{
  TICKS_PER_LOOK = 64 /* steps between two looks at the clock */
};

gboolean
rsp_budget_tick (RspBudget *budget)
{
  if (budget->stop != RSP_STOP_COMPLETE)
    return FALSE;
  if (budget->deadline && ++budget->ticks % TICKS_PER_LOOK == 0
      && g_get_monotonic_time () >= budget->deadline)
    budget->stop = RSP_STOP_TIMEOUT;
  return budget->stop == RSP_STOP_COMPLETE;
}

static void
clear_flag (gpointer data)
{
  g_free ((char *)((RspFlag *)data)->name);
}

GArray *
rsp_flags_new (void)
{
  GArray *flags = g_array_new (FALSE, FALSE, sizeof (RspFlag));
  g_array_set_clear_func (flags, clear_flag);
  return flags;
}

static RspFlag *
find_flag (GArray *flags, const char *name)
{
  for (guint i = 0; i < flags->len; i++)
    if (strcmp (g_array_index (flags, RspFlag, i).name, name) == 0)
      return &g_array_index (flags, RspFlag, i);
  return NULL;
}

void
rsp_flags_note (GArray *flags, const RspStagedModel *model)
{
  for (guint i = 0; i < model->n_checks; i++)
    {
      const RspStagedCheck *check = &model->checks[i];
      if (check->role != RSP_CAT_FLAG && check->role != RSP_CAT_UNDEFINED_UNLESS)
        continue;
      RspFlag *flag = find_flag (flags, model->flags[check->flag]);
      if (!flag)
        {
          RspFlag new_flag = { .name = g_strdup (model->flags[check->flag]) };
          g_array_append_val (flags, new_flag);
          flag = &g_array_index (flags, RspFlag, flags->len - 1);
        }
      flag->undefined |= check->role == RSP_CAT_UNDEFINED_UNLESS;
    }
}

void
rsp_flags_raise (GArray *flags, const char *name)
{
  RspFlag *flag = find_flag (flags, name);
  g_assert (flag);
  flag->raised = TRUE;
}

/* -speedcheck: is the question answered? */
static gboolean
answered (const RspSearch *search)
{
  if (search->options->speedcheck != RSP_SPEED_FAST)
    return FALSE;
  RspCount positive = rsp_tally_positive (search->tally);
  if (search->pre->program->quantifier == RSP_FORALL)
    return rsp_tally_executions (search->tally) > positive;
  return positive > 0;
}

void
rsp_search_record (RspSearch *search, const RspValue *state, const char *reads, RspCount executions,
                   RspCount bad)
{
  RspBudget *budget = search->budget;
  if (search->exists_only)
    {
      search->found = TRUE;
      return;
    }
  rsp_tally_add (search->tally, state, reads, executions, bad);
  if (answered (search))
    budget->stop = RSP_STOP_FOUND;
  else if (budget->max_executions && rsp_tally_executions (search->tally) > budget->max_executions)
    budget->stop = RSP_STOP_EXECUTIONS;
  else if (rsp_tally_size (search->tally) > budget->max_memory)
    budget->stop = RSP_STOP_MEMORY;
}
