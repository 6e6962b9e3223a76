/* Finds the paths that can occur together, as far as values decide. Each location gets the set of
 * values that it may ever hold (value_sets.c). A path whose constraints no values of its reads
 * satisfy (satisfy.c) is removed, and the sets are computed again, until all remaining paths are
 * possible: a greatest fixpoint, because paths may enable each other (load buffering with control
 * dependencies).
 *
 * Undetermined values (see values_circle.c) come from nowhere, so the least fixpoint of values
 * would miss them: locations whose values may justify each other in a cycle have one from the start
 * (circle.c). */
#include "enumerator/paths/feasible/feasible.h"
#include "enumerator/paths/feasible/circle.h"
#include "enumerator/paths/feasible/satisfy.h"
#include "enumerator/paths/feasible/value_sets.h"

/* ---- Paths, taken apart ---- */

static guint read_of_event (const RspPathFacts *facts, guint event) {
  for (guint i = 0; i < facts->n_reads; i++)
    if (facts->reads[i].event == event)
      return i;
  g_assert_not_reached ();
}

static guint *reads_of_term (const RspFeasibility *f, const RspPathFacts *facts,
                             const RspTerm *term, guint *n) {
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (guint));
  rsp_term_add_reads (term, events);
  *n = events->len;
  guint *reads = rsp_arena_new0 (f->arena, guint, events->len + 1);
  for (guint i = 0; i < events->len; i++)
    reads[i] = read_of_event (facts, g_array_index (events, guint, i));
  return reads;
}

/* Both sides of a conjunction become separate conditions: the fewer reads a condition has, the
 * better. */
static void add_conditions (const RspTerm *term, GPtrArray *conditions) {
  if (term->kind == RSP_TERM_BINARY && term->op == RSP_OP_AND && term->is_boolean) {
    add_conditions (term->a, conditions);
    add_conditions (term->b, conditions);
  } else
    g_ptr_array_add (conditions, (gpointer) term);
}

static void take_constraints (const RspFeasibility *f, RspPathFacts *facts) {
  g_autoptr (GPtrArray) conditions = g_ptr_array_new ();
  for (guint i = 0; i < facts->path->n_constraints; i++)
    add_conditions (facts->path->constraints[i].term, conditions);
  facts->n_conditions = conditions->len;
  facts->conditions = rsp_arena_new0 (f->arena, RspConditionFacts, conditions->len + 1);
  for (guint i = 0; i < conditions->len; i++) {
    RspConditionFacts *condition = &facts->conditions[i];
    condition->term = conditions->pdata[i];
    condition->reads = reads_of_term (f, facts, condition->term, &condition->n_reads);
  }
}

static RspPathFacts *take_apart (const RspFeasibility *f, const RspPath *path) {
  RspPathFacts *facts = rsp_arena_new0 (f->arena, RspPathFacts, 1);
  facts->path = path;
  facts->reads = rsp_arena_new0 (f->arena, RspReadFacts, path->n_events + 1);
  facts->writes = rsp_arena_new0 (f->arena, RspWriteFacts, path->n_events + 1);
  for (guint e = 0; e < path->n_events; e++) {
    const RspEvent *event = &path->events[e];
    if (event->read)
      facts->reads[facts->n_reads++] = (RspReadFacts){ .event = e, .location = event->location };
    if (!event->written)
      continue;
    RspWriteFacts *write = &facts->writes[facts->n_writes++];
    *write = (RspWriteFacts){ .location = event->location, .term = event->written };
    write->reads = reads_of_term (f, facts, write->term, &write->n_reads);
  }
  take_constraints (f, facts);
  feasibility_relate_reads (f, facts);
  return facts;
}

