/* -spin last: may rounds that only wait be left out? */
#include "enumerator/bounded/bounded.h"
#include "enumerator/execution.h"
#include "enumerator/paths/paths.h"
#include "enumerator/sat/sat.h"
#include "enumerator/search/search.h"
#include "enumerator/values/values.h"
#include "model/bounds/bounds.h"
#include "model/stage/stage.h"

#include <string.h>

enum {
  /* In which rounds are compared, over all combinations of paths: before the solver is asked, and
   * if that does not know. If one combination takes too many, so do all together. */
  FEW_CASES = 1 << 11,
  MAX_CASES = 1 << 18,
  MOST_OF_ONE = 1 << 14,
  SCREEN_AFTER = 64 /* combinations */
};

/* A combination of paths, one of which has a waiting round. */
typedef struct Round {
  const RspSpin *spin;
  const RspPath **chosen; /* per thread */
  guint thread;           /* whose round is to go */
  guint *class, *numbers; /* of the threads and their paths, as for a search (search.h) */
  guint cases;            /* that may be tried; counted down */
  gboolean undecided;     /* did they not suffice for this one? */
} Round;

/* ---- Spin round ----------------------------------------------------------------------------- */

/* May a waiting round be left out of a combination of paths? */

/* ---- With the round and without ---- */
/* The pre-execution with the round and without, both staged. */
typedef struct Pair {
  RspArena *arena;
  RspPreExecution *full, *part;
  RspStaging *full_staging, *part_staging;
  RspBounds *part_bounds;
  guint *kept;              /* per event of part: the event of full */
  guint removed, n_removed; /* events of full */
} Pair;

/* NULL if the model cannot be bounded on them. Not by a template, which leaves out what its base
 * decides: the nodes of the two would no longer correspond. */
static RspStaging *stage (const RspSpin *spin, const RspPreExecution *pre, RspArena *arena) {
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  RspStageOptions options
      = { .skipped_checks = spin->options->skipped_checks, .budget = spin->budget, .direct = TRUE };
  RspStaging *staging
      = pre ? rsp_model_stage (spin->model, pre->base, &options, arena, unheard) : NULL;
  if (!staging || (!staging->needs_execution && staging->n_models == 1))
    return staging;
  rsp_staging_clear (staging);
  return NULL;
}

/* FALSE if the model cannot be compared on them. To be closed in any case. */
static gboolean open_pair (Pair *pair, const Round *round) {
  const RspSpin *spin = round->spin;
  const RspPath *path = round->chosen[round->thread];
  RspArena *arena = pair->arena = rsp_arena_new_within (spin->budget);
  pair->full = rsp_pre_execution_new (spin->program, round->chosen, arena);
  round->chosen[round->thread] = rsp_path_without (path, path->wait_begin, path->wait_end, arena);
  pair->part = rsp_pre_execution_new (spin->program, round->chosen, arena);
  round->chosen[round->thread] = path;
  pair->full_staging = stage (spin, pair->full, arena);
  pair->part_staging = stage (spin, pair->part, arena);
  if (!pair->full_staging || !pair->part_staging)
    return FALSE;
  /* Exactly the decisions about the whole that bears_removal finds are made about the part.
   */
  guint n = pair->part->n;
  const RspMatrix *none = rsp_relation_new (arena, n);
  pair->part_bounds
      = rsp_bounds_new (pair->part_staging->models[0], (RspExtent){ none, pair->part->rf.most },
                        (RspExtent){ none, pair->part->co.most }, arena);
  pair->removed = pair->full->first[round->thread] + path->wait_begin;
  pair->n_removed = path->wait_end - path->wait_begin;
  pair->kept = rsp_arena_new0 (arena, guint, n + 1);
  for (guint e = 0; e < n; e++)
    pair->kept[e] = e < pair->removed ? e : e + pair->n_removed;
  /* The initial writes are the same if a round that is left out reads what the next one reads. */
  return pair->part_bounds && pair->full->n == n + pair->n_removed;
}

/* ---- Comparing the two ---- */
typedef const guint64 *(*Row) (const RspBounds *bounds, guint leaf, guint row);

/* What event e is related to on the whole; in rf by way of removed events too: who read from a
 * read-modify-write that is removed reads from its source. */
static void find_related (const Pair *pair, const RspBounds *full, guint leaf, Row row, guint e,
                          guint64 *related) {
  guint words = rsp_words_for (pair->full->n), n = leaf == RSP_LEAF_RF ? pair->n_removed : 0;
  memcpy (related, row (full, leaf, e), sizeof *related * words);
  for (guint i = 0; i < n * n; i++) {
    guint read = pair->removed + i % n;
    const RspEvent *event = pair->full->events[read];
    /* The event that writes what the read, or that of a read-modify-write, writes back. */
    guint write = event->rmw_half && event->kind == RSP_EVENT_READ ? read + 1 : read;
    if (rsp_row_has (related, read))
      for (guint w = 0; w < words; w++)
        related[w] |= row (full, leaf, write)[w];
  }
}

