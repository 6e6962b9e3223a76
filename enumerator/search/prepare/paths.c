#include "enumerator/search/prepare/paths.h"
#include "enumerator/search/prepare/path_cache.h"
#include "enumerator/barriers.h"

static RspPathOptions path_options (Check *check) {
  return (RspPathOptions){ .unroll = check->options->unroll,
                           .cas_writeback
                           = rsp_cas_writes_back (check->options->cas_writeback,
                                                  check->program->language->cas_writeback),
                           .spin_last = check->spin_last,
                           .barriers = barriers_rules (check->model),
                           .budget = &check->budget };
}

gboolean check_has_conditions (const Check *check) {
  for (guint t = 0; t < check->program->n_threads; t++)
    for (guint i = 0; i < check->paths[t]->len; i++)
      if (((const RspPath *) check->paths[t]->pdata[i])->n_constraints)
        return TRUE;
  return FALSE;
}

/* The analysis of the paths also serves the search, if no path has been removed. */
static void prune_paths (Check *check) {
  if (!check_has_conditions (check))
    return;
  RspFeasibility *f = rsp_feasibility_new (check->program, check->paths, &check->budget);
  if (rsp_feasibility_prune (f, check->paths))
    rsp_feasibility_free (f);
  else
    check->feasibility = f;
}

/* Adds the paths on which the thread may repeat rounds for ever. */
static gboolean add_stuck (Check *check, guint thread) {
  RspPathOptions options = path_options (check);
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  options.spin_last = FALSE;
  options.cycles = TRUE;
  if (!rsp_paths_enumerate (check->program, thread, &options, check->terms, check->arena, all,
                            check->diagnostics))
    return FALSE;
  for (guint i = 0; i < all->len; i++)
    if (((const RspPath *) all->pdata[i])->end == RSP_PATH_STUCK)
      g_ptr_array_add (check->paths[thread], all->pdata[i]);
  return TRUE;
}

static gboolean enumerate_paths (Check *check) {
  const RspProgram *program = check->program;
  RspPathOptions options = path_options (check);
  g_clear_pointer (&check->feasibility, rsp_feasibility_free);
  for (guint i = 0; i < program->n_threads; i++)
    if (!rsp_paths_enumerate (program, i, &options, check->terms, check->arena, check->paths[i],
                              check->diagnostics))
      return FALSE;
  if (check->spin_last)
    spin_sort_paths (&check->spin, check->paths);
  if (check->options->prefixes && check->options->spin == RSPCHECK_SPIN_LAST)
    for (guint i = 0; i < program->n_threads; i++)
      if (!add_stuck (check, i))
        return FALSE;
  prune_paths (check);
  return TRUE;
}

static gboolean find_paths (Check *check) {
  check->spin_last = check->options->spin == RSPCHECK_SPIN_LAST;
  if (!enumerate_paths (check))
    return FALSE;
  if (!check->spin_last || spin_is_whole (&check->spin))
    return TRUE;
  check->spin_last = FALSE;
  if (rsp_budget_is_exhausted (&check->budget))
    return TRUE;
  if (check->options->through != RSPCHECK_THROUGH_NONE)
    rsp_warning (check->diagnostics, (RspSpan){ 0 }, NULL,
                 "test %s: -through also counts what forbidden rounds show: its loops are unrolled "
                 "despite -spin last",
                 check->program->name);
  else
    rsp_warning (check->diagnostics, (RspSpan){ 0 }, NULL,
                 "test %s: model %s may see how often a loop has waited: its loops are unrolled "
                 "despite -spin last",
                 check->program->name, check->model->name);
  for (guint i = 0; i < check->program->n_threads; i++)
    g_ptr_array_set_size (check->paths[i], 0);
  return enumerate_paths (check);
}

