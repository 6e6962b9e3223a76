/* Hangs under a scheduler's promises (-progress, never_ends). */
#include "enumerator/execution.h"
#include "enumerator/paths/paths.h"
#include "enumerator/query/query.h"
#include "enumerator/sat/sat.h"
#include "enumerator/search/hang.h"
#include "enumerator/search/search.h"
#include "enumerator/terms/terms.h"
#include "enumerator/values/values.h"
#include "model/bounds/bounds.h"
#include "parser/program.h"

/* ---- Barriers ------------------------------------------------------------------------------- */

static gboolean share (const RspProgram *program, guint a, guint b, RspLevel level) {
  return rsp_threads_share (&program->threads[a], &program->threads[b], level);
}

static gboolean arrives (const RspPath *path, const RspEvent *barrier) {
  for (guint e = 0; e < path->n_events; e++)
    if (rsp_event_is_arrival (&path->events[e])
        && rsp_event_is_same_barrier (&path->events[e], barrier))
      return TRUE;
  return FALSE;
}

/* ---- Once ---- */
gboolean rsp_barrier_is_held (const BarrierThreads *threads, guint thread, const RspPath *path,
                              const RspEvent *barrier) {
  if (arrives (path, barrier))
    return FALSE;
  if (barrier->kind != RSP_EVENT_BARRIER || barrier->barrier_whole)
    return TRUE;
  if (path->end == RSP_PATH_COMPLETE || barrier->barrier_all)
    return barrier->barrier_all && path->end != RSP_PATH_COMPLETE;
  for (guint i = 0; i < threads->paths[thread]->len; i++) {
    const RspPath *other = threads->paths[thread]->pdata[i];
    if (arrives (other, barrier) && rsp_path_may_become (path, other, threads->terms))
      return TRUE;
  }
  return FALSE;
}

/* Its thread goes past it if enough threads meet, and waits for ever only if not enough come to it.
 */
static gboolean is_complete (const BarrierThreads *threads, const RspPath *const *chosen,
                             const RspEvent *barrier, gboolean waits) {
  const RspProgram *program = threads->program;
  BarrierArrivals n = barrier_count_arrivals (program, chosen, NULL, barrier);
  if ((waits ? n.all : n.meeting) < barrier_quorum (barrier, n))
    return FALSE;
  for (guint t = 0; t < program->n_threads && !barrier->barrier_quorum; t++)
    if (share (program, t, barrier->thread, barrier->meeting)
        && rsp_barrier_is_held (threads, t, chosen[t], barrier))
      return FALSE;
  return TRUE;
}

/* ---- For ever ---- */
/* In the events [begin, end) of a path. */
static guint count_repeated (const RspPath *path, guint begin, guint end, const RspEvent *barrier) {
  guint n = 0;
  /* Is it the same barrier, at any time? */
  for (guint e = begin; e < end; e++)
    n += rsp_event_is_arrival (&path->events[e])
         && (path->events[e].kind == barrier->kind
             && path->events[e].barrier_name == barrier->barrier_name
             && (barrier->kind != RSP_EVENT_BARRIER
                 || g_str_equal (path->events[e].barrier, barrier->barrier))
             && path->events[e].meeting == barrier->meeting);
  return n;
}

static guint count_in_rounds (const RspPath *path, const RspEvent *barrier) {
  return path->end == RSP_PATH_STUCK
             ? count_repeated (path, path->wait_begin, path->wait_end, barrier)
             : 0;
}

static gboolean is_repeated_well (const BarrierThreads *threads, const RspPath *const *chosen,
                                  const RspEvent *barrier) {
  const RspProgram *program = threads->program;
  guint n = count_in_rounds (chosen[barrier->thread], barrier);
  gint64 meeting = 0;
  for (guint t = 0; t < program->n_threads; t++) {
    const RspPath *path = chosen[t];
    if (!share (program, t, barrier->thread, barrier->meeting))
      continue;
    /* The thread repeats the barrier as often as the other or, where the others do not wait for it,
     * not at all. */
    guint own = count_in_rounds (chosen[t], barrier);
    /* The barrier as the thread comes to it the next time. */
    RspEvent next = *barrier;
    next.barrier_count = count_repeated (chosen[t], 0, chosen[t]->n_events, barrier);
    if (!(own == n
          || (!own
              && (barrier->barrier_quorum || !rsp_barrier_is_held (threads, t, chosen[t], &next)))))
      return FALSE;
    for (guint e = path->wait_begin; e < path->wait_end && path->end == RSP_PATH_STUCK; e++)
      meeting += barrier_is_joined (program, barrier, &path->events[e])
                 && !path->events[e].barrier_passes;
  }
  return meeting >= barrier->barrier_quorum;
}

