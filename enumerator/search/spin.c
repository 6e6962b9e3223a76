#include "enumerator/search/spin.h"
#include "enumerator/search/combination.h"
#include "enumerator/search/spin_round.h"
#include "enumerator/terms/value.h"

enum
{
  /* limit of combinations of other threads' paths tried for one path with a round */
  FEW_COMBINATIONS = 64,
  MAX_COMBINATIONS = 500 /* case by case */
};

/* ---- Kinds of paths ---- */

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

/* Can the round of `path` of `thread` be left out, with the others' paths as chosen? */
typedef gboolean (*MayGo) (const RspSpin *spin, guint thread, const RspPath *path,
                           const RspPath **chosen);

/* With all combinations of the other threads' paths, from thread t on, each with a waiting round or
 * without. */
static gboolean
may_drop_in_all (const RspSpin *spin, guint thread, const RspPath *path, const RspPath **chosen,
                 guint t, MayGo may_go)
{
  if (t == spin->program->n_threads)
    return may_go (spin, thread, path, chosen);
  if (t == thread)
    return may_drop_in_all (spin, thread, path, chosen, t + 1, may_go);
  const RspPath *first = chosen[t];
  const GPtrArray *lists[] = { spin->ended[t], spin->waited[t] };
  gboolean may = TRUE;
  for (guint k = 0; k < G_N_ELEMENTS (lists); k++)
    for (guint i = 0; may && i < lists[k]->len; i++)
      {
        chosen[t] = lists[k]->pdata[i];
        may = !rsp_budget_is_exhausted (spin->budget)
              && may_drop_in_all (spin, thread, path, chosen, t + 1, may_go);
      }
  chosen[t] = first;
  return may;
}

/* Tries every path of each other thread, one at a time, the rest as chosen: a model relates a read
 * mostly to what it reads from and to its own thread. */
static gboolean
may_drop_among_others (const RspSpin *spin, guint thread, const RspPath *path,
                       const RspPath **chosen)
{
  for (guint t = 0; t < spin->program->n_threads; t++)
    {
      const RspPath *first = chosen[t];
      const GPtrArray *lists[] = { spin->ended[t], spin->waited[t] };
      gboolean may = TRUE;
      for (guint k = 0; k < G_N_ELEMENTS (lists); k++)
        for (guint i = 0; may && t != thread && i < lists[k]->len; i++)
          {
            chosen[t] = lists[k]->pdata[i];
            may = !rsp_budget_is_exhausted (spin->budget)
                  && round_may_go (spin, thread, path, chosen);
          }
      chosen[t] = first;
      if (!may)
        return FALSE;
    }
  return TRUE;
}

/* The number of these combinations, at most MAX_COMBINATIONS + 1. */
static guint
count_others (const RspSpin *spin, guint thread)
{
  guint n = 1;
  for (guint t = 0; t < spin->program->n_threads && n <= MAX_COMBINATIONS; t++)
    if (t != thread)
      n = MIN (n * (spin->ended[t]->len + spin->waited[t]->len), MAX_COMBINATIONS + 1);
  return n;
}

static gboolean
may_drop (const RspSpin *spin, guint thread, const RspPath *path, const RspPath *const *first)
{
  guint n = spin->program->n_threads;
  g_autofree const RspPath **chosen = g_memdup2 (first, sizeof *first * n);
  guint others = count_others (spin, thread);
  if (others <= FEW_COMBINATIONS ? may_drop_in_all (spin, thread, path, chosen, 0, round_may_go)
                                 : may_drop_among_others (spin, thread, path, chosen))
    return TRUE;
  return others <= MAX_COMBINATIONS
         && may_drop_in_all (spin, thread, path, chosen, 0, round_may_go_by_cases);
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
      if (!may_drop (spin, t, spin->waited[t]->pdata[i], chosen))
        return FALSE;
  return TRUE;
}

/* ---- Endless waits ---- */

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
                   "test %s: model %s: this loop may wait for ever in state%s", program->name,
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

/* Each thread ends or is stuck; at least one is stuck. */
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
