/* The check of one program under one model: paths of each thread, their combinations, and for each
 * combination a pre-execution, the model staged on it, and a search. */
#include "enumerator/check.h"
#include "enumerator/search.h"
#include "enumerator/symmetry.h"

enum
{
  DEFAULT_UNROLL = 2,
  DEFAULT_MEMORY = 512 << 20
};

typedef struct Check
{
  const RspProgram *program;
  const RspModel *model;
  const RspCheckOptions *options;
  RspDiagnostics *diagnostics;
  RspOutcome *outcome;
  RspArena *arena; /* terms and paths */
  RspTerms *terms;
  GPtrArray **paths;      /* per thread: of RspPath */
  const RspPath **chosen; /* per thread */
  guint *numbers;         /* per thread: the chosen path's number among its paths */
  guint *class;           /* per thread: see symmetry.h; NULL when no symmetry is used */
  RspBudget budget;
  RspTally *tally;
  GArray *flags;
  GHashTable *reported; /* spans of failed paths already told: of char* "begin" */
} Check;

void
rsp_check_options_init (RspCheckOptions *options)
{
  *options = (RspCheckOptions){ .unroll = DEFAULT_UNROLL, .jobs = 1 };
}

static gint64
microseconds_since (gint64 start)
{
  return g_get_monotonic_time () - start;
}

/* ---- Paths ---- */

static gboolean
enumerate_paths (Check *check)
{
  const RspProgram *program = check->program;
  RspPathOptions options
      = { .unroll = check->options->unroll, .cas_writeback = check->options->cas_writeback };
  for (guint i = 0; i < program->n_threads; i++)
    if (!rsp_paths_enumerate (program, i, &options, check->terms, check->arena, check->paths[i],
                              check->diagnostics))
      return FALSE;
  rsp_paths_prune (program, check->paths);
  return TRUE;
}

/* Cut paths are told once per loop and taken away. */
static void
drop_cut_paths (Check *check)
{
  g_autoptr (GHashTable) told = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < check->program->n_threads; i++)
    for (guint j = check->paths[i]->len; j-- > 0;)
      {
        const RspPath *path = check->paths[i]->pdata[j];
        if (path->end != RSP_PATH_CUT)
          continue;
        check->outcome->loop = TRUE;
        if (g_hash_table_add (told, GUINT_TO_POINTER (path->end_span.begin + 1)))
          rsp_warning (check->diagnostics, path->end_span, "-unroll N allows more rounds",
                       "test %s: this loop may need more than %u rounds; executions that do are "
                       "left out",
                       check->program->name, check->options->unroll);
        g_ptr_array_remove_index (check->paths[i], j);
      }
}

/* ---- One combination of paths ---- */

static const RspPath *
failed_path (const Check *check)
{
  for (guint i = 0; i < check->program->n_threads; i++)
    if (check->chosen[i]->end == RSP_PATH_FAILED)
      return check->chosen[i];
  return NULL;
}

static void
run_engine (const Check *check, RspSearch *search, const RspStaging *staging)
{
  const RspCheckOptions *options = check->options;
  if (options->engine == RSP_ENGINE_NAIVE || staging->needs_execution || options->outcome_reads
      || options->through != RSP_THROUGH_NONE)
    rsp_search_naive (search, staging);
  else
    rsp_search_bounded (search, staging);
}

/* A path on which the program goes wrong is an error if some consistent execution takes it. */
static void
tell_failed_path (Check *check, const RspPath *failed)
{
  gpointer key = GUINT_TO_POINTER (failed->end_span.begin + 1);
  if (!g_hash_table_add (check->reported, key))
    return;
  check->outcome->path_failed = TRUE;
  rsp_error (check->diagnostics, failed->end_span, NULL, "test %s: %s on some execution",
             check->program->name, failed->end_message);
}

static void
search_combination (Check *check, RspTally *tally)
{
  const RspPath *failed = failed_path (check);
  if (failed
      && g_hash_table_contains (check->reported, GUINT_TO_POINTER (failed->end_span.begin + 1)))
    return;
  RspStatistics *statistics = &check->outcome->statistics;
  RspArena *arena = rsp_arena_new ();
  gint64 start = g_get_monotonic_time ();
  RspPreExecution *pre = rsp_pre_execution_new (check->program, check->chosen, arena);
  RspStaging *staging = rsp_model_stage (check->model, pre->base, &check->options->stage, arena,
                                         check->diagnostics);
  statistics->seconds_stage += (double)microseconds_since (start) / 1e6;
  statistics->pre_executions++;
  if (!staging)
    {
      check->budget.stop = RSP_STOP_ERROR;
      rsp_arena_free (arena);
      return;
    }
  for (guint i = 0; i < staging->n_models; i++)
    rsp_flags_note (check->flags, staging->models[i]);
  RspSearch search = { .model = check->model,
                       .pre = pre,
                       .options = check->options,
                       .diagnostics = check->diagnostics,
                       .budget = &check->budget,
                       .statistics = statistics,
                       .tally = tally,
                       .flags = check->flags,
                       .exists_only = failed != NULL };
  start = g_get_monotonic_time ();
  run_engine (check, &search, staging);
  statistics->seconds_search += (double)microseconds_since (start) / 1e6;
  if (failed && search.found)
    tell_failed_path (check, failed);
  check->outcome->thin_air |= search.thin_air && !failed;
  rsp_staging_clear (staging);
  rsp_arena_free (arena);
}

