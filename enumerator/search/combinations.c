/* Combinations of paths, one per thread, and threads that are exchangeable. */
#include "enumerator/bounded/bounded.h"
#include "enumerator/paths/paths.h"
#include "enumerator/sat/sat.h"
#include "enumerator/search/internal.h"
#include "enumerator/search/search.h"
#include "enumerator/terms/terms.h"
#include "enumerator/values/values.h"
#include "model/stage/stage.h"
#include "parser/program.h"

#include <string.h>

/* A combination to search, and what the search finds. Several may run at once, each with its
 * own. */
typedef struct RspCombination {
  RspTask task; /* searches it in some thread */
  Check *check;
  const RspPath **paths; /* per thread */
  RspSearch search;
  RspStatistics statistics;
  gboolean needs_execution; /* is the model staged separately on each execution? */
} RspCombination;

/* ---- Failures ------------------------------------------------------------------------------- */

gboolean check_has_reported (const Check *check, const RspPath *failed) {
  for (guint i = 0; i < check->failures->len; i++)
    if (g_array_index (check->failures, RspFailure, i).span.begin == failed->end_span.begin)
      return TRUE;
  return FALSE;
}

/* A path on which the program fails is an error if some consistent execution takes it. */
void check_report_failed_path (Check *check, const RspPath *failed, guint thread) {
  if (check_has_reported (check, failed))
    return;
  RspFailure failure = { failed->end_span, failed->end_message, failed->end_address, thread,
                         rsp_path_is_guessed (failed) };
  g_array_append_val (check->failures, failure);
  rsp_error (check->diagnostics, failed->end_span, NULL, "test %s: %s on some execution",
             check->program->name, failed->end_message);
}

/* ---- Symmetry ------------------------------------------------------------------------------- */

/* ---- Which threads are exchangeable ---- */
static gboolean same_code (const RspThread *a, const RspThread *b) {
  if (strcmp (a->raw, b->raw) != 0 || a->n_parameters != b->n_parameters
      || a->n_registers != b->n_registers)
    return FALSE;
  for (guint i = 0; i < a->n_parameters; i++)
    if (strcmp (a->parameters[i].name, b->parameters[i].name) != 0
        || strcmp (a->parameters[i].normalised, b->parameters[i].normalised) != 0)
      return FALSE;
  for (guint i = 0; i < a->n_registers; i++)
    if (strcmp (a->registers[i].name, b->registers[i].name) != 0
        || a->registers[i].initial != b->registers[i].initial)
      return FALSE;
  return TRUE;
}

static gboolean same_relation (const RspMatrix *a, const RspMatrix *b) {
  return a->n == b->n && rsp_matrix_equal (a, b);
}

/* Do two paths make the same accesses under the same conditions? shown: per location, may its value
 * matter? */
static gboolean same_path (const RspPath *a, const RspPath *b, guint n_registers,
                           const guint8 *shown) {
  if (a->end != b->end || a->n_events != b->n_events || a->n_constraints != b->n_constraints
      || a->n_free != b->n_free || a->n_mixed != b->n_mixed || a->n_waits != b->n_waits
      || a->wait_begin != b->wait_begin || a->wait_end != b->wait_end || a->rotated != b->rotated)
    return FALSE;
  for (guint e = 0; e < a->n_events; e++) {
    const RspEvent *x = &a->events[e], *y = &b->events[e];
    gboolean has_value = rsp_event_is_write (x) && shown[x->location];
    if (!rsp_event_is_alike (x, y) || x->read != y->read || x->no_source != y->no_source
        || x->spurious != y->spurious || x->barrier_phase != y->barrier_phase
        || x->barrier_all != y->barrier_all || (has_value && x->written != y->written))
      return FALSE;
  }
  for (guint i = 0; i < a->n_constraints; i++)
    if (a->constraints[i].term != b->constraints[i].term)
      return FALSE;
  for (guint i = 0; i < a->n_free; i++)
    if (a->free[i].term != b->free[i].term)
      return FALSE;
  for (guint i = 0; i < a->n_mixed; i++)
    if (a->mixed[i] != b->mixed[i])
      return FALSE;
  for (guint i = 0; i < n_registers && (a->finals || b->finals); i++)
    if (!a->finals || !b->finals || a->finals[i] != b->finals[i])
      return FALSE;
  return same_relation (a->po, b->po) && same_relation (a->addr, b->addr)
         && same_relation (a->data, b->data) && same_relation (a->ctrl, b->ctrl);
}

static gboolean same_paths (const RspProgram *program, GPtrArray *const *paths, guint a, guint b,
                            const guint8 *shown) {
  const RspThread *threads = program->threads;
  gboolean same
      = paths[a]->len == paths[b]->len && threads[a].n_registers == threads[b].n_registers,
      is_code = same && same_code (&threads[a], &threads[b]);
  for (guint i = 0; same && i < paths[a]->len; i++) {
    const RspPath *p = paths[a]->pdata[i], *q = paths[b]->pdata[i];
    same = same_path (p, q, threads[a].n_registers, shown);
    for (guint e = 0; same && !is_code && e < p->n_events; e++) /* in the same places of one text */
      same = p->events[e].span.source == q->events[e].span.source
             && p->events[e].span.begin == q->events[e].span.begin;
  }
  return same;
}

