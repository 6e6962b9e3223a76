#include "enumerator/search/combinations.h"
#include "enumerator/paths/reduce/names.h"

#include "enumerator/search/bounded/share/common.h"
#include "enumerator/search/prepare/paths.h"
#include "enumerator/search/combination.h"
#include "enumerator/search/failures.h"
#include "enumerator/search/places.h"
#include "enumerator/search/bounded/report/prunings.h"
#include "enumerator/search/sat/sat.h"
#include "enumerator/search/symmetry.h"

enum {
  STAGING = 4,              /* steps that take about as long as staging a combination */
  STEPS_PER_PATH = 3,       /* of a search before the solver, where it is asked at once */
  QUEUE_PER_THREAD = 16,    /* limit of combinations that wait for a thread */
  SOLVER_AFTER = 1 << 14,   /* steps of the search: the default of solver_after */
  PATIENCE = 16,            /* times as many steps for a search whose steps are mostly known */
  MOST_STEPS = 1 << 30,     /* of a search with a limit */
  MOST_KEPT = 64,           /* combinations whose pre-executions are kept for the next model */
  MOST_KEPT_SIZE = 1 << 20, /* bytes of paths and pre-executions after which no more are kept */
  FEW_EVENTS = 6,           /* of all paths: their search costs less than places_find_classes */
  VISITS = 64,              /* of combinations, or beginnings of some, that count as a step */
  SCREEN_AFTER = 64         /* combinations without an execution: the default of screen_after */
};

/* ---- Adding up ---- */

static void report_failed_paths (Check *check, const RspCombination *found) {
  for (guint i = 0; found->fails && i < check->program->n_threads; i++)
    if (found->paths[i]->end == RSP_PATH_FAILED)
      check_report_failed_path (check, found->paths[i], i);
}

static void add_findings (Check *check, RspCombination *found) {
  if (check->screen && !tally_executions (found->tally))
    screen_note_empty (check->screen);
  g_mutex_lock (&check->lock);
  tally_take (&check->tally, &found->tally);
  if (found->flags != check->flags)
    search_flags_add_all (check->flags, found->flags);
  if (check->prunings)
    rsp_prunings_add_all (check->prunings, found->prunings);
  rsp_diagnostics_move (check->diagnostics, found->diagnostics);
  rsp_statistics_add (&check->outcome->statistics, &found->statistics);
  check->outcome->thin_air |= found->thin_air;
  check->needs_execution |= found->needs_execution;
  report_failed_paths (check, found);
  check->ticks_left -= MIN (check->ticks_left, found->ticks + STAGING);
  RspBudget *budget = &check->budget;
  if (budget->max_executions && tally_executions (check->tally) > budget->max_executions)
    rsp_budget_end (budget, RSPCHECK_STOP_EXECUTIONS);
  else if (tally_size (check->tally) > budget->max_memory)
    rsp_budget_end (budget, RSPCHECK_STOP_MEMORY);
  g_mutex_unlock (&check->lock);
}

/* A task: a combination to be searched by some thread. */
typedef struct CombinationTask {
  RspTask task;
  Check *check;
  RspCombination *combination;
} CombinationTask;

static void search_and_add (Check *check, RspCombination *combination) {
  combination_search (combination);
  add_findings (check, combination);
  combination_free (combination);
}

static void search_pending (RspTask *task) {
  g_autofree CombinationTask *own = (CombinationTask *) task;
  Check *check = own->check;
  search_and_add (check, own->combination);
  g_mutex_lock (&check->lock);
  if (--check->pending == 0)
    g_cond_signal (&check->idle);
  g_mutex_unlock (&check->lock);
}

/* ---- All combinations ---- */

/* Do some of the paths fail, and have all of those been reported? */
static gboolean already_reported (Check *check) {
  guint failed = 0, reported = 0;
  g_mutex_lock (&check->lock);
  for (guint i = 0; i < check->program->n_threads; i++)
    if (check->chosen[i]->end == RSP_PATH_FAILED) {
      failed++;
      reported += check_has_reported (check, check->chosen[i]);
    }
  g_mutex_unlock (&check->lock);
  return failed && reported == failed;
}

/* Where the pre-execution of the chosen paths is kept; NULL: nowhere. */
static RspPreExecution **kept_pre_execution (const Check *check) {
  gsize index = 0;
  if (!check->pre_executions || check->pool)
    return NULL;
  for (guint t = 0; t < check->program->n_threads; t++)
    index = index * check->paths[t]->len + check->numbers[t];
  return &check->pre_executions[index];
}

