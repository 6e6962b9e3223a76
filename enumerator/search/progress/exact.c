#include "enumerator/search/progress/exact.h"
#include "enumerator/event.h"
#include "enumerator/paths/loops/cut.h"
#include "enumerator/paths/feasible/feasible.h"
#include "enumerator/search/query/query.h"
#include "model/bounds/stepwise.h"

typedef struct Reach {
  const RspProgram *program;
  const RspModel *model;
  const RspCheckOptions *options;
  RspBudget *budget;
  RspArena *arena;
  GPtrArray **paths; /* per thread: of RspPath, truncated ones and beginnings */
  RspFeasibility *feasibility;
  const RspPath **chosen;
  guint first; /* the thread whose path is truncated */
  guint left;  /* steps that may still be made */
} Reach;

enum {
  SEARCH_STEPS = 64 /* that the search of a combination is worth */
};

/* ---- The program ---- */

/* A barrier that others have not reached yet keeps a beginning from being a combination of paths.
 */
static gboolean has_barrier (const Reach *reach) {
  for (guint t = 0; t < reach->program->n_threads; t++)
    for (guint i = 0; i < reach->paths[t]->len; i++) {
      const RspPath *path = reach->paths[t]->pdata[i];
      for (guint e = 0; e < path->n_events; e++)
        if (path->events[e].barrier)
          return TRUE;
    }
  return FALSE;
}

static gboolean is_access (const RspPreExecution *pre, guint e) {
  return !rsp_event_is_initial (pre->events[e]) && rsp_event_is_access (pre->events[e]);
}

static gboolean all_are_in (const RspPreExecution *pre, const RspMatrix *set) {
  for (guint e = 0; e < pre->n; e++)
    if (is_access (pre, e) && !rsp_set_has (set, e))
      return FALSE;
  return TRUE;
}

static gboolean all_are_related (const RspPreExecution *pre, const RspMatrix *relation) {
  for (guint a = 0; a < pre->n; a++)
    for (guint b = 0; b < pre->n; b++)
      if (a != b && is_access (pre, a) && is_access (pre, b) && !rsp_matrix_get (relation, a, b))
        return FALSE;
  return TRUE;
}

/* These relations follow from what each event is, and which threads' events it meets. */
static const RspBaseRelation by_event[]
    = { RSP_BASE_RELATION_LOC, RSP_BASE_RELATION_VLOC, RSP_BASE_RELATION_SR };

/* FALSE: out of memory. */
static gboolean add_combination (const Reach *reach, RspUniform *uniform) {
  g_autoptr (RspArena) arena = rsp_arena_new_within (reach->budget);
  const RspPreExecution *pre = rsp_pre_execution_new (reach->program, reach->chosen, arena);
  for (guint i = 0; pre && i < RSP_N_BASE_SETS; i++)
    uniform->sets[i] = uniform->sets[i] && all_are_in (pre, pre->base->sets[i]);
  for (guint i = 0; pre && i < G_N_ELEMENTS (by_event); i++)
    uniform->relations[by_event[i]] = uniform->relations[by_event[i]]
                                      && all_are_related (pre, pre->base->relations[by_event[i]]);
  return pre != NULL;
}

static const RspPath *longest (const GPtrArray *paths) {
  const RspPath *best = NULL;
  for (guint i = 0; i < paths->len; i++) {
    const RspPath *path = paths->pdata[i];
    if (!best || path->n_events > best->n_events)
      best = path;
  }
  return best;
}

/* Each path is looked at together with the longest ones of the others. */
static gboolean find_uniform (const Reach *reach, RspUniform *uniform) {
  guint n = reach->program->n_threads;
  for (guint i = 0; i < RSP_N_BASE_SETS; i++)
    uniform->sets[i] = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (by_event); i++)
    uniform->relations[by_event[i]] = TRUE;
  for (guint t = 0; t < n; t++)
    if (!(reach->chosen[t] = longest (reach->paths[t])))
      return FALSE;
  for (guint t = 0; t < n; t++) {
    const RspPath *own = reach->chosen[t];
    for (guint i = 0; i < reach->paths[t]->len; i++) {
      reach->chosen[t] = reach->paths[t]->pdata[i];
      if (!add_combination (reach, uniform))
        return FALSE;
    }
    reach->chosen[t] = own;
  }
  return TRUE;
}

