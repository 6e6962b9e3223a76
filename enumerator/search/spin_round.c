#include "enumerator/search/spin_round.h"
#include "enumerator/event.h"
#include "enumerator/paths/loops/cut.h"
#include "enumerator/search/bounded/cases/cases.h"
#include "enumerator/search/bounded/cases/final_write.h"
#include "enumerator/search/bounded/searcher.h"
#include "model/bounds/remove.h"
#include "model/stage/template/template.h"

#include <string.h>

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

/* The initial writes are the same, as a round that is left out reads what the next one reads; where
 * they are not, NULL. */
static guint *match_events (Pair *pair, guint thread, const RspPath *path) {
  pair->removed = pair->full->first[thread] + path->wait_begin;
  pair->n_removed = path->wait_end - path->wait_begin;
  if (pair->full->n != pair->part->n + pair->n_removed)
    return NULL;
  guint *kept = rsp_arena_new0 (pair->arena, guint, pair->part->n + 1);
  for (guint e = 0; e < pair->part->n; e++)
    kept[e] = e < pair->removed ? e : e + pair->n_removed;
  return kept;
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
  /* What is decided of the part is what restrict_leaf finds decided of the whole, and nothing else.
   */
  const RspMatrix *none = rsp_relation_new (arena, pair->part->n);
  pair->part_bounds
      = rsp_bounds_new (pair->part_staging->models[0], (RspExtent){ none, pair->part->rf.most },
                        (RspExtent){ none, pair->part->co.most }, arena);
  pair->kept = match_events (pair, round->thread, path);
  return pair->part_bounds && pair->kept;
}

static void close_pair (Pair *pair) {
  rsp_bounds_free (pair->part_bounds);
  if (pair->full_staging)
    rsp_staging_clear (pair->full_staging);
  if (pair->part_staging)
    rsp_staging_clear (pair->part_staging);
  rsp_arena_free (pair->arena);
}

/* ---- Comparing the two ---- */

typedef const guint64 *(*Row) (const RspBounds *bounds, guint leaf, guint row);

/* The event that writes what a read, or the read of a read-modify-write of two events, writes back.
 */
static guint write_of (const Pair *pair, guint read) {
  const RspEvent *event = pair->full->events[read];
  return event->rmw_half && event->kind == RSP_EVENT_READ ? read + 1 : read;
}

/* What event e is related to on the whole; in rf by way of removed events too: who read from a
 * read-modify-write that is removed reads from its source. */
static void find_related (const Pair *pair, const RspBounds *full, guint leaf, Row row, guint e,
                          guint64 *related) {
  guint words = rsp_words_for (pair->full->n), n = leaf == RSP_LEAF_RF ? pair->n_removed : 0;
  memcpy (related, row (full, leaf, e), sizeof *related * words);
  for (guint i = 0; i < n * n; i++)
    if (rsp_row_has (related, pair->removed + i % n))
      for (guint w = 0; w < words; w++)
        related[w] |= row (full, leaf, write_of (pair, pair->removed + i % n))[w];
}

/* What is decided of the whole is decided of the part. */
static void restrict_leaf (const Pair *pair, const RspBounds *full, guint leaf) {
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

/* Is what remains of each execution accepted like the whole? */
static gboolean bears_removal (const RspBounds *full, gpointer data) {
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
  options.disabled = 0; /* the answer depends on no feature of the engine */
  guint *reads = rsp_arena_new0 (pair->arena, guint, 2 * pair->full->n + 1);
  RspCases cases = { .reads = reads,
                     .n_reads = find_reads (pair, round->thread, reads),
                     .left = &round->cases,
                     .holds = bears_removal,
                     .data = pair };
  const RspStagedModel *model = pair->full_staging->models[0];
  return final_writes_have_sources (&search, model, pair->removed, pair->removed + pair->n_removed)
         && cases_try (&search, model, &cases);
}

gboolean round_may_go (Round *round) {
  Pair pair = { 0 };
  gboolean may = open_pair (&pair, round) && try_cases (round, &pair);
  close_pair (&pair);
  return may;
}