/* Is what remains of each execution accepted like the whole? */
static gboolean bears_removal (const RspBounds *full, gpointer data) {
  const Pair *pair = data;
  guint n_orders = pair->part_staging->models[0]->n_orders;
  if (n_orders != pair->full_staging->models[0]->n_orders)
    return FALSE;
  rsp_bounds_push (pair->part_bounds);
  for (guint leaf = 0; leaf < RSP_LEAF_ORDER + n_orders; leaf++) {
    /* Decisions about the whole are decisions about the part. */
    RspBounds *part = pair->part_bounds;
    const guint *kept = pair->kept;
    guint64 lo[rsp_words_for (pair->full->n) + 1], hi[rsp_words_for (pair->full->n) + 1];
    for (guint a = 0; a < pair->part->n; a++) {
      find_related (pair, full, leaf, rsp_bounds_lo, kept[a], lo);
      find_related (pair, full, leaf, rsp_bounds_hi, kept[a], hi);
      for (guint b = 0; b < pair->part->n; b++)
        if (!rsp_row_has (rsp_bounds_hi (part, leaf, a), b))
          continue;
        else if (!rsp_row_has (hi, kept[b]))
          rsp_bounds_exclude (part, leaf, a, b);
        else if (rsp_row_has (lo, kept[b]) && !rsp_row_has (rsp_bounds_lo (part, leaf, a), b))
          rsp_bounds_decide (part, leaf, a, b);
    }
  }
  gboolean bears = rsp_bounds_update (pair->part_bounds)
                   && rsp_bounds_bear_removal (full, pair->part_bounds, pair->kept);
  rsp_bounds_pop (pair->part_bounds);
  return bears;
}

/* The reads of the round, and the next reads of the same locations in the thread: what a round
 * acquires is lost with it, unless the next one acquires it too. */
static guint find_reads (const Pair *pair, guint thread, guint *reads) {
  const RspPath *path = pair->full->paths[thread];
  guint first = pair->full->first[thread], n = 0;
  for (guint x = path->wait_begin; x < path->wait_end; x++) {
    if (!rsp_event_is_read (&path->events[x]))
      continue;
    guint next = path->wait_end;
    while (next < path->n_events
           && !(rsp_event_is_read (&path->events[next])
                && path->events[next].location == path->events[x].location))
      next++;
    reads[n++] = first + x;
    if (next < path->n_events)
      reads[n++] = first + next;
  }
  return n;
}

/* Where exchangeable threads are exchanged, the round of the other one is what may be left out: one
 * of those in the combination. */
static gboolean try_cases (Round *round, Pair *pair) {
  const RspSpin *spin = round->spin;
  RspStatistics statistics = { 0 };
  RspCheckOptions options = *spin->options;
  g_autoptr (GArray) flags = search_flags_new ();
  RspSearch search = { .model = spin->model,
                       .pre = pair->full,
                       .options = &options,
                       .budget = spin->budget,
                       .class = round->class,
                       .numbers = round->numbers,
                       .statistics = &statistics,
                       .flags = flags };
  const guint most = MIN (round->cases, MOST_OF_ONE);
  guint left = most;
  options.disabled = 0; /* the answer depends on no feature of the engine */
  guint *reads = rsp_arena_new0 (pair->arena, guint, 2 * pair->full->n + 1);
  RspCases cases = { .reads = reads,
                     .n_reads = find_reads (pair, round->thread, reads),
                     .left = &left,
                     .holds = bears_removal,
                     .data = pair };
  const RspStagedModel *model = pair->full_staging->models[0];
  const gboolean holds
      = final_writes_have_sources (&search, model, pair->removed, pair->removed + pair->n_removed)
        && cases_try (&search, model, &cases);
  round->cases -= most - left;
  round->undecided = !left;
  return holds;
}

/* ---- Spin ----------------------------------------------------------------------------------- */

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

static gboolean waits_often (const RspPath *path) { return path->n_waits > 1; }