/* Of a path per thread: do enough threads come to each barrier that a thread passes, too few to
 * each at which one waits for ever, and do threads that repeat barriers for ever meet each time? */
static gboolean barriers_allow (const BarrierThreads *threads, const RspPath *const *chosen) {
  for (guint t = 0; t < threads->program->n_threads; t++) {
    const RspPath *path = chosen[t];
    for (guint e = 0; e < path->n_events; e++) {
      const RspEvent *event = &path->events[e];
      gboolean ends = barrier_ends_path (path, e);
      gboolean waits = path->end == RSP_PATH_BLOCKED && ends;
      if (rsp_event_is_arrival (event)
          && !barrier_phases_fit (threads->program, chosen, NULL, event))
        return FALSE;
      if (barrier_needs_quorum (event) && !(path->end == RSP_PATH_STOPPED && ends)
          && is_complete (threads, chosen, event, waits) == waits)
        return FALSE;
    }
    for (guint e = path->wait_begin; path->end == RSP_PATH_STUCK && e < path->wait_end; e++)
      if (barrier_needs_quorum (&path->events[e])
          && !is_repeated_well (threads, chosen, &path->events[e]))
        return FALSE;
  }
  return TRUE;
}

/* ---- Memory --------------------------------------------------------------------------------- */

/* Do the rounds leave each location with a value that it may have had before them? Of a write
 * before them, when nothing before them follows it in coherence: where that is partial, of any. */
static gboolean memory_is_restored (const RspExecution *execution) {
  const RspPreExecution *pre = execution->pre;
  const RspMatrix *repeated = pre->base->sets[RSP_BASE_SET_REPEATED];
  for (guint l = 0; l < pre->program->n_locations; l++) {
    gboolean restored = pre->initial[l] == G_MAXUINT;
    for (guint w = 0; w < pre->n && !restored; w++) {
      restored = rsp_event_is_write (pre->events[w]) && pre->events[w]->location == l
                 && !rsp_set_has (repeated, w)
                 && rsp_value_equal (execution->written[w], execution->written[execution->last[l]]);
      for (guint e = 0; e < pre->n && restored; e++)
        restored = rsp_set_has (repeated, e) || !rsp_matrix_get (execution->co, w, e);
    }
    if (!restored)
      return FALSE;
  }
  return TRUE;
}

/* ---- Schedule ------------------------------------------------------------------------------- */

/* What an execution that never ends looks like: who waits where, and in which order its events may
 * happen. */

static void make_schedule (RspHang *hang, RspArena *arena) {
  const RspExecution *execution = hang->execution;
  const RspPreExecution *pre = execution->pre;
  RspMatrix *before = rsp_relation_new (arena, pre->n), *done = rsp_set_new (arena, pre->n);
  RspMatrix *inverse = rsp_relation_new (arena, pre->n);
  rsp_relation_inverse (inverse, execution->rf);
  rsp_relation_compose (before, inverse, execution->co); /* fr */
  rsp_matrix_union (before, before, execution->rf);
  rsp_matrix_union (before, before, execution->co);
  rsp_matrix_union (before, before, pre->base->relations[RSP_BASE_RELATION_PO]);
  for (guint e = 0; e < pre->n; e++)
    rsp_matrix_remove (before, e, e);
  rsp_relation_inverse (inverse, before);
  hang->schedule = rsp_arena_new0 (arena, guint, pre->n + 1);
  guint thread = RSP_NO_THREAD;
  for (guint i = 0; i < pre->n; i++) {
    /* The next event, if possible of the thread that ran last; what repeats comes last. If none is
     * ready because the order has cycles, the first. */
    guint best = G_MAXUINT, first = G_MAXUINT;
    const RspMatrix *repeated = pre->base->sets[RSP_BASE_SET_REPEATED];
    for (guint e = pre->n; e-- > 0;) {
      if (rsp_set_has (done, e))
        continue;
      first = e;
      guint64 missing = 0; /* of those that come before it */
      for (guint w = 0; w < done->words; w++)
        missing |= rsp_matrix_row (inverse, e)[w] & ~done->bits[w];
      if (missing)
        continue;
      if (best == G_MAXUINT || rsp_set_has (repeated, best) > rsp_set_has (repeated, e)
          || (rsp_set_has (repeated, best) == rsp_set_has (repeated, e)
              && (pre->events[best]->thread != thread || pre->events[e]->thread == thread)))
        best = e;
    }
    guint event = best == G_MAXUINT ? first : best;
    rsp_set_add (done, event);
    thread = pre->events[event]->thread;
    if (thread != RSP_NO_THREAD)
      hang->schedule[hang->n_schedule++] = event;
  }
}