void rsp_symmetry_find_like (const RspProgram *program, GPtrArray *const *paths, guint *like) {
  g_autofree guint8 *shown = g_new0 (guint8, program->n_locations + 1);
  /* A value matters if something reads it, the state shows it, or rounds that repeat must restore
   * it.
   */
  gboolean repeats = FALSE;
  for (guint i = 0; i < program->n_observables; i++)
    if (!program->observables[i].is_register)
      shown[program->observables[i].location] = TRUE;
  for (guint t = 0; t < program->n_threads; t++)
    for (guint i = 0; i < paths[t]->len; i++) {
      const RspPath *path = paths[t]->pdata[i];
      repeats |= path->end == RSP_PATH_STUCK;
      for (guint e = 0; e < path->n_events; e++)
        if (rsp_event_is_read (&path->events[e]))
          shown[path->events[e].location] = TRUE;
    }
  for (guint l = 0; l < program->n_locations; l++)
    shown[l] |= repeats;
  for (guint i = 0; i < program->n_threads; i++) {
    like[i] = i;
    for (guint j = 0; j < i && like[i] == i; j++)
      if (like[j] == j && same_paths (program, paths, i, j, shown))
        like[i] = j;
  }
}

/* The observable of the same register of another thread, or G_MAXUINT. */
static guint counterpart (const RspProgram *program, const RspObservable *observable,
                          guint thread) {
  for (guint i = 0; i < program->n_observables; i++) {
    const RspObservable *other = &program->observables[i];
    if (other->is_register && other->thread == thread && other->reg == observable->reg)
      return i;
  }
  return G_MAXUINT;
}

gboolean rsp_symmetry_allows (const RspProgram *program, guint a, guint b) {
  /* Pairs of ssw with either thread would have to be swapped, too. */
  for (guint i = 0; i < program->n_ssw; i++) {
    const RspThreadPair *pair = &program->ssw[i];
    if (pair->from == a || pair->from == b || pair->to == a || pair->to == b)
      return FALSE;
  }
  for (guint i = 0; i < program->n_observables; i++) {
    const RspObservable *observable = &program->observables[i];
    if (observable->is_register && (observable->thread == a || observable->thread == b)
        && counterpart (program, observable, observable->thread == a ? b : a) == G_MAXUINT)
      return FALSE;
  }
  return TRUE;
}

/* Is the scope tree the same with each thread t in the place of exchanged[t], perhaps itself? */
static gboolean exchange_keeps_tree (const RspProgram *program, const guint *exchanged) {
  const RspThread *threads = program->threads;
  for (guint level = 0; level < RSP_N_LEVELS; level++)
    for (guint s = 0; s < program->n_threads; s++)
      for (guint t = 0; t < program->n_threads && exchanged[s] != s; t++)
        if (rsp_threads_share (&threads[s], &threads[t], level)
            != rsp_threads_share (&threads[exchanged[s]], &threads[exchanged[t]], level))
          return FALSE;
  return TRUE;
}

gboolean symmetry_find (const RspProgram *program, const guint *like, guint *class) {
  gboolean any = FALSE;
  g_autofree guint *exchanged = g_new (guint, program->n_threads + 1);
  for (guint t = 0; t < program->n_threads; t++)
    exchanged[t] = t;
  for (guint i = 0; i < program->n_threads; i++) {
    class[i] = i;
    for (guint j = 0; j < i && class[i] == i; j++) {
      if (class[j] != j || like[i] != like[j])
        continue;
      exchanged[i] = j;
      exchanged[j] = i;
      if (exchange_keeps_tree (program, exchanged) && rsp_symmetry_allows (program, i, j))
        class[i] = j;
      exchanged[i] = i;
      exchanged[j] = j;
    }
    any |= class[i] != i;
  }
  return any;
}

/* ---- Which classes are ---- */
static guint next_member (const RspProgram *program, const guint *class, guint leader,
                          guint after) {
  for (guint t = after + 1; t < program->n_threads; t++)
    if (class[t] == leader)
      return t;
  return G_MAXUINT;
}

/* Exchanges the members of two classes. FALSE if these are of different sizes. */
static gboolean exchange_members (const RspProgram *program, const guint *class, guint a, guint b,
                                  guint *exchanged) {
  guint x = a, y = b;
  for (guint t = 0; t < program->n_threads; t++)
    exchanged[t] = t;
  while (x != G_MAXUINT && y != G_MAXUINT) {
    exchanged[x] = y;
    exchanged[y] = x;
    x = next_member (program, class, a, x);
    y = next_member (program, class, b, y);
  }
  return x == y;
}