/* The flags found so far: one that has been raised need not be searched for again. If several
 * combinations are searched at once, each has its own. */
static GArray *flags_for (Check *check) {
  if (!check->pool)
    return g_array_ref (check->flags);
  GArray *flags = search_flags_new ();
  g_mutex_lock (&check->lock);
  search_flags_add_all (flags, check->flags);
  g_mutex_unlock (&check->lock);
  return flags;
}

/* Several threads search several combinations. But if the first execution ends the search, it must
 * be the same one whatever the number of threads, so combinations are taken in order, and other
 * threads only help with each. */
static void hand_out (Check *check) {
  if (already_reported (check) || (check->screen && !screen_admits (check->screen, check->numbers)))
    return;
  RspCombination *combination
      = combination_new (check->program, check->model, check->options, &check->budget,
                         check->chosen, check->numbers, check->class);
  combination->flags = flags_for (check);
  combination->pool = check->pool;
  combination->common = check->common;
  combination->screen = check->screen;
  combination->kept = kept_pre_execution (check);
  combination->kept_in = rsp_arena_size (check->arena) < MOST_KEPT_SIZE ? check->arena : NULL;
  g_mutex_lock (&check->lock);
  combination->max_ticks = check->is_limited ? MAX (check->ticks_left, 1) : 0;
  g_mutex_unlock (&check->lock);
  RspPool *pool = check->pool;
  if (pool && check->options->speedcheck != RSPCHECK_SPEED_FAST
      && rsp_pool_waiting (pool) < QUEUE_PER_THREAD * check->options->jobs) {
    CombinationTask *task = g_new (CombinationTask, 1);
    *task = (CombinationTask){ { search_pending }, check, combination };
    g_mutex_lock (&check->lock);
    check->pending++;
    g_mutex_unlock (&check->lock);
    rsp_pool_push (pool, &task->task);
  } else
    search_and_add (check, combination);
}

/* Collects a combination on which no path fails. */
static void collect (Check *check) {
  guint n = check->program->n_threads;
  for (guint i = 0; i < n; i++)
    if (check->chosen[i]->end != RSP_PATH_COMPLETE)
      return;
  g_ptr_array_add (check->collected,
                   rsp_arena_copy (check->arena, check->chosen, sizeof (RspPath *) * n));
  rsp_budget_limit_part (&check->budget, rsp_arena_size (check->arena));
}

/* Do the paths chosen so far agree about uninterpreted functions? */
static gboolean agree (const Check *check, guint thread) {
  for (guint t = 0; t < thread; t++)
    if (!rsp_paths_agree (check->chosen[t], check->chosen[thread]))
      return FALSE;
  return TRUE;
}

/* A search with a limit also ends if there are too many combinations to look at. */
static void count_visit (Check *check) {
  if (!check->is_limited || ++check->visits % VISITS)
    return;
  g_mutex_lock (&check->lock);
  check->ticks_left -= check->ticks_left > 0;
  if (!check->ticks_left)
    rsp_budget_give_up (&check->budget);
  g_mutex_unlock (&check->lock);
}

static void choose_paths (Check *check, guint thread) {
  count_visit (check);
  if (rsp_budget_is_exhausted (&check->budget))
    return;
  if (thread == check->program->n_threads) {
    if (check->collected)
      collect (check);
    else
      hand_out (check);
    return;
  }
  guint before = check->class ? symmetry_previous (check->class, thread) : G_MAXUINT;
  guint first = before == G_MAXUINT ? 0 : check->numbers[before];
  for (guint i = first; i < check->paths[thread]->len && !rsp_budget_is_exhausted (&check->budget);
       i++) {
    check->numbers[thread] = i;
    check->chosen[thread] = check->paths[thread]->pdata[i];
    if (!agree (check, thread))
      continue;
    if (!check->feasibility
        || rsp_feasibility_choose (check->feasibility, thread, check->chosen[thread]))
      choose_paths (check, thread + 1);
    if (check->feasibility)
      rsp_feasibility_retract (check->feasibility);
  }
  check->chosen[thread] = NULL;
}

static gboolean has_few_events (const Check *check) {
  guint n = 0;
  for (guint t = 0; t < check->program->n_threads; t++)
    for (guint i = 0; i < check->paths[t]->len; i++)
      n += ((const RspPath *) check->paths[t]->pdata[i])->n_events;
  return n <= FEW_EVENTS;
}