void rsp_hang_warn (const RspHangs *hangs, const RspHang *hang, RspDiagnostics *diagnostics) {
  const RspExecution *execution = hang->execution;
  const RspProgram *program = execution->pre->program;
  GString *text = g_string_new (NULL);
  for (guint l = 0; l < program->n_locations; l++)
    if (execution->last[l] != G_MAXUINT) {
      g_string_append_printf (text, " %s=", program->locations[l].name);
      rsp_value_format (program, &program->locations[l].type,
                        execution->written[execution->last[l]], text);
      g_string_append_c (text, ';');
    }
  g_autofree char *memory = g_string_free (text, FALSE);
  for (guint t = 0; t < hangs->program.n_threads; t++)
    if (hang->threads[t].fate == RSP_FATE_UNENDING)
      rsp_warning (diagnostics, hang->threads[t].span, NULL, "test %s: P%u may wait for ever%s%s",
                   hangs->program.name, t,
                   hang->threads[t].at_barrier ? " at this barrier, with" : " here, with", memory);
}

/* ---- Hang ----------------------------------------------------------------------------------- */

/* ---- The search ---- */
typedef struct Hunt {
  RspHangs *hangs;
  const RspModel *model;
  RspCheckOptions options;
  RspBudget *budget;
  RspDiagnostics *diagnostics;
  RspTerms *terms;
  GPtrArray **paths;     /* per thread: of RspPath, its ways to end or not to */
  GPtrArray **truncated; /* per thread: of RspPath */
  RspFeasibility *feasibility;
  const RspPath **chosen;
  RspFate *fates;
  gboolean *ruled_out; /* per progress model: is it certain that none of these paths hangs? */
  guint n_open; /* those of which it is not, and under which nothing has been found to hang */
  gboolean goes_further; /* with more rounds where loops were truncated */
  guint least, end;      /* numbers of events of the combinations that are searched now */
  gboolean all;          /* do no combinations have more? */
  guint left;            /* steps that may still be made */
} Hunt;

enum {
  FEW_EVENTS = 4,
  /* A step is a choice of a path; the search of a combination counts as the cube of its events. So
   * many before the solver is asked whether anything may hang, and so many nodes of the search of
   * one combination: */
  FIRST_STEPS = 1 << 17,
  FIRST_NODES = 1 << 10,
  /* What may hang with more rounds than -unroll is searched for if no thread has more paths, and
     for so many steps. */
  FEW_PATHS = 200,
  FEW_STEPS = 1 << 22,
  PROOF_STEPS = 1 << 17, /* of the proof that no more rounds are needed */
  SEARCH_STEPS = 64      /* of it that the search of a combination is worth */
};

/* May it still be found to hang under this one? */
static gboolean is_open (const Hunt *hunt, guint i) {
  return !hunt->hangs->items[i].hangs && !hunt->ruled_out[i];
}

static gboolean permits (const Hunt *hunt, guint i) {
  return is_open (hunt, i)
         && rsp_progress_permits (&hunt->hangs->items[i].progress, &hunt->hangs->program,
                                  hunt->fates);
}

/* ---- One combination ---- */
static gboolean take_if_repeating (gpointer data, const RspExecution *execution) {
  Hunt *hunt = data;
  if (!memory_is_restored (execution))
    return TRUE;
  RspArena *arena = hunt->hangs->arena;
  RspHang found = { .hangs = TRUE, .execution = rsp_execution_copy (execution, arena) };
  /* Fill hang->threads and the schedule from its execution. fates: per thread. */
  const RspPreExecution *pre = found.execution->pre;
  found.threads = rsp_arena_new0 (arena, RspHangThread, pre->program->n_threads + 1);
  for (guint t = 0; t < pre->program->n_threads; t++) {
    RspHangThread *thread = &found.threads[t];
    const RspPath *path = pre->paths[t];
    thread->at_barrier = hunt->fates[t] == RSP_FATE_WAITING;
    thread->fate = thread->at_barrier ? RSP_FATE_UNENDING : hunt->fates[t];
    if (thread->at_barrier)
      thread->span = path->events[path->n_events - 1].span;
    else if (path->end == RSP_PATH_STUCK) {
      thread->span = path->end_span;
      thread->locations = rsp_arena_new0 (arena, guint, path->n_events + 1);
      for (guint e = path->wait_end; e-- > path->wait_begin;)
        if (rsp_event_is_access (&path->events[e]))
          thread->span = path->events[e].span;
      for (guint e = path->wait_begin; e < path->wait_end; e++)
        if (rsp_event_is_read (&path->events[e])) {
          guint k = 0;
          while (k < thread->n_locations && thread->locations[k] != path->events[e].location)
            k++;
          thread->locations[k] = path->events[e].location;
          thread->n_locations = MAX (thread->n_locations, k + 1);
        }
    }
  }
  make_schedule (&found, arena);
  for (guint i = 0; i < hunt->hangs->n; i++)
    if (permits (hunt, i)) {
      found.progress = hunt->hangs->items[i].progress;
      hunt->hangs->items[i] = found;
      hunt->n_open--;
    }
  return FALSE;
}