static gboolean is_stepwise (const Reach *reach) {
  RspUniform uniform = { 0 };
  RspStageOptions options
      = { .skipped_checks = reach->options->skipped_checks, .budget = reach->budget };
  return reach->options->through == RSPCHECK_THROUGH_NONE && !has_barrier (reach)
         && find_uniform (reach, &uniform)
         && rsp_model_is_stepwise (reach->model, reach->program->language, &uniform, &options);
}

/* ---- Paths ---- */

static void add_beginnings (const Reach *reach, const GPtrArray *whole, GPtrArray *out) {
  g_autoptr (GPtrArray) cut = g_ptr_array_new ();
  rsp_paths_cut (whole, TRUE, TRUE, reach->arena, cut);
  for (guint i = 0; i < cut->len; i++)
    if (((const RspPath *) cut->pdata[i])->end == RSP_PATH_STOPPED)
      g_ptr_array_add (out, cut->pdata[i]);
}

/* What a thread may have done at that moment. */
static GPtrArray *find_paths (const Reach *reach, const GPtrArray *paths,
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
  add_beginnings (reach, whole, found);
  return found;
}

/* ---- Combinations ---- */

static gboolean is_execution (Reach *reach) {
  static const RspQuestion any;
  reach->left -= MIN (reach->left, SEARCH_STEPS);
  g_autoptr (RspQuery) query = rsp_query_new_of (reach->program, reach->model, reach->options,
                                                 reach->chosen, reach->budget);
  gboolean given_up = FALSE;
  return rsp_query_find (query, &any, reach->arena, &given_up) != NULL || given_up
         || rsp_query_stop (query) != RSPCHECK_STOP_COMPLETE;
}

/* May an execution have what is chosen, with some paths of the threads from this one on? TRUE is
 * not certain. */
static gboolean may_be_reached (Reach *reach, guint thread) {
  if (thread == reach->program->n_threads)
    return is_execution (reach);
  gboolean reached = FALSE;
  for (guint i = 0; i < reach->paths[thread]->len && !reached; i++) {
    const RspPath *path = reach->chosen[thread] = reach->paths[thread]->pdata[i];
    if ((path->end == RSP_PATH_TRUNCATED) != (thread == reach->first))
      continue;
    if (!reach->left || rsp_budget_is_exhausted (reach->budget))
      return TRUE;
    reach->left--;
    reached = rsp_feasibility_choose (reach->feasibility, thread, path)
              && may_be_reached (reach, thread + 1);
    rsp_feasibility_retract (reach->feasibility);
  }
  return reached;
}

static gboolean any_is_reached (Reach *reach) {
  rsp_paths_prune (reach->program, reach->paths, reach->budget);
  reach->feasibility = rsp_feasibility_new (reach->program, reach->paths, reach->budget);
  gboolean reached = FALSE;
  for (reach->first = 0; reach->first < reach->program->n_threads && !reached; reach->first++)
    reached = may_be_reached (reach, 0);
  rsp_feasibility_free (reach->feasibility);
  return reached;
}

gboolean exact_unrolling (const RspProgram *program, const RspModel *model,
                          const RspCheckOptions *options, GPtrArray *const *paths,
                          GPtrArray *const *truncated, guint steps, RspBudget *budget) {
  guint n = program->n_threads;
  g_autofree GPtrArray **found = g_new0 (GPtrArray *, n + 1);
  g_autofree const RspPath **chosen = g_new0 (const RspPath *, n + 1);
  Reach reach = { .program = program,
                  .model = model,
                  .options = options,
                  .budget = budget,
                  .arena = rsp_arena_new_within (budget),
                  .paths = found,
                  .chosen = chosen,
                  .left = steps };
  for (guint t = 0; t < n; t++)
    found[t] = find_paths (&reach, paths[t], truncated[t]);
  gboolean exact = is_stepwise (&reach) && !any_is_reached (&reach);
  for (guint t = 0; t < n; t++)
    g_ptr_array_unref (found[t]);
  rsp_arena_free (reach.arena);
  return exact;
}