/* Symmetry applies unless what is left out, or the values of single reads in states, distinguish
 * threads. */
static void find_symmetry (Check *check) {
  const RspCheckOptions *options = check->options;
  if (check->collected || check->program->language->partial_co
      || options->engine == RSPCHECK_ENGINE_NAIVE || (options->disabled & RSP_FEATURE_SYMMETRY)
      || options->outcome_reads || search_narrows_by_thread (check->program, options))
    return;
  guint *class = rsp_arena_new0 (check->arena, guint, check->program->n_threads);
  gboolean any = has_few_events (check) ? symmetry_find (check->program, class)
                                        : places_find_classes (check->program, check->model,
                                                               check->paths, &check->budget, class);
  check->class = any ? class : NULL;
}

/* A pool that is being freed takes no tasks, and combinations may still call for help. So this
 * thread searches the combinations that no thread has begun; it may be the only one. */
static void end_pool (Check *check) {
  if (!check->pool)
    return;
  rsp_pool_take_part (check->pool);
  g_mutex_lock (&check->lock);
  while (check->pending)
    g_cond_wait (&check->idle, &check->lock);
  g_mutex_unlock (&check->lock);
  rsp_pool_free (check->pool);
}

/* Combinations share the memo: events get names that all of them use. */
static void name_events (Check *check) {
  const RspCheckOptions *options = check->options;
  guint n = check->program->n_threads;
  if (options->engine == RSPCHECK_ENGINE_NAIVE
      || (options->disabled & (RSP_FEATURE_MEMO | RSP_FEATURE_SHARE)))
    return;
  g_autofree guint *like = g_new (guint, n + 1);
  symmetry_same_code (check->program, like);
  gboolean several = FALSE;
  for (guint i = 0; i < n; i++)
    several |= check->paths[i]->len > 1 || like[i] != i;
  if (!several)
    return;
  if (!check->names_found)
    check->names_found = rsp_paths_name_events (check->program, like, check->paths, check->arena);
  check->names = check->names_found;
}

static void open_common (Check *check) {
  name_events (check);
  if (check->names && !check->collected)
    check->common = rsp_common_new (check->names, check->budget.max_memory / 4);
}

/* Sets up screening: combinations that coherence rules out are not searched, except with -through,
 * where forbidden executions may count. */
static void open_screen (Check *check) {
  const RspCheckOptions *options = check->options;
  if (check->collected || options->engine == RSPCHECK_ENGINE_NAIVE
      || options->through != RSPCHECK_THROUGH_NONE || (options->disabled & RSP_FEATURE_SCREEN))
    return;
  check->screen = screen_new (check->program, check->model, options,
                              options->screen_after ? options->screen_after : SCREEN_AFTER,
                              check->paths, &check->budget);
}

void check_search_combinations (Check *check) {
  const RspCheckOptions *options = check->options;
  find_symmetry (check);
  open_common (check);
  if (options->engine == RSPCHECK_ENGINE_NAIVE || (options->disabled & RSP_FEATURE_FEASIBLE))
    g_clear_pointer (&check->feasibility, rsp_feasibility_free);
  else if (!check->feasibility && check_has_conditions (check))
    check->feasibility = rsp_feasibility_new (check->program, check->paths, &check->budget);
  open_screen (check);
  if (options->jobs > 1 && !options->journal)
    check->pool = rsp_pool_new (options->jobs);
  guint64 n = check_count_combinations (check);
  if (check->path_cache && !check->pre_executions && n <= MOST_KEPT)
    check->pre_executions = rsp_arena_new0 (check->arena, RspPreExecution *, n);
  choose_paths (check, 0);
  end_pool (check);
  rsp_common_free (check->common);
  if (!check->path_cache)
    g_clear_pointer (&check->feasibility, rsp_feasibility_free);
  screen_free (check->screen);
}

guint64 check_count_combinations (const Check *check) {
  guint64 n = 1;
  for (guint i = 0; i < check->program->n_threads; i++)
    if (!g_uint64_checked_mul (&n, n, check->paths[i]->len))
      return G_MAXUINT64;
  return n;
}

/* ---- The solver ---- */

/* Of auto: a verdict alone, without counts. */
static gboolean is_verdict (const RspCheckOptions *options) {
  return options->engine == RSPCHECK_ENGINE_AUTO
         && (options->verdict || options->speedcheck != RSPCHECK_SPEED_EXACT);
}