/* Where the rounds write, each execution must be looked at; else the first will do. */
static gboolean rounds_write (const Hunt *hunt) {
  for (guint t = 0; t < hunt->hangs->program.n_threads; t++)
    for (guint e = hunt->chosen[t]->wait_begin; e < hunt->chosen[t]->wait_end; e++)
      if (hunt->chosen[t]->end == RSP_PATH_STUCK
          && rsp_event_is_write (&hunt->chosen[t]->events[e]))
        return TRUE;
  return FALSE;
}

/* Looks for an execution that an open progress model permits. FALSE: the steps did not suffice. */
static gboolean ask (Hunt *hunt, RspQuery *query) {
  const RspQuestion any = { .max_steps = hunt->left == G_MAXUINT ? 0 : FIRST_NODES };
  guint n_open = hunt->n_open;
  if (rounds_write (hunt))
    return rsp_query_each (query, &any, take_if_repeating, hunt) || hunt->n_open < n_open;
  gboolean given_up;
  RspExecution *found = rsp_query_find (query, &any, hunt->hangs->arena, &given_up);
  if (found)
    take_if_repeating (hunt, found);
  return !given_up;
}

static void search_combination (Hunt *hunt) {
  RspQuery *query = rsp_query_new_of (&hunt->hangs->program, hunt->model, &hunt->options,
                                      hunt->chosen, hunt->budget);
  guint i = 0;
  for (guint t = 0; t < hunt->hangs->program.n_threads; t++)
    i += hunt->chosen[t]->n_events;
  guint n_open = hunt->n_open, n = i;
  gboolean done = ask (hunt, query);
  if (hunt->left != G_MAXUINT)
    hunt->left = done ? hunt->left - MIN (hunt->left, n * n * n) : 0;
  RspcheckStop stop = rsp_query_stop (query);
  if (stop != RSPCHECK_STOP_COMPLETE && stop != RSPCHECK_STOP_FOUND) {
    rsp_diagnostics_move (hunt->diagnostics, rsp_query_diagnostics (query));
    rsp_budget_end (hunt->budget, stop);
  }
  if (hunt->n_open < n_open)
    g_ptr_array_add (hunt->hangs->queries, query);
  else
    rsp_query_free (query);
}

/* May some progress model that is still open leave a thread with this fate? */
static gboolean may_have_fate (const Hunt *hunt, RspFate fate) {
  for (guint i = 0; i < hunt->hangs->n; i++) {
    const RspProgress *progress = &hunt->hangs->items[i].progress;
    if (is_open (hunt, i)
        && (fate == RSP_FATE_UNSTARTED ? rsp_progress_may_not_start (progress)
            : fate == RSP_FATE_STOPPED ? rsp_progress_may_stop (progress)
                                       : TRUE))
      return TRUE;
  }
  return FALSE;
}

/* TRUE if the paths chosen for all threads are a combination to search. */
static gboolean is_worth_searching (const Hunt *hunt, guint n_events) {
  gboolean permitted = FALSE, any = FALSE, rotated = FALSE;
  for (guint i = 0; i < hunt->hangs->n && n_events >= hunt->least && !permitted; i++)
    permitted = permits (hunt, i);
  if (!permitted)
    return FALSE;
  /* Repetition is looked at from where the rounds of the first such thread begin; those of others
   * may then be in the middle, if some rounds write. */
  for (guint t = 0; t < hunt->hangs->program.n_threads; t++)
    if (hunt->chosen[t]->end == RSP_PATH_STUCK) {
      if (!any && hunt->chosen[t]->rotated)
        return FALSE;
      any = TRUE;
      rotated |= hunt->chosen[t]->rotated > 0;
    }
  return (!rotated || rounds_write (hunt))
         && barriers_allow (&(BarrierThreads){ &hunt->hangs->program, hunt->paths, hunt->terms },
                            hunt->chosen);
}

