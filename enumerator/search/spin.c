#include "enumerator/search/spin.h"
#include "enumerator/paths/feasible/feasible.h"
#include "enumerator/search/places.h"
#include "enumerator/search/sat/proofs/rounds.h"
#include "enumerator/search/screen/screen.h"
#include "enumerator/search/spin_round.h"
#include "enumerator/search/symmetry.h"

enum {
  /* In which rounds are compared, over all combinations of paths: before the solver is asked, and
   * if that does not know. */
  FEW_CASES = 1 << 11,
  MAX_CASES = 1 << 18,
  SCREEN_AFTER = 64 /* combinations */
};

/* ---- Kinds of paths ---- */

static GPtrArray **new_lists (guint n) {
  GPtrArray **lists = g_new (GPtrArray *, n + 1);
  for (guint i = 0; i < n; i++)
    lists[i] = g_ptr_array_new ();
  return lists;
}

void spin_sort_paths (RspSpin *spin, GPtrArray **all) {
  guint n = spin->program->n_threads;
  spin->ended = new_lists (n);
  spin->waited = new_lists (n);
  for (guint t = 0; t < n; t++) {
    GPtrArray *paths = all[t];
    guint kept = 0;
    for (guint i = 0; i < paths->len; i++) {
      RspPath *path = paths->pdata[i];
      if (!path->n_waits) {
        paths->pdata[kept++] = path;
        if (path->end == RSP_PATH_COMPLETE)
          g_ptr_array_add (spin->ended[t], path);
      } else if (path->end == RSP_PATH_COMPLETE)
        g_ptr_array_add (spin->waited[t], path);
    }
    g_ptr_array_set_size (paths, (gint) kept);
  }
}

static void free_lists (GPtrArray **lists, guint n) {
  for (guint i = 0; lists && i < n; i++)
    g_ptr_array_unref (lists[i]);
  g_free (lists);
}

void spin_free_lists (RspSpin *spin) {
  guint n = spin->program->n_threads;
  free_lists (spin->ended, n);
  free_lists (spin->waited, n);
}

/* ---- May waiting rounds be left out? ---- */

/* The combinations of all threads' paths that end, with waiting rounds and without. */
typedef struct Rounds {
  Round round;       /* the combination that is looked at */
  GPtrArray **paths; /* per thread */
  RspFeasibility *feasibility;
  RspScreen *screen;
  guint n_tried; /* combinations */
} Rounds;

static void rounds_init (Rounds *rounds, const RspSpin *spin, guint cases) {
  guint n = spin->program->n_threads;
  *rounds = (Rounds){ .round = { .spin = spin,
                                 .chosen = g_new0 (const RspPath *, n + 1),
                                 .class = g_new0 (guint, n + 1),
                                 .numbers = g_new0 (guint, n + 1),
                                 .cases = cases },
                      .paths = new_lists (n) };
  for (guint t = 0; t < n; t++) {
    g_ptr_array_extend (rounds->paths[t], spin->waited[t], NULL, NULL);
    g_ptr_array_extend (rounds->paths[t], spin->ended[t], NULL, NULL);
  }
  rsp_paths_prune (spin->program, rounds->paths, spin->budget);
  if (!places_find_classes (spin->program, spin->model, rounds->paths, spin->budget,
                            rounds->round.class))
    g_clear_pointer (&rounds->round.class, g_free);
  rounds->feasibility = rsp_feasibility_new (spin->program, rounds->paths, spin->budget);
  rounds->screen
      = screen_new (spin->program, spin->model, spin->options, 0, rounds->paths, spin->budget);
}

static void rounds_clear (Rounds *rounds) {
  screen_free (rounds->screen);
  rsp_feasibility_free (rounds->feasibility);
  free_lists (rounds->paths, rounds->round.spin->program->n_threads);
  g_free (rounds->round.class);
  g_free (rounds->round.chosen);
  g_free (rounds->round.numbers);
}

/* The thread with several waiting rounds, else the last one with any, else RSP_NO_THREAD. */
static guint find_waiting (const Rounds *rounds) {
  guint waiting = RSP_NO_THREAD, most = 0;
  for (guint t = rounds->round.spin->program->n_threads; t-- > 0;) {
    const RspPath *path = rounds->round.chosen[t];
    if (path->n_waits <= most)
      continue;
    waiting = t;
    most = path->n_waits;
  }
  return waiting;
}

/* One round may be left out; of what remains, the next may be. Screening needs a proof, which pays
 * off if there are many combinations, or if all else fails. */
static gboolean may_drop_one (Rounds *rounds) {
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

static gboolean waits_often (const RspPath *path) { return path->n_waits > 1; }

/* Rounds are left out one after the other. So it is enough that one thread at a time waits more
 * than once. */
static gboolean may_wait_often (const Rounds *rounds, guint thread) {
  for (guint t = 0; t < thread; t++)
    if (waits_often (rounds->round.chosen[t]))
      return FALSE;
  return TRUE;
}

/* In all combinations of what is chosen and paths of the other threads, from thread t on. */
static gboolean may_drop_in_all (Rounds *rounds, guint t) {
  if (t == rounds->round.spin->program->n_threads)
    return may_drop_one (rounds);
  guint before = rounds->round.class ? symmetry_previous (rounds->round.class, t) : G_MAXUINT;
  gboolean may = TRUE;
  for (guint i = before == G_MAXUINT ? 0 : rounds->round.numbers[before];
       may && i < rounds->paths[t]->len; i++) {
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

/* undecided: the cases did not suffice. */
static gboolean is_whole_by_cases (const RspSpin *spin, guint cases, gboolean *undecided) {
  Rounds rounds;
  rounds_init (&rounds, spin, cases);
  gboolean whole = may_drop_in_all (&rounds, 0);
  *undecided = !whole && !rounds.round.cases;
  rounds_clear (&rounds);
  return whole;
}

gboolean spin_is_whole (const RspSpin *spin) {
  guint few = spin->options->spin_cases ? spin->options->spin_cases : FEW_CASES;
  gboolean undecided;
  if (is_whole_by_cases (spin, few, &undecided))
    return TRUE;
  return undecided && spin->options->through == RSPCHECK_THROUGH_NONE
         && (sat_rounds_may_go (spin) || is_whole_by_cases (spin, MAX_CASES, &undecided));
}