static gboolean may_choose_solver (const Check *check) {
  const RspCheckOptions *options = check->options;
  return !check->collected && (options->counts_optional || is_verdict (options));
}

/* Before anything is searched: auto, if there are many combinations. */
static gboolean takes_solver (const Check *check) {
  if (check->options->engine == RSPCHECK_ENGINE_SAT)
    return !check->collected;
  return is_verdict (check->options) && may_choose_solver (check)
         && check_count_combinations (check) >= SEARCH_MANY_COMBINATIONS;
}

/* Searches for so many steps. FALSE if that is not enough; then only what it found besides states
 * counts. */
static gboolean search_for (Check *check, guint steps) {
  check->is_limited = TRUE;
  check->ticks = check->ticks_left = steps;
  check_search_combinations (check);
  check->is_limited = FALSE;
  if (!rsp_budget_go_on (&check->budget))
    return TRUE;
  rsp_tally_free (check->tally);
  check->tally = rsp_tally_new (check->program);
  return FALSE;
}

static guint first_steps (const Check *check) {
  return check->options->solver_after ? check->options->solver_after : SOLVER_AFTER;
}

/* A search that has met most of its nodes before, as of many increments of a counter, has few
 * different ones and ends soon, while their orders are what the solver finds hard. */
static gboolean search_shortly (Check *check) {
  guint after = first_steps (check);
  const RspStatistics *statistics = &check->outcome->statistics;
  return search_for (check, after)
         || (statistics->memo_hits > statistics->nodes / 2 && search_for (check, PATIENCE * after));
}

/* The solver must be told of every path, where a search may soon see that few of their combinations
 * are possible. */
static gboolean search_briefly (Check *check) {
  guint64 steps = STEPS_PER_PATH * check->outcome->statistics.paths;
  return check->options->engine == RSPCHECK_ENGINE_AUTO
         && search_for (check, (guint) MIN (steps, first_steps (check)));
}

/* Searches from the start, for longer than the last time. */
static gboolean search_longer (Check *check) {
  return search_for (check, MIN (MAX (first_steps (check), check->ticks * 2), MOST_STEPS));
}

gboolean check_find_all_paths (Check *check) {
  gint64 start = g_get_monotonic_time ();
  if (!check_obtain_paths (check)) {
    rsp_budget_end (&check->budget, RSPCHECK_STOP_ERROR);
    return FALSE;
  }
  RspStatistics *statistics = &check->outcome->statistics;
  statistics->seconds_paths = (double) (g_get_monotonic_time () - start) / 1e6;
  for (guint i = 0; i < check->program->n_threads; i++)
    statistics->paths += check->paths[i]->len;
  return TRUE;
}

void check_run (Check *check) {
  if (!check_find_all_paths (check))
    return;
  SatAlternative alternative = check->options->engine == RSPCHECK_ENGINE_SAT ? NULL : search_longer;
  if (takes_solver (check) && (search_briefly (check) || sat_search (check, alternative)))
    return;
  if (!may_choose_solver (check) || (!search_shortly (check) && !sat_search (check, alternative)))
    check_search_combinations (check);
}

/* ---- Beginning and end ---- */

void check_start (Check *check) {
  const RspProgram *program = check->program;
  const RspCheckOptions *options = check->options;
  check_start_paths (check);
  check->chosen = g_new0 (const RspPath *, program->n_threads);
  check->numbers = g_new0 (guint, program->n_threads);
  check->tally = rsp_tally_new (program);
  check->flags = search_flags_new ();
  check->prunings = options->attribute ? rsp_prunings_new () : NULL;
  check->failures = g_array_new (FALSE, TRUE, sizeof (RspFailure));
  g_mutex_init (&check->lock);
  g_cond_init (&check->idle);
  check->budget.deadline = rsp_deadline_in (options->timeout);
  check->budget.max_executions = options->max_executions;
  check->budget.max_memory = options->max_memory ? options->max_memory : RSP_DEFAULT_MEMORY;
}

void check_end (Check *check) {
  g_free (check->chosen);
  g_free (check->numbers);
  spin_free_lists (&check->spin);
  g_mutex_clear (&check->lock);
  g_cond_clear (&check->idle);
  g_array_unref (check->failures);
  g_array_unref (check->flags);
  g_clear_pointer (&check->prunings, g_array_unref);
  rsp_tally_free (check->tally);
  check_end_paths (check);
}