/* The first barrier from the event with the number on; NULL: there is none. */
static const RspEvent *next_arrival (const RspPath *path, guint *number) {
  for (; *number < path->n_events; (*number)++)
    if (rsp_event_is_arrival (&path->events[*number]))
      return &path->events[(*number)++];
  return NULL;
}

/* Do the paths come to the same barriers, one after the other? */
static gboolean meet_alike (const RspPath *a, const RspPath *b) {
  guint i = 0, k = 0;
  for (;;) {
    const RspEvent *one = next_arrival (a, &i), *other = next_arrival (b, &k);
    if (!one || !other)
      return one == other;
    if (!rsp_event_is_same_barrier (one, other))
      return FALSE;
  }
}

/* May every combination of paths have come as far as they go? Not if one waits at a barrier and
 * another does not. */
static gboolean all_meet (const Check *check) {
  const RspPath *first = NULL;
  for (guint i = 0; i < check->program->n_threads; i++)
    for (guint k = 0; k < check->paths[i]->len; k++) {
      const RspPath *path = check->paths[i]->pdata[k];
      first = first ? first : path;
      if (!meet_alike (first, path))
        return FALSE;
    }
  return TRUE;
}

static void drop_truncated_paths (Check *check) {
  g_autoptr (GHashTable) reported = g_hash_table_new (NULL, NULL);
  const gboolean keeps = check->options->prefixes && all_meet (check);
  for (guint i = 0; i < check->program->n_threads; i++) {
    GPtrArray *paths = check->paths[i];
    guint kept = 0;
    for (guint j = 0; j < paths->len; j++) {
      RspPath *path = paths->pdata[j];
      gboolean truncated = path->end == RSP_PATH_TRUNCATED;
      check->outcome->loop |= truncated;
      if (truncated && g_hash_table_add (reported, GUINT_TO_POINTER (path->end_span.begin + 1)))
        rsp_truncated (check->diagnostics, path->end_span, "-unroll N allows more rounds",
                       "test %s: this loop may need more than %u rounds; %s", check->program->name,
                       check->options->unroll,
                       keeps ? "of executions that do, only these are looked at"
                             : "executions that do are left out");
      gboolean ends = !truncated && path->end != RSP_PATH_STUCK;
      if (!ends && keeps)
        path->end = RSP_PATH_COMPLETE;
      if (ends || keeps)
        paths->pdata[kept++] = path;
    }
    if (kept < paths->len)
      g_clear_pointer (&check->feasibility, rsp_feasibility_free);
    g_ptr_array_set_size (paths, (gint) kept);
  }
}

gboolean check_obtain_paths (Check *check) {
  guint n_reported = rsp_diagnostics_count (check->diagnostics);
  if (check->has_paths)
    return TRUE;
  if (!find_paths (check))
    return FALSE;
  drop_truncated_paths (check);
  check->has_paths = !rsp_budget_is_exhausted (&check->budget) && !check->outcome->loop
                     && rsp_diagnostics_count (check->diagnostics) == n_reported;
  return TRUE;
}

void check_start_paths (Check *check) {
  guint n = check->program->n_threads;
  check->has_paths = path_cache_take (check->path_cache, check);
  if (!check->has_paths) {
    check->arena = rsp_arena_new_within (&check->budget);
    check->terms = rsp_terms_new (check->arena);
    check->paths = g_new0 (GPtrArray *, n);
    for (guint i = 0; i < n; i++)
      check->paths[i] = g_ptr_array_new ();
  }
  check->spin = (RspSpin){ .program = check->program,
                           .model = check->model,
                           .options = check->options,
                           .budget = &check->budget,
                           .terms = check->terms };
}

void check_end_paths (Check *check) {
  if (path_cache_give (check->path_cache, check))
    return;
  rsp_feasibility_free (check->feasibility);
  for (guint i = 0; i < check->program->n_threads; i++)
    g_ptr_array_unref (check->paths[i]);
  g_free (check->paths);
  rsp_terms_free (check->terms);
  rsp_arena_free (check->arena);
}
