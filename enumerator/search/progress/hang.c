#include "enumerator/search/progress/hang.h"
#include "enumerator/barriers.h"
#include "enumerator/paths/loops/cut.h"
#include "enumerator/paths/feasible/feasible.h"
#include "enumerator/search/progress/barriers.h"
#include "enumerator/search/progress/exact.h"
#include "enumerator/search/progress/memory.h"
#include "enumerator/search/progress/schedule.h"
#include "enumerator/search/query/query.h"
#include "enumerator/search/sat/proofs/hangs.h"
#include "enumerator/values/final_state.h"

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
  PROOF_STEPS = 1 << 17 /* of the proof that no more rounds are needed */
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

static gboolean any_permits (const Hunt *hunt) {
  for (guint i = 0; i < hunt->hangs->n; i++)
    if (permits (hunt, i))
      return TRUE;
  return FALSE;
}

/* ---- One combination ---- */

static gboolean take_if_repeating (gpointer data, const RspExecution *execution) {
  Hunt *hunt = data;
  if (!memory_is_restored (execution))
    return TRUE;
  RspArena *arena = hunt->hangs->arena;
  RspHang found = { .hangs = TRUE, .execution = rsp_execution_copy (execution, arena) };
  schedule_describe (&found, hunt->fates, arena);
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

static guint count_events (const Hunt *hunt) {
  guint n = 0;
  for (guint t = 0; t < hunt->hangs->program.n_threads; t++)
    n += hunt->chosen[t]->n_events;
  return n;
}

/* Until one is found of what the models that are open permit. FALSE: the steps did not suffice. */
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
  guint n_open = hunt->n_open, n = count_events (hunt);
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

/* What repeats is looked at from where the rounds of the first such thread begin; those of others
 * may then be in the middle, if some rounds write. */
static gboolean is_rotated_well (const Hunt *hunt) {
  gboolean any = FALSE, rotated = FALSE;
  for (guint t = 0; t < hunt->hangs->program.n_threads; t++)
    if (hunt->chosen[t]->end == RSP_PATH_STUCK) {
      if (!any && hunt->chosen[t]->rotated)
        return FALSE;
      any = TRUE;
      rotated |= hunt->chosen[t]->rotated > 0;
    }
  return !rotated || rounds_write (hunt);
}

/* Is what has been chosen, for all threads, a combination to search? */
static gboolean is_worth_searching (const Hunt *hunt, guint n_events) {
  return n_events >= hunt->least && any_permits (hunt) && is_rotated_well (hunt)
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

/* Combinations with few events come first: a hang is found soon, and is easy to understand. */
static void choose_all (Hunt *hunt) {
  hunt->least = 0;
  hunt->all = FALSE;
  for (hunt->end = FEW_EVENTS; !hunt->all; hunt->end *= 2) {
    hunt->all = TRUE;
    choose_paths (hunt, 0, 0);
    hunt->least = hunt->end;
  }
}

/* ---- Paths ---- */

/* Drops paths that fail, and moves those that are truncated. */
static void keep_endings (Hunt *hunt, guint thread) {
  GPtrArray *paths = hunt->paths[thread], *truncated = hunt->truncated[thread];
  guint kept = 0;
  g_ptr_array_set_size (truncated, 0);
  for (guint i = 0; i < paths->len; i++) {
    RspPath *path = paths->pdata[i];
    hunt->hangs->bounded |= barriers_repeat_phases (path);
    if (path->end == RSP_PATH_TRUNCATED)
      g_ptr_array_add (truncated, path);
    else if (path->end != RSP_PATH_FAILED)
      paths->pdata[kept++] = path;
  }
  g_ptr_array_set_size (paths, (gint) kept);
  hunt->hangs->bounded |= truncated->len > 0;
}

static int compare_lengths (gconstpointer a, gconstpointer b) {
  const RspPath *p = *(RspPath *const *) a, *q = *(RspPath *const *) b;
  return p->n_events < q->n_events ? -1 : p->n_events > q->n_events;
}

static gboolean find_thread_paths (Hunt *hunt, guint thread, const RspPathOptions *options,
                                   RspDiagnostics *diagnostics) {
  RspHangs *hangs = hunt->hangs;
  GPtrArray *paths = hunt->paths[thread];
  gboolean may_not_start = FALSE, may_stop = FALSE;
  for (guint i = 0; i < hangs->n; i++) {
    may_not_start |= rsp_progress_may_not_start (&hangs->items[i].progress);
    may_stop |= rsp_progress_may_stop (&hangs->items[i].progress);
  }
  if (!rsp_paths_enumerate (&hangs->program, thread, options, hunt->terms, hangs->arena, paths,
                            diagnostics))
    return FALSE;
  rsp_paths_cut (paths, may_not_start, may_stop, hangs->arena, paths);
  rsp_paths_rotate (paths, hunt->terms, hangs->arena);
  return TRUE;
}

/* FALSE, with a diagnostic, if there are too many. */
static gboolean find_paths (Hunt *hunt, guint unroll, RspDiagnostics *diagnostics) {
  RspPathOptions options
      = { .unroll = unroll,
          .cas_writeback = rsp_cas_writes_back (hunt->options.cas_writeback,
                                                hunt->hangs->program.language->cas_writeback),
          .cycles = TRUE,
          .barriers = barriers_rules (hunt->model),
          .budget = hunt->budget };
  guint n = hunt->hangs->program.n_threads;
  for (guint t = 0; t < n; t++) {
    g_ptr_array_set_size (hunt->paths[t], 0);
    if (!find_thread_paths (hunt, t, &options, diagnostics))
      return FALSE;
  }
  rsp_paths_prune (&hunt->hangs->program, hunt->paths, hunt->budget);
  for (guint t = 0; t < n; t++) {
    keep_endings (hunt, t);
    g_ptr_array_sort (hunt->paths[t], compare_lengths);
  }
  return TRUE;
}

/* ---- Rounds ---- */

static gboolean has_few_paths (const Hunt *hunt) {
  for (guint t = 0; t < hunt->hangs->program.n_threads; t++)
    if (hunt->paths[t]->len > FEW_PATHS)
      return FALSE;
  return TRUE;
}

static void count_open (Hunt *hunt) {
  hunt->n_open = 0;
  for (guint i = 0; i < hunt->hangs->n; i++)
    hunt->n_open += is_open (hunt, i);
}

static void rule_out (Hunt *hunt) {
  RspSatHangs *sat = rsp_sat_hangs_new (&hunt->hangs->program, hunt->model, &hunt->options,
                                        hunt->paths, hunt->terms, hunt->budget);
  for (guint i = 0; i < hunt->hangs->n; i++)
    hunt->ruled_out[i]
        = is_open (hunt, i) && rsp_sat_hangs_ruled_out (sat, &hunt->hangs->items[i].progress);
  rsp_sat_hangs_free (sat);
}

static void search_paths (Hunt *hunt, guint steps) {
  hunt->left = steps;
  count_open (hunt);
  if (!hunt->n_open)
    return;
  hunt->feasibility = rsp_feasibility_new (&hunt->hangs->program, hunt->paths, hunt->budget);
  choose_all (hunt);
  g_clear_pointer (&hunt->feasibility, rsp_feasibility_free);
}

/* If few combinations do not do, the solver is asked, and then all are searched under what it does
 * not rule out. */
static void search_all_paths (Hunt *hunt) {
  search_paths (hunt, hunt->options.solver_after ? hunt->options.solver_after : FIRST_STEPS);
  if (hunt->left || !hunt->n_open)
    return;
  rule_out (hunt);
  search_paths (hunt, G_MAXUINT);
  for (guint i = 0; i < hunt->hangs->n; i++)
    hunt->ruled_out[i] = FALSE;
}

/* Was everything searched that happens in as many rounds, and does more than that never happen? */
static gboolean is_exact (const Hunt *hunt) {
  return hunt->left && !rsp_budget_is_exhausted (hunt->budget)
         && exact_unrolling (&hunt->hangs->program, hunt->model, &hunt->options, hunt->paths,
                             hunt->truncated, PROOF_STEPS, hunt->budget);
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
  for (guint i = 0; *bounded && any_may_end (hunt); i++)
    if (is_exact (hunt))
      *bounded = FALSE;
    else if (i == G_N_ELEMENTS (more) || !has_few_paths (hunt))
      return;
    else {
      *bounded = FALSE;
      hunt->left = 0;
      if (find_paths (hunt, more[i], diagnostics))
        search_paths (hunt, FEW_STEPS);
      *bounded |= !hunt->left || rsp_budget_is_exhausted (hunt->budget);
    }
}

/* If it takes too long, what was found without it is still the answer. */
static void search_further (Hunt *hunt) {
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  RspBudget budget = *hunt->budget, *whole = hunt->budget;
  if (rsp_budget_is_exhausted (whole))
    return;
  hunt->budget = &budget;
  search_rounds (hunt, hunt->options.unroll, unheard);
  hunt->budget = whole;
}

static void search (Hunt *hunt) {
  if (!find_paths (hunt, hunt->options.unroll, hunt->diagnostics)) {
    rsp_budget_end (hunt->budget, RSPCHECK_STOP_ERROR);
    return;
  }
  search_all_paths (hunt);
  if (hunt->goes_further)
    search_further (hunt);
}

/* ---- The whole ---- */

static RspHangs *hangs_new (const RspProgram *program, const RspProgress *models, guint n) {
  RspHangs *hangs = g_new0 (RspHangs, 1);
  hangs->arena = rsp_arena_new ();
  hangs->program = *program;
  rsp_program_hide_registers (&hangs->program); /* how it would end does not matter */
  hangs->items = rsp_arena_new0 (hangs->arena, RspHang, n + 1);
  hangs->n = n;
  for (guint i = 0; i < n; i++)
    hangs->items[i].progress = models[i];
  hangs->queries = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_query_free);
  return hangs;
}

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
  RspHangs *hangs = hangs_new (program, models, n);
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