static gboolean are_exchangeable (const RspProgram *program, const guint *like, const guint *class,
                                  guint a, guint b) {
  g_autofree guint *exchanged = g_new (guint, program->n_threads + 1);
  if (like[a] != like[b] || !exchange_members (program, class, a, b, exchanged)
      || !exchange_keeps_tree (program, exchanged))
    return FALSE;
  for (guint t = 0; t < program->n_threads; t++)
    if (exchanged[t] > t && !rsp_symmetry_allows (program, t, exchanged[t]))
      return FALSE;
  return TRUE;
}

void symmetry_find_blocks (const RspProgram *program, const guint *like, const guint *class,
                           guint *block) {
  for (guint t = 0; t < program->n_threads; t++) {
    block[t] = class[t] == t ? t : program->n_threads + 1 + t;
    for (guint s = 0; s < t && block[t] == t; s++)
      if (block[s] == s && are_exchangeable (program, like, class, s, t))
        block[t] = s;
  }
}

guint symmetry_previous (const guint *class, guint thread) {
  for (guint i = thread; i-- > 0;)
    if (class[i] == class[thread])
      return i;
  return G_MAXUINT;
}

/* ---- Distributing states to all arrangements ---- */
typedef struct Spread {
  RspCombination *c;
  guint *source;   /* per thread: the searched thread whose role it takes */
  gboolean *taken; /* per searched thread */
  RspTally *from;
} Spread;

/* Assigns paths to the threads from `thread` on. Among searched threads of a class with the same
 * path only the first one not taken is tried, so that every arrangement occurs once. */
static void deal (Spread *spread, guint thread) {
  const RspSearch *search = &spread->c->search;
  const RspProgram *program = spread->c->check->program;
  rsp_budget_limit_part (search->budget, tally_size (search->tally));
  if (rsp_budget_is_exhausted (search->budget))
    return;
  if (thread == program->n_threads) {
    /* Add the states with each thread in the role of its source. */
    g_autofree guint *where = g_new (guint, program->n_observables + 1);
    for (guint i = 0; i < program->n_observables; i++) {
      const RspObservable *observable = &program->observables[i];
      where[i] = observable->is_register
                     ? counterpart (program, observable, spread->source[observable->thread])
                     : i;
    }
    tally_add_renamed (search->tally, spread->from, where);
    return;
  }
  guint last_path = G_MAXUINT;
  for (guint i = 0; i < program->n_threads; i++) {
    if (search->class[i] != search->class[thread] || spread->taken[i]
        || search->numbers[i] == last_path)
      continue;
    last_path = search->numbers[i];
    spread->taken[i] = TRUE;
    spread->source[thread] = i;
    deal (spread, thread + 1);
    spread->taken[i] = FALSE;
  }
}

/* ---- Combination ---------------------------------------------------------------------------- */

static double seconds_since (gint64 start) {
  return (double) (g_get_monotonic_time () - start) / 1e6;
}

static void search_staged (RspCombination *c, const RspStaging *staging) {
  RspSearch *search = &c->search;
  const RspPreExecution *pre = search->pre;
  const RspCheckOptions *options = search->options;
  c->needs_execution = staging->needs_execution;
  c->statistics.texts += staging->from_text;
  /* In the order of events, and once per operation of the source over all combinations, because
   * rsp_diagnostics_move drops duplicate messages. */
  for (guint e = 0; e < pre->n; e++)
    for (guint i = 0; i < staging->n_warnings; i++)
      if (rsp_set_has (staging->warnings[i].events, e)) {
        rsp_warning (search->diagnostics, pre->events[e]->span, NULL, "test %s: model %s: %s",
                     pre->program->name, search->model->name, staging->warnings[i].message);
        rsp_diagnostics_set_kind (search->diagnostics, staging->warnings[i].message);
      }
  for (guint i = 0; i < pre->program->n_threads; i++)
    search->exists_only |= c->paths[i]->end == RSP_PATH_FAILED;
  for (guint i = 0; i < staging->n_models; i++)
    search_flags_note (search->flags, staging->models[i]);
  if (!try_recursions (search, staging))
    return;
  gint64 start = g_get_monotonic_time ();
  if (options->engine == RSPCHECK_ENGINE_NAIVE || options->through != RSPCHECK_THROUGH_NONE)
    rsp_search_naive (search, staging);
  else
    rsp_search_bounded (search, staging);
  c->statistics.seconds_search += seconds_since (start);
}