/* n_events: of the paths chosen so far. A thread's paths have more and more events. */
static void choose_paths (Hunt *hunt, guint thread, guint n_events) {
  gboolean is_last = thread + 1 == hunt->hangs->program.n_threads;
  for (guint i = 0; i < hunt->paths[thread]->len; i++) {
    const RspPath *path = hunt->chosen[thread] = hunt->paths[thread]->pdata[i];
    guint n = n_events + path->n_events;
    if (!hunt->n_open || !hunt->left || rsp_budget_is_exhausted (hunt->budget))
      return;
    hunt->left -= hunt->left != G_MAXUINT;
    if (n >= hunt->end) {
      hunt->all = FALSE;
      return;
    }
    hunt->fates[thread] = rsp_progress_fate (path);
    if (!may_have_fate (hunt, hunt->fates[thread]) || (is_last && !is_worth_searching (hunt, n)))
      continue;
    if (rsp_feasibility_choose (hunt->feasibility, thread, path))
      is_last ? search_combination (hunt) : choose_paths (hunt, thread + 1, n);
    rsp_feasibility_retract (hunt->feasibility);
  }
}

/* ---- Paths ---- */
static int compare_lengths (gconstpointer a, gconstpointer b) {
  const RspPath *p = *(RspPath *const *) a, *q = *(RspPath *const *) b;
  return p->n_events < q->n_events ? -1 : p->n_events > q->n_events;
}

/* Of a barrier that a path ends at: may some thread keep its own waiting there for ever? Where that
 * depends on what others may become, it may. */
static gboolean may_be_held (const Hunt *hunt, const RspPath *path) {
  const RspProgram *program = &hunt->hangs->program;
  const RspEvent *barrier = &path->events[path->n_events - 1];
  if (barrier->kind == RSP_EVENT_BARRIER)
    return TRUE;
  for (guint t = 0; t < program->n_threads; t++)
    for (guint i = 0;
         i < hunt->paths[t]->len && share (program, t, barrier->thread, barrier->meeting); i++)
      if (!arrives (hunt->paths[t]->pdata[i], barrier))
        return TRUE;
  return FALSE;
}

/* FALSE, with a diagnostic, if there are too many. */
static gboolean hang_find_paths (Hunt *hunt, guint unroll, RspDiagnostics *diagnostics) {
  RspPathOptions options
      = { .unroll = unroll,
          .cas_writeback = rsp_cas_writes_back (hunt->options.cas_writeback,
                                                hunt->hangs->program.language->cas_writeback),
          .cycles = TRUE,
          .barriers = rsp_barriers_rules (hunt->model),
          .budget = hunt->budget };
  guint n = hunt->hangs->program.n_threads;
  for (guint t = 0; t < n; t++) {
    g_ptr_array_set_size (hunt->paths[t], 0);
    RspHangs *hangs = hunt->hangs;
    GPtrArray *paths = hunt->paths[t];
    gboolean may_not_start = FALSE, may_stop = FALSE;
    for (guint i = 0; i < hangs->n; i++) {
      may_not_start |= rsp_progress_may_not_start (&hangs->items[i].progress);
      may_stop |= rsp_progress_may_stop (&hangs->items[i].progress);
    }
    if (!rsp_paths_enumerate (&hangs->program, t, &options, hunt->terms, hangs->arena, paths,
                              diagnostics))
      return FALSE;
    rsp_paths_cut (paths, may_not_start, may_stop, hangs->arena, paths);
    rsp_paths_rotate (paths, hunt->terms, hangs->arena);
  }
  rsp_paths_prune (&hunt->hangs->program, hunt->paths, hunt->budget);
  for (guint t = 0; t < n; t++) {
    /* Drop paths that fail, and move those that are truncated. */
    GPtrArray *paths = hunt->paths[t], *truncated = hunt->truncated[t];
    guint kept = 0;
    g_ptr_array_set_size (truncated, 0);
    for (guint i = 0; i < paths->len; i++) {
      RspPath *path = paths->pdata[i];
      /* Where phases repeat for ever, who meets whom may differ from round to round. */
      for (guint e = path->wait_begin; path->end == RSP_PATH_STUCK && e < path->wait_end; e++)
        hunt->hangs->bounded |= path->events[e].barrier_phase;
      if (path->end == RSP_PATH_TRUNCATED)
        g_ptr_array_add (truncated, path);
      else if (path->end != RSP_PATH_FAILED)
        paths->pdata[kept++] = path;
    }
    g_ptr_array_set_size (paths, (gint) kept);
    hunt->hangs->bounded |= truncated->len > 0;
    g_ptr_array_sort (hunt->paths[t], compare_lengths);
  }
  /* Drops paths that wait for ever at barriers to which all others come, until none is left. */
  for (gboolean changed = TRUE; changed;) {
    changed = FALSE;
    for (guint t = 0; t < hunt->hangs->program.n_threads; t++)
      for (guint i = hunt->paths[t]->len; i-- > 0;)
        if (((const RspPath *) hunt->paths[t]->pdata[i])->end == RSP_PATH_BLOCKED
            && !may_be_held (hunt, hunt->paths[t]->pdata[i])) {
          g_ptr_array_remove_index (hunt->paths[t], i);
          changed = TRUE;
        }
  }
  return TRUE;
}

