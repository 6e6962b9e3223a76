#include "enumerator/search/spin.h"
#include "enumerator/search/combination.h"
#include "enumerator/terms/value.h"
#include "model/bounds/bounds.h"
#include "model/bounds/remove.h"
#include "model/stage/stage.h"

/* ---- Sorts of paths ---- */

static GPtrArray **
new_lists (guint n)
{
  GPtrArray **lists = g_new (GPtrArray *, n + 1);
  for (guint i = 0; i < n; i++)
    lists[i] = g_ptr_array_new ();
  return lists;
}

void
spin_sort_paths (RspSpin *spin, GPtrArray **all)
{
  guint n = spin->program->n_threads;
  spin->ended = new_lists (n);
  spin->waited = new_lists (n);
  spin->stuck = new_lists (n);
  for (guint t = 0; t < n; t++)
    {
      GPtrArray *paths = all[t];
      guint kept = 0;
      for (guint i = 0; i < paths->len; i++)
        {
          RspPath *path = paths->pdata[i];
          if (path->end == RSP_PATH_STUCK)
            g_ptr_array_add (spin->stuck[t], path);
          else if (!path->wait_end)
            {
              paths->pdata[kept++] = path;
              if (path->end == RSP_PATH_COMPLETE)
                g_ptr_array_add (spin->ended[t], path);
            }
          else if (path->end == RSP_PATH_COMPLETE)
            g_ptr_array_add (spin->waited[t], path);
        }
      g_ptr_array_set_size (paths, (gint) kept);
    }
}

void
spin_free_lists (RspSpin *spin)
{
  for (guint t = 0; spin->waited && t < spin->program->n_threads; t++)
    {
      g_ptr_array_unref (spin->ended[t]);
      g_ptr_array_unref (spin->waited[t]);
      g_ptr_array_unref (spin->stuck[t]);
    }
  g_free (spin->ended);
  g_free (spin->waited);
  g_free (spin->stuck);
}

/* ---- May waiting rounds be left out? ---- */

static RspMatrix *
without (const RspMatrix *relation, guint begin, guint end, RspArena *arena)
{
  RspMatrix *rest = rsp_relation_new (arena, relation->n - (end - begin));
  for (guint x = 0; x < rest->n; x++)
    for (guint y = 0; y < rest->n; y++)
      if (rsp_matrix_get (relation, x < begin ? x : x + end - begin,
                          y < begin ? y : y + end - begin))
        rsp_matrix_add (rest, x, y);
  return rest;
}

/* The path without its waiting round, but for what it computes. */
static RspPath *
without_round (const RspPath *path, RspArena *arena)
{
  RspPath *rest = rsp_arena_copy (arena, path, sizeof *path);
  guint begin = path->wait_begin, end = path->wait_end;
  rest->n_events = path->n_events - (end - begin);
  rest->events = rsp_arena_new0 (arena, RspEvent, rest->n_events + 1);
  for (guint e = 0; e < rest->n_events; e++)
    rest->events[e] = path->events[e < begin ? e : e + end - begin];
  rest->po = without (path->po, begin, end, arena);
  rest->addr = without (path->addr, begin, end, arena);
  rest->data = without (path->data, begin, end, arena);
  rest->ctrl = without (path->ctrl, begin, end, arena);
  rest->wait_begin = rest->wait_end = 0;
  return rest;
}

/* A staged pre-execution with its bounds, nothing decided; bounds is NULL where there are none. */
typedef struct Staged
{
  RspPreExecution *pre;
  RspStaging *staging;
  RspBounds *bounds;
} Staged;

static RspMatrix *
every_co (const RspPreExecution *pre, RspArena *arena)
{
  RspMatrix *co = rsp_relation_new (arena, pre->n);
  const RspMatrix *writes = pre->base->sets[RSP_BASE_SET_W];
  for (all_bits (x, writes->bits, writes->words))
    for (all_bits (y, writes->bits, writes->words))
      if (x != y && pre->events[x]->location == pre->events[y]->location)
        rsp_matrix_add (co, x, y);
  return co;
}

static Staged
stage (const RspSpin *spin, const RspPath *const *paths, RspArena *arena)
{
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  RspStageOptions options
      = { .skipped_checks = spin->options->skipped_checks, .budget = spin->budget };
  Staged staged = { .pre = rsp_pre_execution_new (spin->program, paths, arena) };
  staged.staging = rsp_model_stage (spin->model, staged.pre->base, &options, arena, unheard);
  if (!staged.staging || staged.staging->needs_execution || staged.staging->n_models != 1)
    return staged;
  RspMatrix *rf = rsp_relation_new (arena, staged.pre->n);
  rsp_relation_inverse (rf, staged.pre->candidates);
  staged.bounds
      = rsp_bounds_new (staged.staging->models[0], rf, every_co (staged.pre, arena), arena);
  return staged;
}

static void
unstage (Staged *staged)
{
  rsp_bounds_free (staged->bounds);
  if (staged->staging)
    rsp_staging_clear (staged->staging);
}

/* Which event of the whole each event of the part is: the initial writes are the same, as a round
 * that is left out reads what the next one reads; where they are not, NULL. */
static guint *
match_events (const Staged *full, const Staged *part, guint thread, const RspPath *path,
              RspArena *arena)
{
  guint removed = path->wait_end - path->wait_begin;
  guint begin = full->pre->first[thread] + path->wait_begin;
  if (full->pre->n != part->pre->n + removed)
    return NULL;
  guint *kept = rsp_arena_new0 (arena, guint, part->pre->n + 1);
  for (guint e = 0; e < part->pre->n; e++)
    kept[e] = e < begin ? e : e + removed;
  return kept;
}