/* If the search ends early, the budget has the reason. */
static void combination_search (RspCombination *c) {
  RspSearch *search = &c->search;
  const RspCheckOptions *options = search->options;
  if (rsp_budget_stop (search->budget) != RSPCHECK_STOP_COMPLETE)
    return;
  g_autoptr (RspArena) arena = rsp_arena_new_within (search->budget);
  gint64 start = g_get_monotonic_time ();
  RspPreExecution *pre = rsp_pre_execution_new (c->check->program, c->paths, arena);
  if (!pre)
    return;
  RspStageOptions stage_options = { .skipped_checks = options->skipped_checks,
                                    .budget = search->budget,
                                    .rf = &pre->rf,
                                    .co = &pre->co,
                                    .direct = options->engine == RSPCHECK_ENGINE_NAIVE
                                              || (options->disabled & RSP_FEATURE_TEMPLATE) };
  RspStaging *staging
      = rsp_model_stage (search->model, pre->base, &stage_options, arena, search->diagnostics);
  c->statistics.seconds_stage += seconds_since (start);
  c->statistics.combinations++;
  c->statistics.pre_executions++;
  search->pre = pre;
  if (staging) {
    search_staged (c, staging);
    rsp_staging_clear (staging);
  } else
    rsp_budget_end (search->budget, RSPCHECK_STOP_ERROR);
}

/* ---- Combinations --------------------------------------------------------------------------- */

enum {
  STAGING = 4,            /* steps that take about as long as staging a combination */
  STEPS_PER_PATH = 3,     /* budget of the trial search before the solver */
  QUEUE_PER_THREAD = 16,  /* limit of combinations that wait for a thread */
  SOLVER_AFTER = 1 << 14, /* steps of the search: the default of solver_after */
  CHEAP_EVENTS = 32,      /* with which a step costs about as much as with fewer */
  LEAST_STEPS = 1 << 8,   /* of the search, with many events */
  PATIENCE = 16,          /* budget factor if most nodes are memo hits */
  MOST_STEPS = 1 << 30,   /* of a search with a limit */
  FEW_EVENTS = 6,         /* of all paths: their search costs less than places_find_classes */
  VISITS = 64,            /* of combinations, or beginnings of some, that count as a step */
  SCREEN_AFTER = 64       /* combinations without an execution: the default of screen_after */
};

/* ---- Adding up ---- */
static void search_and_add (Check *check, RspCombination *combination) {
  RspSearch *search = &combination->search;
  combination_search (combination);
  /* Adds the states once for each way to assign the same paths to the threads of each class. A
   * search that ended early keeps what it found as it is: dealing it out would end at once, too,
   * and lose even that. */
  if (search->class && rsp_budget_stop (search->budget) == RSPCHECK_STOP_COMPLETE) {
    g_autofree guint *source = g_new0 (guint, check->program->n_threads);
    g_autofree gboolean *taken = g_new0 (gboolean, check->program->n_threads);
    Spread spread = { combination, source, taken, search->tally };
    search->tally = rsp_tally_new (check->program);
    deal (&spread, 0);
    rsp_tally_free (spread.from);
  }
  if (check->screen && !tally_executions (search->tally))
    screen_note_empty (check->screen);
  g_mutex_lock (&check->lock);
  tally_take (&check->tally, &search->tally);
  if (search->flags != check->flags)
    search_flags_add_all (check->flags, search->flags);
  if (check->prunings)
    rsp_prunings_add_all (check->prunings, search->prunings);
  rsp_diagnostics_move (check->diagnostics, search->diagnostics);
  rsp_statistics_add (&check->outcome->statistics, &combination->statistics);
  /* Where paths fail, only that counts, if a consistent execution takes all of them. */
  check->outcome->thin_air |= search->thin_air && !search->exists_only;
  check->needs_execution |= combination->needs_execution;
  for (guint i = 0; search->exists_only && search->found && i < check->program->n_threads; i++)
    if (combination->paths[i]->end == RSP_PATH_FAILED)
      check_report_failed_path (check, combination->paths[i], i);
  check->ticks_left -= MIN (check->ticks_left, search->ticks + STAGING);
  tally_limit (check->tally, &check->budget);
  g_mutex_unlock (&check->lock);
  rsp_tally_free (search->tally);
  g_array_unref (search->flags);
  g_clear_pointer (&search->prunings, g_array_unref);
  rsp_diagnostics_free (search->diagnostics);
  g_free (combination);
}

static void search_pending (RspTask *task) {
  RspCombination *combination = (RspCombination *) task;
  Check *check = combination->check;
  search_and_add (check, combination);
  g_mutex_lock (&check->lock);
  if (--check->pending == 0)
    g_cond_signal (&check->idle);
  g_mutex_unlock (&check->lock);
}

/* ---- All combinations ---- */
static gboolean already_reported (Check *check) {
  guint failed = 0, reported = 0;
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&check->lock);
  for (guint i = 0; i < check->program->n_threads; i++)
    if (check->chosen[i]->end == RSP_PATH_FAILED) {
      failed++;
      reported += check_has_reported (check, check->chosen[i]);
    }
  return failed && reported == failed;
}