/* ---- Exact ---- */
/* Do loops need more rounds than they were unrolled for? */
typedef struct Reach {
  const Hunt *hunt;
  const RspProgram *program;
  RspArena *arena;
  GPtrArray **paths; /* per thread: of RspPath, truncated ones and beginnings */
  RspFeasibility *feasibility;
  const RspPath **chosen;
  guint first; /* the thread whose path is truncated */
  guint left;  /* steps that may still be made */
} Reach;

static gboolean is_access (const RspPreExecution *pre, guint e) {
  return !rsp_event_is_initial (pre->events[e]) && rsp_event_is_access (pre->events[e]);
}

/* These relations follow from what each event is, and which threads' events it meets. */
static const RspBaseRelation by_event[]
    = { RSP_BASE_RELATION_LOC, RSP_BASE_RELATION_VLOC, RSP_BASE_RELATION_SR };

/* Each path is looked at together with the longest ones of the others. */
static gboolean find_uniform (const Reach *reach, RspUniform *uniform) {
  guint n = reach->program->n_threads;
  for (guint i = 0; i < RSP_N_BASE_SETS; i++)
    uniform->sets[i] = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (by_event); i++)
    uniform->relations[by_event[i]] = TRUE;
  for (guint t = 0; t < n; t++) {
    reach->chosen[t] = NULL;
    for (guint i = 0; i < reach->paths[t]->len; i++) {
      const RspPath *path = reach->paths[t]->pdata[i];
      if (!reach->chosen[t] || path->n_events > reach->chosen[t]->n_events)
        reach->chosen[t] = path;
    }
    if (!reach->chosen[t])
      return FALSE;
  }
  for (guint t = 0; t < n; t++) {
    const RspPath *own = reach->chosen[t];
    for (guint i = 0; i < reach->paths[t]->len; i++) {
      reach->chosen[t] = reach->paths[t]->pdata[i];
      g_autoptr (RspArena) arena = rsp_arena_new_within (reach->hunt->budget);
      const RspPreExecution *pre = rsp_pre_execution_new (reach->program, reach->chosen, arena);
      if (!pre)
        return FALSE;
      for (guint a = 0; a < pre->n; a++) {
        for (guint j = 0; j < RSP_N_BASE_SETS && is_access (pre, a); j++)
          uniform->sets[j] &= rsp_set_has (pre->base->sets[j], a);
        for (guint b = 0; b < pre->n && is_access (pre, a); b++)
          for (guint j = 0; j < G_N_ELEMENTS (by_event) && a != b && is_access (pre, b); j++)
            uniform->relations[by_event[j]]
                &= rsp_matrix_get (pre->base->relations[by_event[j]], a, b);
      }
    }
    reach->chosen[t] = own;
  }
  return TRUE;
}

/* ---- Paths ---- */
/* The paths of a thread up to that moment. */
static GPtrArray *exact_find_paths (const Reach *reach, const GPtrArray *paths,
                                    const GPtrArray *truncated) {
  g_autoptr (GPtrArray) whole = g_ptr_array_new ();
  GPtrArray *found = g_ptr_array_new ();
  for (guint i = 0; i < paths->len; i++) {
    RspPath *path = paths->pdata[i];
    if (path->end == RSP_PATH_COMPLETE || (path->end == RSP_PATH_STUCK && !path->rotated))
      g_ptr_array_add (whole, path);
  }
  for (guint i = 0; i < truncated->len; i++) {
    g_ptr_array_add (whole, truncated->pdata[i]);
    g_ptr_array_add (found, truncated->pdata[i]);
  }
  g_autoptr (GPtrArray) cut = g_ptr_array_new ();
  rsp_paths_cut (whole, TRUE, TRUE, reach->arena, cut);
  for (guint i = 0; i < cut->len; i++)
    if (((const RspPath *) cut->pdata[i])->end == RSP_PATH_STOPPED)
      g_ptr_array_add (found, cut->pdata[i]);
  return found;
}

/* ---- Combinations ---- */
/* May an execution have what is chosen, with some paths of the threads from this one on? TRUE is
 * not certain. */