/* Sorts the writes of a path by component, and marks those that depend on their own component. */
static void sort_writes (const RspFeasibility *f, RspPathFacts *facts) {
  for (guint i = 1; i < facts->n_writes; i++)
    for (guint j = i;
         j > 0
         && f->component[facts->writes[j].location] < f->component[facts->writes[j - 1].location];
         j--) {
      RspWriteFacts other = facts->writes[j];
      facts->writes[j] = facts->writes[j - 1];
      facts->writes[j - 1] = other;
    }
  for (guint i = 0; i < facts->n_writes; i++)
    for (guint j = 0; j < facts->writes[i].n_reads; j++) {
      RspWriteFacts *write = &facts->writes[i];
      write->recursive
          |= f->component[facts->reads[write->reads[j]].location] == f->component[write->location];
    }
}

/* ---- The fixpoint ---- */

/* The thread's active paths without those that are impossible with these values; NULL if none is.
 */
static GPtrArray *without_infeasible (RspFeasibility *f, guint thread) {
  const GPtrArray *active = f->active[thread];
  GPtrArray *kept = NULL;
  for (guint i = 0; i < active->len; i++) {
    gboolean stays
        = feasibility_is_exhausted (f) || feasibility_is_satisfiable (f, active->pdata[i]);
    if (!stays && !kept) {
      kept = g_ptr_array_new ();
      for (guint k = 0; k < i; k++)
        g_ptr_array_add (kept, active->pdata[k]);
    } else if (stays && kept)
      g_ptr_array_add (kept, active->pdata[i]);
  }
  return kept;
}

/* Choices share the lists, so these do not change. */
static void set_active (RspFeasibility *f, guint thread, GPtrArray *active) {
  g_ptr_array_unref (f->active[thread]);
  f->active[thread] = active;
}

/* Removes the active paths that are impossible. TRUE if there were any. */
static gboolean drop_infeasible (RspFeasibility *f) {
  gboolean any = FALSE;
  for (guint t = 0; t < f->program->n_threads; t++) {
    GPtrArray *kept = without_infeasible (f, t);
    any |= kept != NULL;
    if (kept)
      set_active (f, t, kept);
  }
  return any;
}

/* Drops paths until all that remain are possible. FALSE if a thread has none left. */
static gboolean settle (RspFeasibility *f) {
  do {
    feasibility_find_values (f);
    if (!drop_infeasible (f) || feasibility_is_exhausted (f))
      return TRUE;
    for (guint t = 0; t < f->program->n_threads; t++)
      if (!f->active[t]->len)
        return FALSE;
  } while (TRUE);
}

static RspPathFacts *find_active (const RspFeasibility *f, guint thread, const RspPath *path) {
  for (guint i = 0; i < f->active[thread]->len; i++) {
    RspPathFacts *facts = f->active[thread]->pdata[i];
    if (facts->path == path)
      return facts;
  }
  return NULL;
}

gboolean rsp_feasibility_choose (RspFeasibility *f, guint thread, const RspPath *path) {
  guint n_threads = f->program->n_threads;
  RspPathFacts *facts = find_active (f, thread, path);
  if (!facts || f->active[thread]->len == 1) {
    g_ptr_array_add (f->choices, NULL); /* nothing changes */
    return facts != NULL;
  }
  GPtrArray **before = g_new (GPtrArray *, n_threads);
  for (guint t = 0; t < n_threads; t++)
    before[t] = g_ptr_array_ref (f->active[t]);
  g_ptr_array_add (f->choices, before);
  set_active (f, thread, g_ptr_array_new ());
  g_ptr_array_add (f->active[thread], facts);
  return settle (f);
}

void rsp_feasibility_retract (RspFeasibility *f) {
  g_autofree GPtrArray **before = g_ptr_array_steal_index (f->choices, f->choices->len - 1);
  for (guint t = 0; before && t < f->program->n_threads; t++)
    set_active (f, t, before[t]);
}

/* Lists the locations of each component, and allocates the lists of paths that write there. */
static void index_components (RspFeasibility *f) {
  guint n = f->n_components, n_locations = f->program->n_locations;
  f->writers = rsp_arena_new0 (f->arena, GPtrArray *, n + 1);
  f->locations = rsp_arena_new0 (f->arena, guint *, n + 1);
  f->n_locations = rsp_arena_new0 (f->arena, guint, n + 1);
  guint *all = rsp_arena_new0 (f->arena, guint, n_locations + 1);
  for (guint l = 0; l < n_locations; l++)
    f->n_locations[f->component[l]]++;
  for (guint c = 0; c < n; c++) {
    f->writers[c] = g_ptr_array_new ();
    f->locations[c] = all;
    all += f->n_locations[c];
    f->n_locations[c] = 0;
  }
  for (guint l = 0; l < n_locations; l++)
    f->locations[f->component[l]][f->n_locations[f->component[l]]++] = l;
}