/* Several threads search several combinations, each with the flags found so far: one that has been
 * raised need not be searched for again. But if the first execution ends the search, it must be the
 * same one whatever the number of threads, so combinations are taken in order, and other threads
 * only help with each. */
static void hand_out (Check *check) {
  if (already_reported (check) || (check->screen && !screen_admits (check->screen, check->numbers)))
    return;
  const RspCheckOptions *options = check->options;
  RspPool *pool = check->pool;
  guint n = check->program->n_threads;
  gsize size_of_paths = sizeof (const RspPath *) * n, size_of_numbers = sizeof (guint) * n;
  RspCombination *combination = g_malloc0 (sizeof *combination + size_of_paths + size_of_numbers);
  combination->task.run = search_pending;
  combination->check = check;
  combination->paths = memcpy (combination + 1, check->chosen, size_of_paths);
  combination->search
      = (RspSearch){ .model = check->model,
                     .options = options,
                     .diagnostics = rsp_diagnostics_new (),
                     .budget = &check->budget,
                     .pool = pool,
                     .common = check->common,
                     .screen = check->screen,
                     .class = check->class,
                     .numbers = memcpy (combination->paths + n, check->numbers, size_of_numbers),
                     .statistics = &combination->statistics,
                     .tally = rsp_tally_new (check->program),
                     .flags = pool ? search_flags_new () : g_array_ref (check->flags),
                     .prunings = options->attribute ? rsp_prunings_new () : NULL,
                     .skips_counts = check->skips_counts };
  gboolean is_task = pool && options->speedcheck != RSPCHECK_SPEED_FAST
                     && rsp_pool_waiting (pool) < QUEUE_PER_THREAD * options->jobs;
  g_mutex_lock (&check->lock);
  if (pool)
    search_flags_add_all (combination->search.flags, check->flags);
  combination->search.max_ticks = check->is_limited ? MAX (check->ticks_left, 1) : 0;
  check->pending += is_task;
  g_mutex_unlock (&check->lock);
  if (is_task)
    rsp_pool_push (pool, &combination->task);
  else
    search_and_add (check, combination);
}

static gboolean has_execution (Check *check) {
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&check->lock);
  return tally_executions (check->tally) > 0;
}

static void choose_paths (Check *check, guint thread) {
  /* A search with a limit also ends if there are too many combinations to look at. */
  if (check->is_limited && !(++check->visits % VISITS)) {
    g_mutex_lock (&check->lock);
    check->ticks_left -= check->ticks_left > 0;
    if (!check->ticks_left)
      rsp_budget_give_up (&check->budget);
    g_mutex_unlock (&check->lock);
  }
  if (rsp_budget_is_exhausted (&check->budget) || (check->one_suffices && has_execution (check)))
    return;
  if (thread == check->program->n_threads) {
    gboolean complete = TRUE;
    for (guint t = 0; t < thread; t++)
      complete &= check->chosen[t]->end == RSP_PATH_COMPLETE;
    if (!check->collected)
      hand_out (check);
    else if (complete) {
      g_ptr_array_add (check->collected,
                       rsp_arena_copy (check->arena, check->chosen, sizeof (RspPath *) * thread));
      rsp_budget_limit_part (&check->budget, rsp_arena_size (check->arena));
    }
    return;
  }
  guint before = check->class ? symmetry_previous (check->class, thread) : G_MAXUINT;
  guint first = before == G_MAXUINT ? 0 : check->numbers[before];
  for (guint i = first; i < check->paths[thread]->len && !rsp_budget_is_exhausted (&check->budget);
       i++) {
    check->numbers[thread] = i;
    check->chosen[thread] = check->paths[thread]->pdata[i];
    /* Do the paths agree about uninterpreted functions? */
    gboolean agree = TRUE;
    for (guint t = 0; t < thread && agree; t++)
      agree = rsp_paths_agree (check->chosen[t], check->chosen[thread]);
    if (!agree)
      continue;
    if (!check->feasibility
        || rsp_feasibility_choose (check->feasibility, thread, check->chosen[thread]))
      choose_paths (check, thread + 1);
    if (check->feasibility)
      rsp_feasibility_retract (check->feasibility);
  }
  check->chosen[thread] = NULL;
}

/* ---- One after the other ---- */
/* Can a thread alone take the path? memory: per location, before and after. */
static gboolean runs_alone (const RspPath *path, RspValue *memory, RspValue *reads) {
  gboolean runs = TRUE, opaque = FALSE;
  RspValue condition;
  for (guint e = 0; e < path->n_events && runs; e++) {
    const RspEvent *event = &path->events[e];
    if (rsp_event_is_read (event))
      reads[e] = memory[event->location];
    if (rsp_event_is_write (event))
      runs = rsp_term_evaluate (event->written, reads, &memory[event->location], &opaque);
  }
  for (guint i = 0; i < path->n_constraints && runs; i++)
    runs = rsp_term_evaluate (path->constraints[i].term, reads, &condition, &opaque)
           && condition.bits;
  return runs && !opaque;
}