/* A combination and all that are the same but for the names of exchangeable threads. */
static void
search_class (Check *check)
{
  check->outcome->statistics.combinations++;
  if (!check->class)
    {
      search_combination (check, check->tally);
      return;
    }
  RspTally *tally = rsp_tally_new (check->program);
  search_combination (check, tally);
  rsp_symmetry_spread (check->program, check->class, check->numbers, tally, check->tally);
  rsp_tally_free (tally);
}

/* ---- All combinations ---- */

static void
choose_paths (Check *check, guint thread)
{
  if (!rsp_budget_tick (&check->budget))
    return;
  if (thread == check->program->n_threads)
    {
      search_class (check);
      return;
    }
  guint before = check->class ? rsp_symmetry_previous (check->class, thread) : G_MAXUINT;
  guint first = before == G_MAXUINT ? 0 : check->numbers[before];
  for (guint i = first; i < check->paths[thread]->len; i++)
    {
      check->numbers[thread] = i;
      check->chosen[thread] = check->paths[thread]->pdata[i];
      choose_paths (check, thread + 1);
    }
  check->chosen[thread] = NULL;
}

/* Symmetry serves where every state is counted; a filter, and what is shown of single reads, may
 * tell threads apart. */
static void
find_symmetry (Check *check)
{
  const RspCheckOptions *options = check->options;
  if (options->engine == RSP_ENGINE_NAIVE || (options->disabled & RSP_FEATURE_SYMMETRY)
      || options->outcome_reads || options->speedcheck != RSP_SPEED_FALSE || check->program->filter)
    return;
  guint *class = rsp_arena_new0 (check->arena, guint, check->program->n_threads);
  if (rsp_symmetry_find (check->program, class))
    check->class = class;
}

static void
run (Check *check)
{
  gint64 start = g_get_monotonic_time ();
  if (!enumerate_paths (check))
    {
      check->budget.stop = RSP_STOP_ERROR;
      return;
    }
  drop_cut_paths (check);
  RspStatistics *statistics = &check->outcome->statistics;
  statistics->seconds_paths = (double)microseconds_since (start) / 1e6;
  for (guint i = 0; i < check->program->n_threads; i++)
    statistics->paths += check->paths[i]->len;
  find_symmetry (check);
  choose_paths (check, 0);
}

static void
finish (Check *check)
{
  RspOutcome *outcome = check->outcome;
  outcome->stop = check->budget.stop;
  rsp_tally_finish (check->tally, outcome);
  outcome->n_flags = check->flags->len;
  outcome->flags
      = rsp_arena_copy (outcome->arena, check->flags->data, sizeof (RspFlag) * check->flags->len);
  for (guint i = 0; i < outcome->n_flags; i++)
    {
      outcome->flags[i].name = rsp_arena_strdup (outcome->arena, outcome->flags[i].name);
      outcome->has_undefined |= outcome->flags[i].undefined;
    }
}

RspOutcome *
rsp_check (const RspProgram *program, const RspModel *model, const RspCheckOptions *options,
           RspDiagnostics *diagnostics)
{
  RspArena *arena = rsp_arena_new ();
  RspOutcome *outcome = g_new0 (RspOutcome, 1);
  outcome->program = program;
  outcome->arena = rsp_arena_new ();
  Check check = { .program = program,
                  .model = model,
                  .options = options,
                  .diagnostics = diagnostics,
                  .outcome = outcome,
                  .arena = arena,
                  .terms = rsp_terms_new (arena),
                  .paths = rsp_arena_new0 (arena, GPtrArray *, program->n_threads),
                  .chosen = rsp_arena_new0 (arena, const RspPath *, program->n_threads),
                  .numbers = rsp_arena_new0 (arena, guint, program->n_threads),
                  .tally = rsp_tally_new (program),
                  .flags = rsp_flags_new (),
                  .reported = g_hash_table_new (NULL, NULL) };
  if (options->timeout > 0)
    check.budget.deadline = g_get_monotonic_time () + (gint64)(options->timeout * 1e6);
  check.budget.max_executions = options->max_executions;
  check.budget.max_memory = options->max_memory ? options->max_memory : DEFAULT_MEMORY;
  for (guint i = 0; i < program->n_threads; i++)
    check.paths[i] = g_ptr_array_new ();
  run (&check);
  finish (&check);
  for (guint i = 0; i < program->n_threads; i++)
    g_ptr_array_unref (check.paths[i]);
  g_hash_table_unref (check.reported);
  g_array_unref (check.flags);
  rsp_tally_free (check.tally);
  rsp_terms_free (check.terms);
  rsp_arena_free (arena);
  return outcome;
}

void
rsp_outcome_free (RspOutcome *outcome)
{
  if (!outcome)
    return;
  rsp_arena_free (outcome->arena);
  g_free (outcome);
}