static gboolean may_be_reached (Reach *reach, guint thread) {
  if (thread == reach->program->n_threads) {
    static const RspQuestion any;
    reach->left -= MIN (reach->left, SEARCH_STEPS);
    g_autoptr (RspQuery) query
        = rsp_query_new_of (reach->program, reach->hunt->model, &reach->hunt->options,
                            reach->chosen, reach->hunt->budget);
    gboolean given_up = FALSE;
    return rsp_query_find (query, &any, reach->arena, &given_up) != NULL || given_up
           || rsp_query_stop (query) != RSPCHECK_STOP_COMPLETE;
  }
  gboolean reached = FALSE;
  for (guint i = 0; i < reach->paths[thread]->len && !reached; i++) {
    const RspPath *path = reach->chosen[thread] = reach->paths[thread]->pdata[i];
    if ((path->end == RSP_PATH_TRUNCATED) != (thread == reach->first))
      continue;
    if (!reach->left || rsp_budget_is_exhausted (reach->hunt->budget))
      return TRUE;
    reach->left--;
    reached = rsp_feasibility_choose (reach->feasibility, thread, path)
              && may_be_reached (reach, thread + 1);
    rsp_feasibility_retract (reach->feasibility);
  }
  return reached;
}

/* Is it certain that no execution has a path that is truncated?
 *
 * Of an execution that has one, there is the moment at which the first thread has made all rounds
 * that it may. If the model is stepwise (model/bounds/bounds.h), what has happened until then is
 * an execution too: of one path that is truncated, and beginnings of others. So it is enough that
 * there is none of that kind. */
static gboolean exact_unrolling (const Hunt *hunt) {
  const RspProgram *program = &hunt->hangs->program;
  guint n = program->n_threads;
  g_autofree GPtrArray **found = g_new0 (GPtrArray *, n + 1);
  g_autofree const RspPath **chosen = g_new0 (const RspPath *, n + 1);
  g_autoptr (RspArena) arena = rsp_arena_new_within (hunt->budget);
  Reach reach = { hunt, program, arena, found, NULL, chosen, 0, PROOF_STEPS };
  RspUniform uniform = { 0 };
  RspStageOptions options
      = { .skipped_checks = hunt->options.skipped_checks, .budget = hunt->budget };
  /* A barrier that others have not reached yet keeps a beginning from being a combination of paths.
   */
  gboolean meet = FALSE;
  for (guint t = 0; t < n; t++) {
    found[t] = exact_find_paths (&reach, hunt->paths[t], hunt->truncated[t]);
    meet |= rsp_paths_meet (found[t]);
  }
  gboolean exact = hunt->options.through == RSPCHECK_THROUGH_NONE && !meet
                   && find_uniform (&reach, &uniform)
                   && rsp_model_is_stepwise (hunt->model, program->language, &uniform, &options);
  if (exact) {
    rsp_paths_prune (program, found, hunt->budget);
    reach.feasibility = rsp_feasibility_new (program, found, hunt->budget);
    for (; reach.first < n && exact; reach.first++)
      exact = !may_be_reached (&reach, 0);
    rsp_feasibility_free (reach.feasibility);
  }
  for (guint t = 0; t < n; t++)
    g_ptr_array_unref (found[t]);
  return exact;
}

/* ---- More rounds ---- */
static gboolean has_few_paths (const Hunt *hunt) {
  for (guint t = 0; t < hunt->hangs->program.n_threads; t++)
    if (hunt->paths[t]->len > FEW_PATHS)
      return FALSE;
  return TRUE;
}

static void search_paths (Hunt *hunt, guint steps) {
  hunt->left = steps;
  hunt->n_open = 0;
  for (guint i = 0; i < hunt->hangs->n; i++)
    hunt->n_open += is_open (hunt, i);
  gboolean all_end = TRUE;
  for (guint t = 0; t < hunt->hangs->program.n_threads; t++)
    for (guint i = 0; i < hunt->paths[t]->len; i++)
      all_end &= ((const RspPath *) hunt->paths[t]->pdata[i])->end == RSP_PATH_COMPLETE;
  if (!hunt->n_open || all_end)
    return;
  hunt->feasibility = rsp_feasibility_new (&hunt->hangs->program, hunt->paths, hunt->budget);
  /* Combinations with few events come first: a hang is found soon, and is easy to understand. */
  hunt->least = 0;
  hunt->all = FALSE;
  for (hunt->end = FEW_EVENTS; !hunt->all; hunt->end *= 2) {
    hunt->all = TRUE;
    choose_paths (hunt, 0, 0);
    hunt->least = hunt->end;
  }
  g_clear_pointer (&hunt->feasibility, rsp_feasibility_free);
}

static gboolean any_may_end (const Hunt *hunt) {
  for (guint i = 0; i < hunt->hangs->n; i++)
    if (!hunt->hangs->items[i].hangs)
      return TRUE;
  return FALSE;
}