gboolean check_choose_serial (Check *check) {
  const RspProgram *program = check->program;
  gsize size = sizeof (RspValue) * program->n_locations;
  g_autofree RspValue *memory = g_malloc0 (size + 1), *next = g_malloc0 (size + 1);
  for (guint l = 0; l < program->n_locations; l++)
    memory[l].bits = program->locations[l].initial;
  for (guint t = 0; t < program->n_threads; t++) {
    gboolean runs = FALSE;
    for (guint i = 0; i < check->paths[t]->len && !runs; i++) {
      const RspPath *path = check->chosen[t] = check->paths[t]->pdata[i];
      g_autofree RspValue *reads = g_new0 (RspValue, path->n_events + 1);
      memcpy (next, memory, size);
      runs = runs_alone (path, next, reads);
      for (guint s = 0; s < t && runs; s++)
        runs = rsp_paths_agree (check->chosen[s], path);
    }
    if (!runs)
      return FALSE;
    memcpy (memory, next, size);
  }
  return TRUE;
}

gboolean check_run_serially (const RspPreExecution *pre, RspArena *arena, RspExecution *execution) {
  const guint n_locations = pre->program->n_locations;
  *execution = (RspExecution){ .pre = pre,
                               .rf = rsp_relation_new (arena, pre->n),
                               .co = rsp_relation_new (arena, pre->n),
                               .last = rsp_arena_new0 (arena, guint, n_locations + 1) };
  memcpy (execution->last, pre->initial, sizeof (guint) * n_locations);
  for (guint e = pre->first[0]; e < pre->n; e++) {
    const RspEvent *event = pre->events[e];
    if (!rsp_event_is_access (event))
      continue;
    guint *last = &execution->last[event->location];
    if (rsp_event_is_read (event))
      rsp_matrix_add (execution->rf, *last, e);
    if (!rsp_event_is_write (event))
      continue;
    for (guint w = 0; w < pre->n; w++)
      if (w == *last || rsp_matrix_get (execution->co, w, *last))
        rsp_matrix_add (execution->co, w, e);
    *last = e;
  }
  if (!rsp_execution_solve (execution, arena) || execution->thin_air)
    return FALSE;
  rsp_final_state (pre, execution->written, execution->last, execution->state);
  return TRUE;
}

/* Judges that execution. Its flags count, and if it is accepted, so may its state, in the tally. */
static void try_serial (Check *check) {
  g_autoptr (RspArena) arena = rsp_arena_new_within (&check->budget);
  RspExecution execution;
  RspPreExecution *pre = check_choose_serial (check)
                             ? rsp_pre_execution_new (check->program, check->chosen, arena)
                             : NULL;
  if (!pre || !check_run_serially (pre, arena, &execution))
    return;
  RspSearch search = { .model = check->model,
                       .pre = pre,
                       .options = check->options,
                       .diagnostics = check->diagnostics,
                       .budget = &check->budget,
                       .statistics = &check->outcome->statistics,
                       .tally = check->tally,
                       .flags = check->flags,
                       .max_ticks = LEAST_STEPS }; /* to choose the model's orders */
  for (guint t = 0; t < check->program->n_threads; t++)
    search.exists_only |= check->chosen[t]->end == RSP_PATH_FAILED;
  rsp_search_judge (&search, &execution);
  rsp_budget_go_on (&check->budget);
  if (tally_executions (check->tally))
    check->serial = rsp_arena_copy (check->arena, execution.state,
                                    sizeof (RspValue) * (check->program->n_observables + 1));
  for (guint t = 0; t < check->program->n_threads && search.found; t++)
    if (check->chosen[t]->end == RSP_PATH_FAILED && !check_has_reported (check, check->chosen[t]))
      check_report_failed_path (check, check->chosen[t], t);
}

/* Symmetry applies unless what is left out distinguishes threads. */
static void find_symmetry (Check *check) {
  const RspCheckOptions *options = check->options;
  if (check->collected || check->program->language->partial_co
      || options->engine == RSPCHECK_ENGINE_NAIVE || (options->disabled & RSP_FEATURE_SYMMETRY)
      || search_narrows_by_thread (check->program, options))
    return;
  guint *class = rsp_arena_new0 (check->arena, guint, check->program->n_threads);
  guint n = 0;
  for (guint t = 0; t < check->program->n_threads; t++)
    for (guint i = 0; i < check->paths[t]->len; i++)
      n += ((const RspPath *) check->paths[t]->pdata[i])->n_events;
  g_autofree guint *like = g_new (guint, check->program->n_threads + 1);
  rsp_symmetry_find_like (check->program, check->paths, like);
  gboolean any = (n <= FEW_EVENTS) ? symmetry_find (check->program, like, class)
                                   : places_find_classes (check->program, check->model,
                                                          check->paths, &check->budget, class);
  check->class = any ? class : NULL;
}