/* In all combinations of what is chosen and paths of the other threads, from thread t on. */
static gboolean may_drop_in_all (Rounds *rounds, guint t) {
  if (t == rounds->round.spin->program->n_threads) {
    /* One round may be left out; of what remains, the next may be. Screening needs a proof, which
     * pays off if there are many combinations, or if all else fails. */
    Round *round = &rounds->round;
    round->thread = RSP_NO_THREAD; /* with several waiting rounds, else the last one with any */
    for (guint other = t, most = 0; other-- > 0;)
      if (round->chosen[other]->n_waits > most) {
        round->thread = other;
        most = round->chosen[other]->n_waits;
      }
    if (round->thread == RSP_NO_THREAD)
      return TRUE;
    if (round->spin->options->through != RSPCHECK_THROUGH_NONE)
      return FALSE; /* an execution that an axiom forbids counts, and so may its flags */
    gboolean screens_first = rounds->n_tried++ >= SCREEN_AFTER;
    if (screens_first && !screen_admits (rounds->screen, round->numbers))
      return TRUE;
    /* Is the model's verdict on each execution of the combination also one on what is left without
     * the round (model/bounds/bounds.h)? */
    Pair pair = { 0 };
    gboolean may = open_pair (&pair, round) && try_cases (round, &pair);
    rsp_bounds_free (pair.part_bounds);
    if (pair.full_staging)
      rsp_staging_clear (pair.full_staging);
    if (pair.part_staging)
      rsp_staging_clear (pair.part_staging);
    rsp_arena_free (pair.arena);
    return may || (!screens_first && !screen_admits (rounds->screen, round->numbers));
  }
  guint before = rounds->round.class ? symmetry_previous (rounds->round.class, t) : G_MAXUINT;
  gboolean may = TRUE;
  for (guint i = before == G_MAXUINT ? 0 : rounds->round.numbers[before];
       may && i < rounds->paths[t]->len; i++) {
    rounds->round.numbers[t] = i;
    rounds->round.chosen[t] = rounds->paths[t]->pdata[i];
    /* Rounds are left out one after the other. So it is enough that one thread at a time waits more
     * than once. */
    guint other = waits_often (rounds->round.chosen[t]) ? 0 : t;
    while (other < t && !waits_often (rounds->round.chosen[other]))
      other++;
    if (other < t)
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
  *undecided = !whole && rounds.round.undecided;
  screen_free (rounds.screen);
  rsp_feasibility_free (rounds.feasibility);
  free_lists (rounds.paths, rounds.round.spin->program->n_threads);
  g_free (rounds.round.class);
  g_free (rounds.round.chosen);
  g_free (rounds.round.numbers);
  return whole;
}

/* ---- A few threads ---- */
/* May a round not be left out already of what a few threads do before the others begin? Then no
 * proof for all is worth a try. */
static gboolean few_object (const RspSpin *spin, guint cases) {
  guint n = spin->program->n_threads;
  RspProgram program = *spin->program;
  RspSpin own = *spin;
  RspPath idle = { .end = RSP_PATH_COMPLETE };
  gboolean undecided, barriers = FALSE;
  g_autofree gboolean *chosen = g_new0 (gboolean, n + 1);
  g_autoptr (RspArena) arena = rsp_arena_new ();
  /* Marks two threads in each of two nodes of the outermost level that divides the threads. */
  RspLevel outermost = RSP_LEVEL_SYSTEM;
  for (guint l = RSP_N_LEVELS; l-- > 0;)
    for (guint t = 1; t < program.n_threads; t++)
      if (!rsp_threads_share (&program.threads[0], &program.threads[t], l))
        outermost = l;
  guint nodes = 0;
  for (guint t = 0; t < program.n_threads; t++) {
    guint before = 0;
    for (guint s = 0; s < t; s++)
      before
          += chosen[s] && rsp_threads_share (&program.threads[s], &program.threads[t], outermost);
    chosen[t] = before ? before < 2 : nodes < 2;
    nodes += !before && chosen[t];
  }
  rsp_program_hide_registers (&program); /* of the others */
  idle.po = idle.addr = idle.data = idle.ctrl = rsp_relation_new (arena, 0);
  own.program = &program;
  own.ended = new_lists (n);
  own.waited = new_lists (n);
  for (guint t = 0; t < n; t++) {
    barriers |= rsp_paths_meet (spin->ended[t]) || rsp_paths_meet (spin->waited[t]);
    if (!chosen[t])
      g_ptr_array_add (own.ended[t], &idle);
    else {
      g_ptr_array_extend (own.ended[t], spin->ended[t], NULL, NULL);
      g_ptr_array_extend (own.waited[t], spin->waited[t], NULL, NULL);
    }
  }
  gboolean objects = !barriers && !is_whole_by_cases (&own, cases, &undecided) && !undecided;
  spin_free_lists (&own);
  return objects;
}

gboolean spin_is_whole (const RspSpin *spin) {
  guint few = spin->options->spin_cases ? spin->options->spin_cases : FEW_CASES;
  gboolean undecided, waits = FALSE;
  for (guint t = 0; t < spin->program->n_threads; t++)
    waits |= spin->waited[t]->len > 0;
  if (!waits || is_whole_by_cases (spin, few, &undecided))
    return TRUE;
  return undecided && spin->options->through == RSPCHECK_THROUGH_NONE && !few_object (spin, few)
         && (sat_rounds_may_go (spin) || is_whole_by_cases (spin, MAX_CASES, &undecided));
}