/* Takes the paths apart; if the budget runs out, only those handled until then. */
static void take_all_apart (RspFeasibility *f, GPtrArray *const *paths) {
  guint most_events = 0;
  for (guint t = 0; t < f->program->n_threads; t++) {
    f->facts[t] = g_ptr_array_new ();
    f->active[t] = g_ptr_array_new ();
    for (guint i = 0; i < paths[t]->len && !feasibility_is_exhausted (f); i++) {
      const RspPath *path = paths[t]->pdata[i];
      RspPathFacts *facts = take_apart (f, path);
      facts->thread = t;
      most_events = MAX (most_events, path->n_events);
      g_ptr_array_add (f->facts[t], facts);
    }
  }
  f->values = rsp_arena_new0 (f->arena, RspValue, most_events + 1);
  f->known = rsp_arena_new0 (f->arena, gboolean, most_events + 1);
}

RspFeasibility *rsp_feasibility_new (const RspProgram *program, GPtrArray *const *paths,
                                     RspBudget *budget) {
  RspFeasibility *f = g_new0 (RspFeasibility, 1);
  f->program = program;
  f->budget = budget;
  f->arena = rsp_arena_new_within (budget);
  f->sets = rsp_arena_new0 (f->arena, RspValueSet, program->n_locations + 1);
  f->facts = rsp_arena_new0 (f->arena, GPtrArray *, program->n_threads + 1);
  f->active = rsp_arena_new0 (f->arena, GPtrArray *, program->n_threads + 1);
  f->choices = g_ptr_array_new ();
  take_all_apart (f, paths);
  feasibility_find_components (f);
  for (guint t = 0; t < program->n_threads; t++)
    for (guint i = 0; i < f->facts[t]->len && !feasibility_is_exhausted (f); i++) {
      sort_writes (f, f->facts[t]->pdata[i]);
      g_ptr_array_add (f->active[t], f->facts[t]->pdata[i]);
    }
  index_components (f);
  f->feasible = settle (f);
  return f;
}

void rsp_feasibility_set_budget (RspFeasibility *f, RspBudget *budget) {
  if (!f)
    return;
  f->budget = budget;
  rsp_arena_set_budget (f->arena, budget);
}

void rsp_feasibility_free (RspFeasibility *f) {
  if (!f)
    return;
  while (f->choices->len)
    rsp_feasibility_retract (f);
  g_ptr_array_unref (f->choices);
  for (guint c = 0; c < f->n_components; c++)
    g_ptr_array_unref (f->writers[c]);
  for (guint t = 0; t < f->program->n_threads; t++) {
    g_ptr_array_unref (f->facts[t]);
    g_ptr_array_unref (f->active[t]);
  }
  rsp_arena_free (f->arena);
  g_free (f);
}

gboolean rsp_feasibility_prune (const RspFeasibility *f, GPtrArray **paths) {
  gboolean removed = FALSE;
  for (guint t = 0; t < f->program->n_threads && !feasibility_is_exhausted (f); t++) {
    guint before = paths[t]->len;
    g_ptr_array_set_size (paths[t], 0);
    for (guint i = 0; i < f->active[t]->len && f->feasible; i++)
      g_ptr_array_add (paths[t], (gpointer) ((RspPathFacts *) f->active[t]->pdata[i])->path);
    removed |= paths[t]->len < before;
  }
  return removed;
}

void rsp_paths_prune (const RspProgram *program, GPtrArray **paths, RspBudget *budget) {
  RspFeasibility *f = rsp_feasibility_new (program, paths, budget);
  rsp_feasibility_prune (f, paths);
  rsp_feasibility_free (f);
}
