#include "enumerator/search/spin_round.h"
#include "enumerator/event.h"
#include "enumerator/search/bounded/cases.h"
#include "enumerator/search/bounded/searcher.h"
#include "model/bounds/remove.h"
#include "model/stage/stage.h"

/* ---- With the round and without ---- */

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

/* The path without its waiting round; computed values are left out. */
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

/* The pre-execution with the round and without, both staged. */
typedef struct Pair
{
  RspArena *arena;
  RspPreExecution *full, *part;
  RspStaging *full_staging, *part_staging;
  RspBounds *part_bounds;
  guint *kept; /* per event of part: the event of full */
} Pair;

/* NULL if the model cannot be bounded on them. */
static RspStaging *
stage (const RspSpin *spin, const RspPreExecution *pre, RspArena *arena)
{
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  RspStageOptions options
      = { .skipped_checks = spin->options->skipped_checks, .budget = spin->budget };
  RspStaging *staging
      = pre ? rsp_model_stage (spin->model, pre->base, &options, arena, unheard) : NULL;
  if (!staging || (!staging->needs_execution && staging->n_models == 1))
    return staging;
  rsp_staging_clear (staging);
  return NULL;
}

/* The initial writes are the same, as a round that is left out reads what the next one reads; where they
 * are not, NULL. */
static guint *
match_events (const Pair *pair, guint thread, const RspPath *path)
{
  guint removed = path->wait_end - path->wait_begin;
  guint begin = pair->full->first[thread] + path->wait_begin;
  if (pair->full->n != pair->part->n + removed)
    return NULL;
  guint *kept = rsp_arena_new0 (pair->arena, guint, pair->part->n + 1);
  for (guint e = 0; e < pair->part->n; e++)
    kept[e] = e < begin ? e : e + removed;
  return kept;
}

/* FALSE if the model cannot be compared on them. To be closed in any case. */
static gboolean
open_pair (Pair *pair, const Round *round)
{
  const RspSpin *spin = round->spin;
  const RspPath *path = round->chosen[round->thread];
  RspArena *arena = pair->arena = rsp_arena_new_within (spin->budget);
  pair->full = rsp_pre_execution_new (spin->program, round->chosen, arena);
  round->chosen[round->thread] = without_round (path, arena);
  pair->part = rsp_pre_execution_new (spin->program, round->chosen, arena);
  round->chosen[round->thread] = path;
  pair->full_staging = stage (spin, pair->full, arena);
  pair->part_staging = stage (spin, pair->part, arena);
  if (!pair->full_staging || !pair->part_staging)
    return FALSE;
  pair->part_bounds = searcher_bounds (pair->part, pair->part_staging->models[0], arena);
  pair->kept = match_events (pair, round->thread, path);
  return pair->part_bounds && pair->kept;
}

static void
close_pair (Pair *pair)
{
  rsp_bounds_free (pair->part_bounds);
  if (pair->full_staging)
    rsp_staging_clear (pair->full_staging);
  if (pair->part_staging)
    rsp_staging_clear (pair->part_staging);
  rsp_arena_free (pair->arena);
}

/* ---- Comparing the two ---- */

/* What is decided of the whole is decided of the part. */
static void
restrict_leaf (const Pair *pair, const RspBounds *full, guint leaf)
{
  RspBounds *part = pair->part_bounds;
  const guint *kept = pair->kept;
  for (guint a = 0; a < pair->part->n; a++)
    {
      const guint64 *lo = rsp_bounds_lo (full, leaf, kept[a]),
                    *hi = rsp_bounds_hi (full, leaf, kept[a]);
      for (guint b = 0; b < pair->part->n; b++)
        if (!rsp_row_has (rsp_bounds_hi (part, leaf, a), b))
          continue;
        else if (!rsp_row_has (hi, kept[b]))
          rsp_bounds_exclude (part, leaf, a, b);
        else if (rsp_row_has (lo, kept[b]) && !rsp_row_has (rsp_bounds_lo (part, leaf, a), b))
          rsp_bounds_decide (part, leaf, a, b);
    }
}

/* Is what remains of each execution accepted like the whole? */
static gboolean
bears_removal (const RspBounds *full, gpointer data)
{
  const Pair *pair = data;
  guint n_orders = pair->part_staging->models[0]->n_orders;
  if (n_orders != pair->full_staging->models[0]->n_orders)
    return FALSE;
  rsp_bounds_push (pair->part_bounds);
  for (guint leaf = 0; leaf < RSP_LEAF_ORDER + n_orders; leaf++)
    restrict_leaf (pair, full, leaf);
  gboolean bears = rsp_bounds_update (pair->part_bounds)
                   && rsp_bounds_bear_removal (full, pair->part_bounds, pair->kept);
  rsp_bounds_pop (pair->part_bounds);
  return bears;
}

/* The reads of the round, and the next reads of the same locations in the thread: what a round acquires
 * is lost with it, unless the next one acquires it too. */
static guint
find_reads (const Pair *pair, guint thread, guint *reads)
{
  const RspPath *path = pair->full->paths[thread];
  guint first = pair->full->first[thread], n = 0;
  for (guint x = path->wait_begin; x < path->wait_end; x++)
    {
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

/* Where exchangeable threads are exchanged, the round of the other one is what may be left out: one of
 * those in the combination. */
static gboolean
try_cases (Round *round, Pair *pair)
{
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
  options.disabled = 0; /* the answer depends on no feature of the engine */
  guint *reads = rsp_arena_new0 (pair->arena, guint, 2 * pair->full->n + 1);
  RspCases cases = { .reads = reads,
                     .n_reads = find_reads (pair, round->thread, reads),
                     .left = &round->cases,
                     .holds = bears_removal,
                     .data = pair };
  return cases_try (&search, pair->full_staging->models[0], &cases);
}

gboolean
round_may_go (Round *round)
{
  Pair pair = { 0 };
  gboolean may = open_pair (&pair, round) && try_cases (round, &pair);
  close_pair (&pair);
  return may;
}
