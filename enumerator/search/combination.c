#include "enumerator/search/combination.h"
#include "enumerator/search/bounded/bounded.h"
#include "enumerator/search/bounded/report/prunings.h"
#include "enumerator/search/naive/naive.h"
#include "enumerator/search/recursion.h"
#include "enumerator/search/symmetry.h"
#include "model/stage/template/template.h"

#include <string.h>

RspCombination *combination_new (const RspProgram *program, const RspModel *model,
                                 const RspCheckOptions *options, RspBudget *budget,
                                 const RspPath *const *paths, const guint *numbers,
                                 const guint *class) {
  guint n = program->n_threads;
  gsize size_of_paths = sizeof (const RspPath *) * n, size_of_numbers = sizeof (guint) * n;
  RspCombination *c = g_malloc0 (sizeof *c + size_of_paths + size_of_numbers);
  c->program = program;
  c->model = model;
  c->options = options;
  c->budget = budget;
  c->paths = memcpy (c + 1, paths, size_of_paths);
  c->numbers = memcpy (c->paths + n, numbers, size_of_numbers);
  c->class = class;
  c->tally = rsp_tally_new (program);
  c->prunings = options->attribute ? rsp_prunings_new () : NULL;
  c->diagnostics = rsp_diagnostics_new ();
  return c;
}

void combination_free (RspCombination *c) {
  rsp_tally_free (c->tally);
  g_array_unref (c->flags);
  g_clear_pointer (&c->prunings, g_array_unref);
  rsp_diagnostics_free (c->diagnostics);
  g_free (c);
}

static double seconds_since (gint64 start) {
  return (double) (g_get_monotonic_time () - start) / 1e6;
}

static gboolean has_failed_path (const RspCombination *c) {
  gboolean failed = FALSE;
  for (guint i = 0; i < c->program->n_threads; i++)
    failed |= c->paths[i]->end == RSP_PATH_FAILED;
  return failed;
}

static void run_engine (const RspCombination *c, RspSearch *search, const RspStaging *staging) {
  gint64 start = g_get_monotonic_time ();
  const RspCheckOptions *options = c->options;
  if (options->engine == RSPCHECK_ENGINE_NAIVE || options->outcome_reads
      || options->through != RSPCHECK_THROUGH_NONE)
    rsp_search_naive (search, staging);
  else
    rsp_search_bounded (search, staging);
  search->statistics->seconds_search += seconds_since (start);
}

static void search_staged (RspCombination *c, RspPreExecution *pre, const RspStaging *staging) {
  gboolean failed = has_failed_path (c);
  for (guint i = 0; i < staging->n_models; i++)
    search_flags_note (c->flags, staging->models[i]);
  RspSearch search = { .model = c->model,
                       .pre = pre,
                       .options = c->options,
                       .diagnostics = c->diagnostics,
                       .budget = c->budget,
                       .pool = c->pool,
                       .common = c->common,
                       .screen = c->screen,
                       .class = c->class,
                       .numbers = c->numbers,
                       .statistics = &c->statistics,
                       .tally = c->tally,
                       .flags = c->flags,
                       .prunings = c->prunings,
                       .exists_only = failed,
                       .max_ticks = c->max_ticks };
  if (try_recursions (&search, staging))
    run_engine (c, &search, staging);
  c->ticks = search.ticks;
  c->fails = failed && search.found;
  c->thin_air = search.thin_air && !failed;
}

/* Of a search that went to its end. One that ended early keeps what it found as it is: dealing it
 * out would end at once, too, and lose even that. */
static void deal_states (RspCombination *c) {
  if (rsp_budget_stop (c->budget) != RSPCHECK_STOP_COMPLETE)
    return;
  RspTally *found = c->tally;
  c->tally = rsp_tally_new (c->program);
  symmetry_spread (c->program, c->class, c->numbers, c->budget, found, c->tally);
  rsp_tally_free (found);
}

/* In the order of events, and once per operation of the source over all combinations, because
 * rsp_diagnostics_move drops duplicate messages. */
static void report_warnings (const RspCombination *c, const RspPreExecution *pre,
                             const RspStaging *staging) {
  for (guint e = 0; e < pre->n; e++)
    for (guint i = 0; i < staging->n_warnings; i++)
      if (rsp_set_has (staging->warnings[i].events, e))
        rsp_warning (c->diagnostics, pre->events[e]->span, NULL, "test %s: model %s: %s",
                     c->program->name, c->model->name, staging->warnings[i].message);
}

/* NULL if the budget is exhausted. */
static RspPreExecution *obtain_pre_execution (const RspCombination *c, RspArena *arena) {
  gboolean keeps = c->kept && c->kept_in;
  RspPreExecution *pre = c->kept ? *c->kept : NULL;
  if (!pre)
    pre = rsp_pre_execution_new (c->program, c->paths, keeps ? c->kept_in : arena);
  if (keeps)
    *c->kept = pre;
  return pre;
}

void combination_search (RspCombination *c) {
  if (rsp_budget_stop (c->budget) != RSPCHECK_STOP_COMPLETE)
    return;
  RspArena *arena = rsp_arena_new_within (c->budget);
  gint64 start = g_get_monotonic_time ();
  RspPreExecution *pre = obtain_pre_execution (c, arena);
  if (!pre) {
    rsp_arena_free (arena);
    return;
  }
  RspStageOptions stage_options = { .skipped_checks = c->options->skipped_checks,
                                    .budget = c->budget,
                                    .rf = &pre->rf,
                                    .co = &pre->co,
                                    .direct = c->options->engine == RSPCHECK_ENGINE_NAIVE
                                              || (c->options->disabled & RSP_FEATURE_TEMPLATE) };
  RspStaging *staging
      = rsp_model_stage (c->model, pre->base, &stage_options, arena, c->diagnostics);
  c->statistics.seconds_stage += seconds_since (start);
  c->statistics.combinations++;
  c->statistics.pre_executions++;
  if (staging) {
    c->needs_execution = staging->needs_execution;
    c->statistics.texts += staging->from_text;
    report_warnings (c, pre, staging);
    search_staged (c, pre, staging);
    rsp_staging_clear (staging);
  } else
    rsp_budget_end (c->budget, RSPCHECK_STOP_ERROR);
  rsp_arena_free (arena);
  if (c->class)
    deal_states (c);
}
