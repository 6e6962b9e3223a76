#include "enumerator/search/prepare/paths.h"

static gboolean
writes_expected (const Check *check)
{
  if (check->options->cas_writeback == RSPCHECK_CAS_WRITEBACK_DEFAULT)
    return check->program->language->cas_writeback;
  return check->options->cas_writeback == RSPCHECK_CAS_WRITEBACK_ALWAYS;
}

static RspPathOptions
path_options (Check *check)
{
  return (RspPathOptions){ .unroll = check->options->unroll,
                           .cas_writeback = writes_expected (check),
                           .spin_last = check->spin_last,
                           .budget = &check->budget };
}

gboolean
check_has_conditions (const Check *check)
{
  for (guint t = 0; t < check->program->n_threads; t++)
    for (guint i = 0; i < check->paths[t]->len; i++)
      if (((const RspPath *) check->paths[t]->pdata[i])->n_constraints)
        return TRUE;
  return FALSE;
}

/* The analysis of the paths also serves the search, if no path has been removed. */
static void
prune_paths (Check *check)
{
  if (!check_has_conditions (check))
    return;
  RspFeasibility *f = rsp_feasibility_new (check->program, check->paths, &check->budget);
  if (rsp_feasibility_prune (f, check->paths))
    rsp_feasibility_free (f);
  else
    check->feasibility = f;
}

static gboolean
enumerate_paths (Check *check)
{
  const RspProgram *program = check->program;
  RspPathOptions options = path_options (check);
  g_clear_pointer (&check->feasibility, rsp_feasibility_free);
  for (guint i = 0; i < program->n_threads; i++)
    if (!rsp_paths_enumerate (program, i, &options, check->terms, check->arena, check->paths[i],
                              check->diagnostics))
      return FALSE;
  if (check->spin_last)
    spin_sort_paths (&check->spin, check->paths);
  prune_paths (check);
  return TRUE;
}

gboolean
check_find_paths (Check *check)
{
  check->spin_last = check->options->spin == RSPCHECK_SPIN_LAST;
  check->spin = (RspSpin){ .program = check->program,
                           .model = check->model,
                           .options = check->options,
                           .budget = &check->budget,
                           .terms = check->terms };
  if (!enumerate_paths (check))
    return FALSE;
  if (!check->spin_last || spin_is_whole (&check->spin))
    return TRUE;
  check->spin_last = FALSE;
  if (rsp_budget_is_exhausted (&check->budget))
    return TRUE;
  if (check->options->through != RSPCHECK_THROUGH_NONE)
    rsp_warning (check->diagnostics, (RspSpan){ 0 }, NULL,
                 "test %s: -through also counts what forbidden rounds show: its loops are unrolled "
                 "despite -spin last",
                 check->program->name);
  else
    rsp_warning (check->diagnostics, (RspSpan){ 0 }, NULL,
                 "test %s: model %s may see how often a loop has waited: its loops are unrolled "
                 "despite -spin last",
                 check->program->name, check->model->name);
  for (guint i = 0; i < check->program->n_threads; i++)
    g_ptr_array_set_size (check->paths[i], 0);
  return enumerate_paths (check);
}

void
check_drop_truncated_paths (Check *check)
{
  g_autoptr (GHashTable) reported = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < check->program->n_threads; i++)
    {
      GPtrArray *paths = check->paths[i];
      guint kept = 0;
      for (guint j = 0; j < paths->len; j++)
        {
          const RspPath *path = paths->pdata[j];
          if (path->end != RSP_PATH_TRUNCATED)
            paths->pdata[kept++] = paths->pdata[j];
          else if (g_hash_table_add (reported, GUINT_TO_POINTER (path->end_span.begin + 1)))
            rsp_truncated (
                check->diagnostics, path->end_span, "-unroll N allows more rounds",
                "test %s: this loop may need more than %u rounds; executions that do are "
                "left out",
                check->program->name, check->options->unroll);
        }
      check->outcome->loop |= kept < paths->len;
      if (kept < paths->len)
        g_clear_pointer (&check->feasibility, rsp_feasibility_free);
      g_ptr_array_set_size (paths, (gint) kept);
    }
}
