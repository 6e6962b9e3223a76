#include "enumerator/search/spin.h"
#include "enumerator/paths/feasible/feasible.h"
#include "enumerator/search/combination.h"
#include "enumerator/search/screen/screen.h"
#include "enumerator/search/spin_round.h"
#include "enumerator/search/symmetry.h"
#include "enumerator/terms/value.h"

enum
{
  MAX_CASES = 1 << 18, /* in which rounds are compared, over all combinations of paths */
  SCREEN_AFTER = 64    /* combinations */
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
          else if (!path->n_waits)
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

static void
free_lists (GPtrArray **lists, guint n)
{
  for (guint i = 0; lists && i < n; i++)
    g_ptr_array_unref (lists[i]);
  g_free (lists);
}

void
spin_free_lists (RspSpin *spin)
{
  guint n = spin->program->n_threads;
  free_lists (spin->ended, n);
  free_lists (spin->waited, n);
  free_lists (spin->stuck, n);
}

/* ---- May waiting rounds be left out? ---- */

/* The combinations of all threads' paths that end, with waiting rounds and without. (A stuck path has no
 * events that a path with a waiting round lacks.) */
typedef struct Rounds
{
  Round round;       /* the combination that is looked at */
  GPtrArray **paths; /* per thread */
  RspFeasibility *feasibility;
  RspScreen *screen;
  guint n_tried; /* combinations */
} Rounds;

static void
rounds_init (Rounds *rounds, const RspSpin *spin)
{
  guint n = spin->program->n_threads;
  *rounds = (Rounds){ .round = { .spin = spin,
                                 .chosen = g_new0 (const RspPath *, n + 1),
                                 .class = g_new0 (guint, n + 1),
                                 .numbers = g_new0 (guint, n + 1),
                                 .cases = MAX_CASES },
                      .paths = new_lists (n) };
  for (guint t = 0; t < n; t++)
    {
      g_ptr_array_extend (rounds->paths[t], spin->waited[t], NULL, NULL);
      g_ptr_array_extend (rounds->paths[t], spin->ended[t], NULL, NULL);
    }
  if (!symmetry_find (spin->program, rounds->round.class))
    g_clear_pointer (&rounds->round.class, g_free);
  rsp_paths_prune (spin->program, rounds->paths, spin->budget);
  rounds->feasibility = rsp_feasibility_new (spin->program, rounds->paths, spin->budget);
  rounds->screen
      = screen_new (spin->program, spin->model, spin->options, 0, rounds->paths, spin->budget);
}

static void
rounds_clear (Rounds *rounds)
{
  screen_free (rounds->screen);
  rsp_feasibility_free (rounds->feasibility);
  free_lists (rounds->paths, rounds->round.spin->program->n_threads);
  g_free (rounds->round.class);
  g_free (rounds->round.chosen);
  g_free (rounds->round.numbers);
}

/* The thread with several waiting rounds, else the last one with any, else RSP_NO_THREAD. */
static guint
find_waiting (const Rounds *rounds)
{
  guint waiting = RSP_NO_THREAD, most = 0;
  for (guint t = rounds->round.spin->program->n_threads; t-- > 0;)
    {
      const RspPath *path = rounds->round.chosen[t];
      if (path->n_waits <= most)
        continue;
      waiting = t;
      most = path->n_waits;
    }
  return waiting;
}

/* One round may be left out; of what remains, the next may be. Screening needs a proof, which pays off if
 * there are many combinations, or if all else fails. */
static gboolean
may_drop_one (Rounds *rounds)
{
  Round *round = &rounds->round;
  round->thread = find_waiting (rounds);
  if (round->thread == RSP_NO_THREAD)
    return TRUE;
  if (round->spin->options->through != RSPCHECK_THROUGH_NONE)
    return FALSE; /* an execution that an axiom forbids counts, and so may its flags */
  gboolean screens_first = rounds->n_tried++ >= SCREEN_AFTER;
  if (screens_first && !screen_admits (rounds->screen, round->numbers))
    return TRUE;
  return round_may_go (round)
         || (!screens_first && !screen_admits (rounds->screen, round->numbers));
}

static gboolean
waits_often (const RspPath *path)
{
  return path->n_waits > 1;
}

/* Rounds are left out one after the other. So it is enough that one thread at a time waits more than
 * once. */
static gboolean
may_wait_often (const Rounds *rounds, guint thread)
{
  for (guint t = 0; t < thread; t++)
    if (waits_often (rounds->round.chosen[t]))
      return FALSE;
  return TRUE;
}

/* In all combinations of what is chosen and paths of the other threads, from thread t on. */
static gboolean
may_drop_in_all (Rounds *rounds, guint t)
{
  if (t == rounds->round.spin->program->n_threads)
    return may_drop_one (rounds);
  guint before = rounds->round.class ? symmetry_previous (rounds->round.class, t) : G_MAXUINT;
  gboolean may = TRUE;
  for (guint i = before == G_MAXUINT ? 0 : rounds->round.numbers[before];
       may && i < rounds->paths[t]->len; i++)
    {
      rounds->round.numbers[t] = i;
      rounds->round.chosen[t] = rounds->paths[t]->pdata[i];
      if (waits_often (rounds->round.chosen[t]) && !may_wait_often (rounds, t))
        continue;
      may = !rsp_feasibility_choose (rounds->feasibility, t, rounds->round.chosen[t])
            || may_drop_in_all (rounds, t + 1);
      rsp_feasibility_retract (rounds->feasibility);
    }
  return may;
}

gboolean
spin_is_whole (const RspSpin *spin)
{
  Rounds rounds;
  rounds_init (&rounds, spin);
  gboolean whole = may_drop_in_all (&rounds, 0);
  rounds_clear (&rounds);
  return whole;
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
