#include "enumerator/search/spin_round.h"
#include "model/bounds/bounds.h"
#include "model/bounds/remove.h"
#include "model/stage/stage.h"

enum
{
  MAX_CASES = 4096 /* limit of cases of what the reads of one round, and of the next, read from */
};

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

/* A staged pre-execution with its bounds, with nothing decided; bounds is NULL if there are
 * none. */
typedef struct Staged
{
  RspPreExecution *pre;
  RspStaging *staging;
  RspBounds *bounds;
} Staged;

static gboolean
is_initial (const RspPreExecution *pre, guint event)
{
  return pre->initial[pre->events[event]->location] == event;
}

/* Nothing is before an initial write. */
static RspMatrix *
every_co (const RspPreExecution *pre, RspArena *arena)
{
  RspMatrix *co = rsp_relation_new (arena, pre->n);
  const RspMatrix *writes = pre->base->sets[RSP_BASE_SET_W];
  for (all_bits (x, writes->bits, writes->words))
    for (all_bits (y, writes->bits, writes->words))
      if (x != y && pre->events[x]->location == pre->events[y]->location && !is_initial (pre, y))
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

/* Maps events of the part to events of the whole. The initial writes are the same, since the next
 * round reads the same locations as the one left out; NULL if they are not. */
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

/* The pre-executions with and without the round, and the events of the former that remain. */
typedef struct Pair
{
  RspArena *arena;
  Staged full, part;
  const guint *kept;
  guint *image; /* per event of full: the event of part, or G_MAXUINT */
} Pair;

/* FALSE if the model cannot be compared on them. To be closed in any case. */
static gboolean
open_pair (Pair *pair, const RspSpin *spin, guint thread, const RspPath *path,
           const RspPath **chosen)
{
  const RspPath *before = chosen[thread];
  RspArena *arena = pair->arena = rsp_arena_new ();
  chosen[thread] = path;
  pair->full = stage (spin, chosen, arena);
  chosen[thread] = without_round (path, arena);
  pair->part = stage (spin, chosen, arena);
  chosen[thread] = before;
  if (!pair->full.bounds || !pair->part.bounds)
    return FALSE;
  pair->kept = match_events (&pair->full, &pair->part, thread, path, arena);
  pair->image = rsp_arena_new0 (arena, guint, pair->full.pre->n + 1);
  for (guint e = 0; e < pair->full.pre->n; e++)
    pair->image[e] = G_MAXUINT;
  for (guint e = 0; pair->kept && e < pair->part.pre->n; e++)
    pair->image[pair->kept[e]] = e;
  return pair->kept != NULL;
}

static void
close_pair (Pair *pair)
{
  unstage (&pair->full);
  unstage (&pair->part);
  rsp_arena_free (pair->arena);
}

gboolean
round_may_go (const RspSpin *spin, guint thread, const RspPath *path, const RspPath **chosen)
{
  Pair pair;
  gboolean may = open_pair (&pair, spin, thread, path, chosen)
                 && rsp_bounds_bear_removal (pair.full.bounds, pair.part.bounds, pair.kept);
  close_pair (&pair);
  return may;
}

/* ---- Case by case ----
 *
 * What a round acquires is lost with it, unless the next one acquires it too. That depends on what
 * both read from, and on the coherence of these writes: each case is decided in both
 * pre-executions, which are then compared. A case in which an axiom fails is not an execution. */

/* A read of the round, and the next read of its location in the thread (G_MAXUINT if there is none). */
typedef struct Twin
{
  guint read, next;
} Twin;

typedef struct Cases
{
  const Pair *pair;
  Twin *twins;
  guint n_twins;
  guint *source; /* per event of full: what it reads from, or G_MAXUINT */
  guint left;    /* cases that may still be tried */
} Cases;

static void
find_twins (Cases *cases, guint thread, const RspPath *path)
{
  guint begin = cases->pair->full.pre->first[thread];
  cases->twins = rsp_arena_new0 (cases->pair->arena, Twin, path->wait_end - path->wait_begin + 1);
  for (guint x = path->wait_begin; x < path->wait_end; x++)
    {
      guint next = path->wait_end;
      while (next < path->n_events
             && !((path->events[next].kind == RSP_EVENT_READ
                   || path->events[next].kind == RSP_EVENT_RMW)
                  && path->events[next].location == path->events[x].location))
        next++;
      cases->twins[cases->n_twins++]
          = (Twin){ begin + x, next < path->n_events ? begin + next : G_MAXUINT };
    }
}

/* Changes a pair of rf or co (rsp_bounds_decide, rsp_bounds_exclude): in both where both of its events
 * are in both. */
static void
change (const Pair *pair, void (*how) (RspBounds *, guint, guint, guint), guint leaf, guint a,
        guint b)
{
  guint x = pair->image[a], y = pair->image[b];
  how (pair->full.bounds, leaf, a, b);
  if (x != G_MAXUINT && y != G_MAXUINT)
    how (pair->part.bounds, leaf, x, y);
}

static gboolean
is_in (const RspBounds *bounds, const guint64 *(*side) (const RspBounds *, guint, guint),
       guint leaf, guint a, guint b)
{
  return side (bounds, leaf, a)[b / 64] >> (b % 64) & 1;
}

/* FALSE if that contradicts earlier decisions. */
static gboolean
require (const Pair *pair, guint leaf, guint a, guint b)
{
  const RspBounds *bounds = pair->full.bounds;
  if (is_in (bounds, rsp_bounds_lo, leaf, a, b))
    return TRUE;
  if (!is_in (bounds, rsp_bounds_hi, leaf, a, b))
    return FALSE;
  change (pair, rsp_bounds_decide, leaf, a, b);
  return TRUE;
}

static gboolean
forbid (const Pair *pair, guint leaf, guint a, guint b)
{
  const RspBounds *bounds = pair->full.bounds;
  if (is_in (bounds, rsp_bounds_lo, leaf, a, b))
    return FALSE;
  if (is_in (bounds, rsp_bounds_hi, leaf, a, b))
    change (pair, rsp_bounds_exclude, leaf, a, b);
  return TRUE;
}

/* Pairs that open axioms force in the whole also hold in the part, which is the rest of an
 * execution of the whole. FALSE if that is contradictory. */
static gboolean
apply_forced (const Pair *pair, const GArray *forced)
{
  for (guint i = 0; i < forced->len; i++)
    {
      const RspForced *f = &g_array_index (forced, RspForced, i);
      gboolean is_order = f->leaf != RSP_LEAF_RF;
      if (!(f->required ? require (pair, f->leaf, f->a, f->b) : forbid (pair, f->leaf, f->a, f->b)))
        return FALSE;
      if (is_order
          && !(f->required ? forbid (pair, f->leaf, f->b, f->a)
                           : require (pair, f->leaf, f->b, f->a)))
        return FALSE;
    }
  return TRUE;
}

/* FALSE if no execution agrees with the decisions. */
static gboolean
propagate (const Pair *pair)
{
  g_autoptr (GArray) forced = g_array_new (FALSE, FALSE, sizeof (RspForced));
  do
    {
      if (!apply_forced (pair, forced))
        return FALSE;
      g_array_set_size (forced, 0);
      if (!rsp_bounds_update (pair->full.bounds))
        return FALSE;
      rsp_bounds_force (pair->full.bounds, forced);
    }
  while (forced->len);
  return TRUE;
}

static gboolean holds_of_reads (Cases *cases, guint i);
static gboolean holds_of_orders (Cases *cases, guint i);

/* Tries the remaining cases, from the i-th read on, given the decisions since the push, if these
 * are possible. */
static gboolean
holds_of_rest (Cases *cases, gboolean possible, guint i, gboolean (*rest) (Cases *cases, guint i))
{
  const Pair *pair = cases->pair;
  gboolean holds = TRUE;
  if (!cases->left)
    holds = FALSE;
  else if (possible && propagate (pair))
    holds = rsp_bounds_update (pair->part.bounds) && rest (cases, i);
  cases->left -= MIN (cases->left, 1);
  rsp_bounds_pop (pair->full.bounds);
  rsp_bounds_pop (pair->part.bounds);
  return holds;
}

static void
push (const Pair *pair)
{
  rsp_bounds_push (pair->full.bounds);
  rsp_bounds_push (pair->part.bounds);
}

static gboolean
holds_in_order (Cases *cases, guint i, guint first, guint second)
{
  push (cases->pair);
  gboolean possible = require (cases->pair, RSP_LEAF_CO, first, second)
                      && forbid (cases->pair, RSP_LEAF_CO, second, first);
  return holds_of_rest (cases, possible, i + 1, holds_of_orders);
}

/* Tries each coherence order of the writes that the i-th read of the round and its twin read
 * from. */
static gboolean
holds_of_orders (Cases *cases, guint i)
{
  const Pair *pair = cases->pair;
  if (i == cases->n_twins)
    return rsp_bounds_bear_removal (pair->full.bounds, pair->part.bounds, pair->kept);
  const Twin *twin = &cases->twins[i];
  guint a = cases->source[twin->read];
  guint b = twin->next == G_MAXUINT ? a : cases->source[twin->next];
  if (a == b)
    return holds_of_orders (cases, i + 1);
  return (is_initial (pair->full.pre, b) || holds_in_order (cases, i, a, b))
         && (is_initial (pair->full.pre, a) || holds_in_order (cases, i, b, a));
}

/* Tries each write that read number i may read from: reads of the round first, then their twins. */
static gboolean
holds_of_reads (Cases *cases, guint i)
{
  const Pair *pair = cases->pair;
  if (i == 2 * cases->n_twins)
    return holds_of_orders (cases, 0);
  const Twin *twin = &cases->twins[i / 2];
  guint read = i % 2 ? twin->next : twin->read;
  if (read == G_MAXUINT || cases->source[read] != G_MAXUINT)
    return holds_of_reads (cases, i + 1);
  const RspMatrix *candidates = pair->full.pre->candidates;
  gboolean holds = TRUE;
  for (guint w = 0; w < pair->full.pre->n && holds; w++)
    if (rsp_matrix_get (candidates, read, w))
      {
        push (pair);
        gboolean possible = require (pair, RSP_LEAF_RF, w, read);
        for (guint other = 0; other < pair->full.pre->n; other++)
          if (other != w && rsp_matrix_get (candidates, read, other))
            possible &= forbid (pair, RSP_LEAF_RF, other, read);
        cases->source[read] = w;
        holds = holds_of_rest (cases, possible, i + 1, holds_of_reads);
      }
  cases->source[read] = G_MAXUINT;
  return holds;
}

/* Decides that initial writes precede all others. */
static void
decide_initial (const Pair *pair)
{
  const RspPreExecution *pre = pair->full.pre;
  for (guint x = 0; x < pre->n; x++)
    for (guint y = 0; y < pre->n; y++)
      if (rsp_set_has (pre->base->sets[RSP_BASE_SET_W], x)
          && rsp_set_has (pre->base->sets[RSP_BASE_SET_W], y)
          && pre->events[x]->location == pre->events[y]->location && is_initial (pre, x)
          && !is_initial (pre, y))
        change (pair, rsp_bounds_decide, RSP_LEAF_CO, x, y);
}

static gboolean
holds_in_all_cases (const Pair *pair, guint thread, const RspPath *path)
{
  Cases cases = { .pair = pair, .left = MAX_CASES };
  cases.source = rsp_arena_new0 (pair->arena, guint, pair->full.pre->n + 1);
  for (guint e = 0; e < pair->full.pre->n; e++)
    cases.source[e] = G_MAXUINT;
  find_twins (&cases, thread, path);
  push (pair);
  decide_initial (pair);
  return holds_of_rest (&cases, TRUE, 0, holds_of_reads);
}

gboolean
round_may_go_by_cases (const RspSpin *spin, guint thread, const RspPath *path,
                       const RspPath **chosen)
{
  Pair pair;
  gboolean may
      = open_pair (&pair, spin, thread, path, chosen) && holds_in_all_cases (&pair, thread, path);
  close_pair (&pair);
  return may;
}