/* Combinations share the memo: events get names that all of them use. */
static void name_events (Check *check) {
  const RspCheckOptions *options = check->options;
  guint n = check->program->n_threads;
  if (options->engine == RSPCHECK_ENGINE_NAIVE
      || (options->disabled & (RSP_FEATURE_MEMO | RSP_FEATURE_SHARE)))
    return;
  g_autofree guint *like = g_new (guint, n + 1);
  rsp_symmetry_find_like (check->program, check->paths, like);
  gboolean several = FALSE;
  for (guint i = 0; i < n; i++)
    several |= check->paths[i]->len > 1 || like[i] != i;
  if (several)
    check->names = rsp_paths_name_events (check->program, like, check->paths, check->arena);
}

void check_search_combinations (Check *check) {
  const RspCheckOptions *options = check->options;
  find_symmetry (check);
  name_events (check);
  if (check->names && !check->collected)
    check->common = rsp_common_new (check->names, check->budget.max_memory / 4);
  if (options->engine == RSPCHECK_ENGINE_NAIVE || (options->disabled & RSP_FEATURE_FEASIBLE))
    g_clear_pointer (&check->feasibility, rsp_feasibility_free);
  else if (!check->feasibility && check_has_conditions (check))
    check->feasibility = rsp_feasibility_new (check->program, check->paths, &check->budget);
  /* Combinations that coherence rules out are not searched, except with -through, where forbidden
   * executions may count. */
  if (!check->collected && options->engine != RSPCHECK_ENGINE_NAIVE
      && options->through == RSPCHECK_THROUGH_NONE && !(options->disabled & RSP_FEATURE_SCREEN))
    check->screen = screen_new (check->program, check->model, options,
                                options->screen_after ? options->screen_after : SCREEN_AFTER,
                                check->paths, &check->budget);
  if (options->jobs > 1 && !options->journal)
    check->pool = rsp_pool_new (options->jobs);
  choose_paths (check, 0);
  /* A pool that is being freed takes no tasks, and combinations may still call for help. So this
   * thread searches the combinations that no thread has begun; it may be the only one. */
  if (check->pool) {
    rsp_pool_take_part (check->pool);
    g_mutex_lock (&check->lock);
    while (check->pending)
      g_cond_wait (&check->idle, &check->lock);
    g_mutex_unlock (&check->lock);
    g_clear_pointer (&check->pool, rsp_pool_free);
  }
  rsp_common_free (check->common);
  g_clear_pointer (&check->feasibility, rsp_feasibility_free);
  screen_free (check->screen);
}

guint64 check_count_combinations (const Check *check) {
  guint64 n = 1;
  for (guint i = 0; i < check->program->n_threads; i++)
    if (!g_uint64_checked_mul (&n, n, check->paths[i]->len))
      n = G_MAXUINT64;
  return n;
}

/* ---- The solver ---- */
/* For the engine auto: a verdict alone, without counts. */
static gboolean is_verdict (const RspCheckOptions *options) {
  return options->engine == RSPCHECK_ENGINE_AUTO
         && (options->verdict || options->speedcheck != RSPCHECK_SPEED_EXACT);
}

/* Is something found that is undefined, where no more is followed than what comes before? */
static gboolean race_suffices (const Check *check) {
  gboolean raised = FALSE;
  for (guint i = 0; i < check->flags->len; i++) {
    const RspFlag *flag = &g_array_index (check->flags, RspFlag, i);
    raised |= flag->raised && flag->undefined;
  }
  return raised && rsp_phases_are_cut (check->program);
}

/* Searches for so many steps. FALSE if that is not enough; then only what it found besides states
 * counts. */
static gboolean search_for (Check *check, guint steps) {
  check->is_limited = TRUE;
  check->ticks = check->ticks_left = steps;
  check_search_combinations (check);
  check->is_limited = FALSE;
  if (!rsp_budget_go_on (&check->budget) || race_suffices (check))
    return TRUE;
  rsp_tally_free (check->tally);
  check->tally = rsp_tally_new (check->program);
  return FALSE;
}

/* The cost of a step grows with the square of the number of events of the longest paths. */
static guint first_steps (const Check *check) {
  guint n = 0;
  for (guint t = 0; t < check->program->n_threads; t++) {
    guint most = 0;
    for (guint i = 0; i < check->paths[t]->len; i++)
      most = MAX (most, ((const RspPath *) check->paths[t]->pdata[i])->n_events);
    n += most;
  }
  n = MAX (n / CHEAP_EVENTS, 1);
  return check->options->solver_after ? check->options->solver_after
                                      : MAX (SOLVER_AFTER / (n * n), LEAST_STEPS);
}

/* Is all known that may be found, but whether there is an execution: is it like all others, but for
 * what reads return and what is found already? Where paths fail, some thread must end in no other
 * way, or states and flags of other executions would count. */