/* With more rounds, as long as that may make a difference. */
static void search_rounds (Hunt *hunt, guint unroll, RspDiagnostics *diagnostics) {
  const guint more[] = { unroll + 1, 2 * unroll, 4 * unroll };
  gboolean *bounded = &hunt->hangs->bounded;
  /* Is this unrolling searched completely, and sufficient? */
  for (guint i = 0; *bounded && any_may_end (hunt); i++)
    if (hunt->left && !rsp_budget_is_exhausted (hunt->budget) && exact_unrolling (hunt))
      *bounded = FALSE;
    else if (i == G_N_ELEMENTS (more) || !has_few_paths (hunt))
      return;
    else {
      *bounded = FALSE;
      hunt->left = 0;
      if (hang_find_paths (hunt, more[i], diagnostics))
        search_paths (hunt, FEW_STEPS);
      *bounded |= !hunt->left || rsp_budget_is_exhausted (hunt->budget);
    }
}

static void search (Hunt *hunt) {
  if (!hang_find_paths (hunt, hunt->options.unroll, hunt->diagnostics)) {
    rsp_budget_end (hunt->budget, RSPCHECK_STOP_ERROR);
    return;
  }
  /* If few combinations do not suffice, ask the solver, and search all under what it does not rule
   * out. */
  search_paths (hunt, hunt->options.solver_after ? hunt->options.solver_after : FIRST_STEPS);
  if (!hunt->left && hunt->n_open) {
    RspSatHangs *sat = rsp_sat_hangs_new (&hunt->hangs->program, hunt->model, &hunt->options,
                                          hunt->paths, hunt->terms, hunt->budget);
    for (guint i = 0; i < hunt->hangs->n; i++)
      hunt->ruled_out[i]
          = is_open (hunt, i) && rsp_sat_hangs_ruled_out (sat, &hunt->hangs->items[i].progress);
    rsp_sat_hangs_free (sat);
    search_paths (hunt, G_MAXUINT);
    for (guint i = 0; i < hunt->hangs->n; i++)
      hunt->ruled_out[i] = FALSE;
  }
  if (hunt->goes_further) {
    /* If it takes too long, what was found without it is still the answer. */
    g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
    RspBudget budget = *hunt->budget, *whole = hunt->budget;
    if (rsp_budget_is_exhausted (whole))
      return;
    hunt->budget = &budget;
    search_rounds (hunt, hunt->options.unroll, unheard);
    hunt->budget = whole;
  }
}

/* ---- The whole ---- */
void rsp_hangs_free (RspHangs *hangs) {
  if (!hangs)
    return;
  g_ptr_array_unref (hangs->queries);
  rsp_arena_free (hangs->arena);
  g_free (hangs);
}

RspHangs *rsp_hangs_find (const RspProgram *program, const RspModel *model,
                          const RspCheckOptions *options, const RspProgress *models, guint n,
                          RspBudget *budget, RspDiagnostics *diagnostics) {
  RspHangs *hangs = g_new0 (RspHangs, 1);
  hangs->arena = rsp_arena_new ();
  hangs->program = *program;
  rsp_words_bind (&hangs->program, model, NULL);
  rsp_program_hide_registers (&hangs->program); /* how it would end does not matter */
  hangs->items = rsp_arena_new0 (hangs->arena, RspHang, n + 1);
  hangs->n = n;
  for (guint i = 0; i < n; i++)
    hangs->items[i].progress = models[i];
  hangs->queries = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_query_free);
  guint n_threads = program->n_threads;
  RspBudget own = { .deadline = rsp_deadline_in (options->timeout),
                    .max_memory = options->max_memory ? options->max_memory : RSP_DEFAULT_MEMORY };
  g_autofree const RspPath **chosen = g_new0 (const RspPath *, n_threads + 1);
  g_autofree RspFate *fates = g_new0 (RspFate, n_threads + 1);
  g_autofree gboolean *ruled_out = g_new0 (gboolean, n + 1);
  g_autofree GPtrArray **paths = g_new0 (GPtrArray *, n_threads + 1);
  g_autofree GPtrArray **truncated = g_new0 (GPtrArray *, n_threads + 1);
  Hunt hunt = { .hangs = hangs,
                .model = model,
                .options = *options,
                .budget = budget ? budget : &own,
                .diagnostics = diagnostics,
                .terms = rsp_terms_new (hangs->arena),
                .paths = paths,
                .truncated = truncated,
                .chosen = chosen,
                .fates = fates,
                .ruled_out = ruled_out,
                .goes_further = !budget };
  for (guint t = 0; t < n_threads; t++) {
    paths[t] = g_ptr_array_new ();
    truncated[t] = g_ptr_array_new ();
  }
  if (n_threads)
    search (&hunt);
  hangs->stop = rsp_budget_stop (hunt.budget);
  for (guint t = 0; t < n_threads; t++) {
    g_ptr_array_unref (paths[t]);
    g_ptr_array_unref (truncated[t]);
  }
  rsp_terms_free (hunt.terms);
  return hangs;
}