/* With `path` of `thread` and others' paths as chosen: does the model bear that its round goes? */
static gboolean
may_drop (const RspSpin *spin, guint thread, const RspPath *path, const RspPath **chosen)
{
  RspArena *arena = rsp_arena_new ();
  chosen[thread] = path;
  Staged full = stage (spin, chosen, arena);
  chosen[thread] = without_round (path, arena);
  Staged part = stage (spin, chosen, arena);
  const guint *kept
      = full.bounds && part.bounds ? match_events (&full, &part, thread, path, arena) : NULL;
  gboolean may = kept && rsp_bounds_bear_removal (full.bounds, part.bounds, kept);
  unstage (&full);
  unstage (&part);
  rsp_arena_free (arena);
  chosen[thread] = path;
  return may;
}

/* With every path of each other thread, one at a time: what a model says of a read has to do with
 * what it reads from and with its own thread. */
static gboolean
may_drop_among_others (const RspSpin *spin, guint thread, const RspPath *path,
                       const RspPath **chosen)
{
  gboolean any = FALSE;
  for (guint t = 0; t < spin->program->n_threads; t++)
    for (guint i = 0; t != thread && i < spin->ended[t]->len; i++)
      {
        const RspPath *first = chosen[t];
        chosen[t] = spin->ended[t]->pdata[i];
        any = TRUE;
        gboolean may = may_drop (spin, thread, path, chosen);
        chosen[t] = first;
        if (!may || rsp_budget_is_exhausted (spin->budget))
          return FALSE;
      }
  return any || may_drop (spin, thread, path, chosen);
}

gboolean
spin_is_whole (const RspSpin *spin)
{
  guint n = spin->program->n_threads;
  g_autofree const RspPath **chosen = g_new0 (const RspPath *, n + 1);
  for (guint t = 0; t < n; t++)
    {
      if (!spin->ended[t]->len && !spin->waited[t]->len)
        return TRUE; /* no execution at all */
      chosen[t] = spin->ended[t]->len ? spin->ended[t]->pdata[0] : spin->waited[t]->pdata[0];
    }
  for (guint t = 0; t < n; t++)
    for (guint i = 0; i < spin->waited[t]->len; i++)
      {
        const RspPath *first = chosen[t];
        if (!may_drop_among_others (spin, t, spin->waited[t]->pdata[i], chosen))
          return FALSE;
        chosen[t] = first;
      }
  return TRUE;
}

/* ---- Waits without an end ---- */

typedef struct Endless
{
  const RspSpin *spin;
  RspDiagnostics *diagnostics;
  const RspPath **chosen;
  guint *numbers;
  gboolean found;
} Endless;

static void
tell_state (const Endless *endless, RspTally *tally)
{
  const RspProgram *program = endless->spin->program;
  g_autoptr (RspOutcome) outcome = g_new0 (RspOutcome, 1);
  g_autoptr (GString) state = g_string_new (NULL);
  rsp_tally_finish (tally, endless->spin->budget, outcome);
  for (guint i = 0; outcome->n_states && i < outcome->n_printed; i++)
    {
      g_string_append_printf (state, " %s=", program->observables[outcome->printed[i]].name);
      rsp_value_format (program, outcome->states[0].values[i], state);
      g_string_append_c (state, ';');
    }
  for (guint t = 0; t < program->n_threads; t++)
    if (endless->chosen[t]->end == RSP_PATH_STUCK)
      rsp_warning (endless->diagnostics, endless->chosen[t]->end_span, NULL,
                   "test %s: model %s: this loop may wait for ever, in state%s", program->name,
                   endless->spin->model->name, state->str);
}

static void
search_stuck (Endless *endless)
{
  const RspSpin *spin = endless->spin;
  RspCombination *combination
      = combination_new (spin->program, spin->model, spin->options, spin->budget, endless->chosen,
                         endless->numbers, NULL);
  combination_search (combination);
  if (tally_executions (combination->tally)
      && rsp_budget_stop (spin->budget) == RSPCHECK_STOP_COMPLETE)
    {
      endless->found = TRUE;
      tell_state (endless, combination->tally);
    }
  combination_free (combination);
}

/* Each thread ends, or is stuck; one at least is. */
static void
choose_stuck (Endless *endless, guint thread, gboolean any)
{
  const RspSpin *spin = endless->spin;
  if (endless->found || rsp_budget_is_exhausted (spin->budget))
    return;
  if (thread == spin->program->n_threads)
    {
      if (any)
        search_stuck (endless);
      return;
    }
  for (guint i = 0; i < spin->stuck[thread]->len; i++)
    {
      endless->chosen[thread] = spin->stuck[thread]->pdata[i];
      choose_stuck (endless, thread + 1, TRUE);
    }
  for (guint i = 0; i < spin->ended[thread]->len; i++)
    {
      endless->chosen[thread] = spin->ended[thread]->pdata[i];
      choose_stuck (endless, thread + 1, any);
    }
}

gboolean
spin_may_never_end (const RspSpin *spin, RspDiagnostics *diagnostics)
{
  guint n = spin->program->n_threads;
  g_autofree const RspPath **chosen = g_new0 (const RspPath *, n + 1);
  g_autofree guint *numbers = g_new0 (guint, n + 1);
  Endless endless
      = { .spin = spin, .diagnostics = diagnostics, .chosen = chosen, .numbers = numbers };
  choose_stuck (&endless, 0, FALSE);
  return endless.found;
}