static gboolean nothing_may_differ (const Check *check) {
  gboolean fails = FALSE, completes = TRUE;
  for (guint t = 0; t < check->program->n_threads; t++) {
    gboolean own = FALSE;
    for (guint i = 0; i < check->paths[t]->len; i++) {
      const RspPath *path = check->paths[t]->pdata[i];
      const gboolean failed = path->end == RSP_PATH_FAILED;
      if (path->end != RSP_PATH_COMPLETE && !(failed && check_has_reported (check, path)))
        return FALSE;
      fails |= failed;
      own |= !failed;
    }
    completes &= own;
  }
  RspBudget budget = check->budget;
  return check->options->through == RSPCHECK_THROUGH_NONE
         && (fails ? !completes
                   : !check->program->n_observables
                         && sat_rules_out_flags (check->program, check->model, check->options,
                                                 check->paths, check->terms, check->flags, NULL,
                                                 &budget));
}

/* Without counts where executions differ in nothing else. */
static gboolean search_uncounted (Check *check, guint steps) {
  check->skips_counts = TRUE;
  gboolean done = search_for (check, steps);
  check->skips_counts = FALSE;
  check->outcome->uncounted |= done;
  return done;
}

/* A search that has met most of its nodes before, as of many increments of a counter, has few
 * different ones and ends soon, while their orders are what the solver finds hard. */
static gboolean search_shortly (Check *check) {
  guint after = first_steps (check);
  const RspStatistics *statistics = &check->outcome->statistics;
  if (search_for (check, rsp_phases_are_cut (check->program) ? PATIENCE * after : after))
    return TRUE;
  const gboolean optional = check->options->counts_optional;
  if (optional)
    try_serial (check);
  check->one_suffices = optional && nothing_may_differ (check);
  if (rsp_budget_is_exhausted (&check->budget)
      || (check->one_suffices && (check->failures->len || tally_executions (check->tally)))) {
    check->outcome->uncounted = TRUE;
    return TRUE;
  }
  rsp_tally_free (check->tally);
  check->tally = rsp_tally_new (check->program);
  if (check->one_suffices && search_uncounted (check, PATIENCE * after))
    return TRUE;
  check->one_suffices = FALSE;
  return statistics->memo_hits > statistics->nodes / 2 && search_for (check, PATIENCE * after);
}

/* Searches from the start, for longer than the last time. Without counts, half as long as with them
 * and not in the first turn: locks, of which the solver knows soon, would take twice as long. */
static gboolean search_longer (Check *check) {
  const guint first = first_steps (check);
  if (!check->options->counts_optional)
    return search_for (check, MIN (MAX (first, check->ticks * 2), MOST_STEPS));
  check->turn_steps = check->turn_steps ? MIN (check->turn_steps * 2, MOST_STEPS) : (first + 1) / 2;
  return check->turn_steps >= first && search_uncounted (check, check->turn_steps);
}

gboolean check_find_all_paths (Check *check) {
  gint64 start = g_get_monotonic_time ();
  if (!check_obtain_paths (check)) {
    rsp_budget_end (&check->budget, RSPCHECK_STOP_ERROR);
    return FALSE;
  }
  RspStatistics *statistics = &check->outcome->statistics;
  statistics->seconds_paths = seconds_since (start);
  for (guint i = 0; i < check->program->n_threads; i++)
    statistics->paths += check->paths[i]->len;
  return TRUE;
}

void check_run (Check *check) {
  if (!check_find_all_paths (check))
    return;
  const RspCheckOptions *options = check->options;
  gboolean is_sat = options->engine == RSPCHECK_ENGINE_SAT,
           may = !check->collected && (options->counts_optional || is_verdict (options));
  SatAlternative alternative = is_sat ? NULL : search_longer;
  /* Auto asks the solver before anything is searched if there are many combinations, but for a
   * brief search: the solver must be told of every path, where a search may soon see that few of
   * their combinations are possible. */
  gboolean many
      = is_verdict (options) && may && check_count_combinations (check) >= SEARCH_MANY_COMBINATIONS;
  guint64 steps = STEPS_PER_PATH * check->outcome->statistics.paths;
  if (is_sat ? !check->collected && sat_search (check, alternative)
             : many
                   && (search_for (check, (guint) MIN (steps, first_steps (check)))
                       || sat_search (check, alternative)))
    return;
  if (!may
      || (!search_shortly (check) && !sat_search (check, alternative)
          && !(options->counts_optional && search_uncounted (check, first_steps (check)))))
    check_search_combinations (check);
}

/* ---- Beginning and end ---- */
void check_start (Check *check) {
  const RspCheckOptions *options = check->options;
  check->bound = *check->program;
  const RspProgram *program = check->program = &check->bound;
  gboolean fits = rsp_words_bind (&check->bound, check->model, check->diagnostics);
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
  if (!fits)
    rsp_budget_end (&check->budget, RSPCHECK_STOP_ERROR);
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
