/* Which paths can values be found for, together? Each location gets the set of values that it may
 * ever hold: its initial one, and what the paths may write given what their reads may return; a
 * least fixpoint, in which a set past a limit becomes "any". A path one of whose constraints is met
 * by nothing that its reads may return is taken away, and the sets are found anew, until all paths
 * that are left may happen: a greatest fixpoint, because paths may well enable each other (load
 * buffering with control dependencies).
 *
 * Undetermined values (see values_circle.c) come from nowhere, so the least fixpoint would miss
 * them: locations whose values may justify each other in a circle have one from the start
 * (path_circle.c). */
#include "enumerator/path_feasible.h"

#include <string.h>

/* ---- Paths, taken apart ---- */

static guint
read_of_event (const RspPathFacts *facts, guint event)
{
  for (guint i = 0; i < facts->n_reads; i++)
    if (facts->reads[i].event == event)
      return i;
  g_assert_not_reached ();
}

static guint *
reads_of_term (const RspFeasibility *f, const RspPathFacts *facts, const RspTerm *term, guint *n)
{
  GArray *events = g_array_new (FALSE, FALSE, sizeof (guint));
  rsp_term_add_reads (term, events);
  *n = events->len;
  guint *reads = rsp_arena_new0 (f->arena, guint, events->len + 1);
  for (guint i = 0; i < events->len; i++)
    reads[i] = read_of_event (facts, g_array_index (events, guint, i));
  g_array_unref (events);
  return reads;
}

/* Both sides of a conjunction are conditions of their own: the fewer reads in one, the better. */
static void
add_conditions (const RspTerm *term, GPtrArray *conditions)
{
  if (term->kind == RSP_TERM_BINARY && term->op == RSP_OP_AND && term->is_boolean)
    {
      add_conditions (term->a, conditions);
      add_conditions (term->b, conditions);
    }
  else
    g_ptr_array_add (conditions, (gpointer)term);
}

static void
take_constraints (const RspFeasibility *f, RspPathFacts *facts)
{
  GPtrArray *conditions = g_ptr_array_new ();
  for (guint i = 0; i < facts->path->n_constraints; i++)
    add_conditions (facts->path->constraints[i].term, conditions);
  facts->n_conditions = conditions->len;
  facts->conditions = rsp_arena_new0 (f->arena, RspConditionFacts, conditions->len + 1);
  for (guint i = 0; i < conditions->len; i++)
    {
      RspConditionFacts *condition = &facts->conditions[i];
      condition->term = conditions->pdata[i];
      condition->reads = reads_of_term (f, facts, condition->term, &condition->n_reads);
    }
  g_ptr_array_unref (conditions);
}

static RspPathFacts *
take_apart (const RspFeasibility *f, const RspPath *path)
{
  RspPathFacts *facts = rsp_arena_new0 (f->arena, RspPathFacts, 1);
  facts->path = path;
  facts->reads = rsp_arena_new0 (f->arena, RspReadFacts, path->n_events + 1);
  facts->writes = rsp_arena_new0 (f->arena, RspWriteFacts, path->n_events + 1);
  for (guint e = 0; e < path->n_events; e++)
    {
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
  return facts;
}

/* ---- Sets of values ---- */

static void
push_value (RspFeasibility *f, RspValueSet *set, gint64 value)
{
  if (set->n == set->room)
    {
      gint64 *old = set->values;
      set->room = MAX (4, 2 * set->room);
      set->values = rsp_arena_new0 (f->arena, gint64, set->room);
      for (guint i = 0; i < set->n; i++)
        set->values[i] = old[i];
    }
  set->values[set->n++] = value;
}

static void
add_value (RspFeasibility *f, guint location, gint64 value)
{
  RspValueSet *set = &f->sets[location];
  if (set->any)
    return;
  for (guint i = 0; i < set->n; i++)
    if (set->values[i] == value)
      return;
  f->changed = TRUE;
  if (set->n == RSP_MAX_VALUES)
    set->any = TRUE;
  else
    push_value (f, set, value);
}

static void
add_any (RspFeasibility *f, guint location)
{
  f->changed |= !f->sets[location].any;
  f->sets[location].any = TRUE;
}

static void
add_unknown (RspFeasibility *f, guint location)
{
  f->changed |= !f->sets[location].unknown;
  f->sets[location].unknown = TRUE;
}

/* ---- What a read may return ---- */

static const RspValue an_unknown = { .unknown = 1 };

/* Does the value meet every condition on this read alone? */
static gboolean
meets (RspFeasibility *f, const RspPathFacts *facts, guint read, RspValue candidate)
{
  f->values[facts->reads[read].event] = candidate;
  for (guint i = 0; i < facts->n_conditions; i++)
    {
      const RspConditionFacts *condition = &facts->conditions[i];
      RspValue value;
      if (condition->n_reads == 1 && condition->reads[0] == read
          && (!rsp_term_evaluate (condition->term, f->values, &value, NULL) || !value.bits))
        return FALSE;
    }
  return TRUE;
}

/* The value that a condition on the read alone asks for; FALSE: none asks for one. */
static gboolean
asked_value (const RspPathFacts *facts, guint read, gint64 *value)
{
  for (guint i = 0; i < facts->n_conditions; i++)
    {
      const RspTerm *term = facts->conditions[i].term;
      if (term->kind == RSP_TERM_BINARY && term->op == RSP_OP_EQ && term->a->kind == RSP_TERM_READ
          && term->a->event == facts->reads[read].event && term->b->kind == RSP_TERM_CONSTANT)
        {
          *value = term->b->constant;
          return TRUE;
        }
    }
  return FALSE;
}

/* Takes over what is new in the location's set and meets the conditions. */
static void
update_read (RspFeasibility *f, RspPathFacts *facts, guint i)
{
  RspReadFacts *read = &facts->reads[i];
  const RspValueSet *set = &f->sets[read->location];
  gint64 asked;
  for (; read->n_seen < set->n; read->n_seen++)
    if (meets (f, facts, i, (RspValue){ .bits = set->values[read->n_seen] }))
      push_value (f, &read->set, set->values[read->n_seen]);
  if (set->unknown && !read->set.unknown)
    read->set.unknown = meets (f, facts, i, an_unknown);
  if (set->any && !read->saw_any)
    {
      read->saw_any = TRUE;
      if (!asked_value (facts, i, &asked))
        read->set.any = TRUE;
      else if (read->set.n == 0 && meets (f, facts, i, (RspValue){ .bits = asked }))
        push_value (f, &read->set, asked);
    }
}

/* ---- Terms over several reads ---- */

/* How many combinations of values the reads have; G_MAXUINT: too many to tell. */
static guint
combinations (const RspPathFacts *facts, const guint *reads, guint n_reads)
{
  guint n = 1;
  for (guint i = 0; i < n_reads; i++)
    {
      const RspValueSet *set = &facts->reads[reads[i]].set;
      if (set->any || set->unknown)
        return G_MAXUINT;
      n = MIN (n * set->n, RSP_MAX_COMBINATIONS + 1);
    }
  return n > RSP_MAX_COMBINATIONS ? G_MAXUINT : n;
}

static void
set_combination (RspFeasibility *f, const RspPathFacts *facts, const guint *reads, guint n_reads,
                 guint number)
{
  for (guint i = 0; i < n_reads; i++)
    {
      const RspReadFacts *read = &facts->reads[reads[i]];
      f->values[read->event] = (RspValue){ .bits = read->set.values[number % read->set.n] };
      number /= read->set.n;
    }
}

/* May a condition be met? Those on one read have been looked at with the read. */
static gboolean
may_hold (RspFeasibility *f, const RspPathFacts *facts, const RspConditionFacts *condition)
{
  if (condition->n_reads < 2)
    return TRUE;
  guint n = combinations (facts, condition->reads, condition->n_reads);
  for (guint i = 0; i < n && n != G_MAXUINT; i++)
    {
      RspValue value;
      set_combination (f, facts, condition->reads, condition->n_reads, i);
      if (rsp_term_evaluate (condition->term, f->values, &value, NULL) && value.bits)
        return TRUE;
    }
  return n == G_MAXUINT;
}

/* ---- What a write may write ---- */

static void
write_one (RspFeasibility *f, const RspWriteFacts *write)
{
  RspValue value;
  gboolean opaque;
  if (!rsp_term_evaluate (write->term, f->values, &value, &opaque))
    return;
  if (opaque || value.unknown)
    add_unknown (f, write->location);
  else
    add_value (f, write->location, value.bits);
}

static void
update_single (RspFeasibility *f, const RspPathFacts *facts, RspWriteFacts *write)
{
  const RspReadFacts *read = &facts->reads[write->reads[0]];
  for (; write->n_done < read->set.n; write->n_done++)
    {
      f->values[read->event] = (RspValue){ .bits = read->set.values[write->n_done] };
      write_one (f, write);
    }
  if (read->set.unknown && !write->did_unknown)
    {
      write->did_unknown = TRUE;
      f->values[read->event] = an_unknown;
      write_one (f, write);
    }
  if (read->set.any)
    add_any (f, write->location);
}

static void
update_write (RspFeasibility *f, const RspPathFacts *facts, RspWriteFacts *write)
{
  if (write->n_reads == 1)
    {
      update_single (f, facts, write);
      return;
    }
  guint n = combinations (facts, write->reads, write->n_reads);
  if (n == write->n_done)
    return;
  write->n_done = n;
  if (n == G_MAXUINT)
    {
      add_any (f, write->location);
      add_unknown (f, write->location);
      return;
    }
  for (guint i = 0; i < n; i++)
    {
      set_combination (f, facts, write->reads, write->n_reads, i);
      write_one (f, write);
    }
}

/* ---- The fixpoints ---- */

static void
update_path (RspFeasibility *f, RspPathFacts *facts)
{
  for (guint i = 0; i < facts->n_reads; i++)
    update_read (f, facts, i);
  for (guint i = 0; i < facts->n_writes; i++)
    update_write (f, facts, &facts->writes[i]);
}

static gboolean
is_feasible (RspFeasibility *f, const RspPathFacts *facts)
{
  for (guint i = 0; i < facts->n_reads; i++)
    {
      const RspValueSet *set = &facts->reads[i].set;
      if (!set->n && !set->any && !set->unknown)
        return FALSE;
    }
  for (guint i = 0; i < facts->n_conditions; i++)
    if (!may_hold (f, facts, &facts->conditions[i]))
      return FALSE;
  return TRUE;
}

static void
reset_path (RspPathFacts *facts)
{
  for (guint i = 0; i < facts->n_reads; i++)
    {
      RspReadFacts *read = &facts->reads[i];
      read->n_seen = read->set.n = 0;
      read->saw_any = read->set.any = read->set.unknown = FALSE;
    }
  for (guint i = 0; i < facts->n_writes; i++)
    {
      facts->writes[i].n_done = 0;
      facts->writes[i].did_unknown = FALSE;
    }
}

static void
reset_locations (RspFeasibility *f)
{
  for (guint i = 0; i < f->program->n_locations; i++)
    {
      const RspLocation *location = &f->program->locations[i];
      RspValueSet *set = &f->sets[i];
      set->n = 0;
      set->any = FALSE;
      set->unknown = f->circles[i];
      add_value (f, i,
                 rsp_wrap (location->initial, rsp_type_bits (&location->type),
                           rsp_type_is_signed (&location->type)));
    }
}

/* What the active paths read and write. */
static void
find_values (RspFeasibility *f)
{
  reset_locations (f);
  for (guint t = 0; t < f->program->n_threads; t++)
    for (guint i = 0; i < f->active[t]->len; i++)
      reset_path (f->active[t]->pdata[i]);
  do
    {
      f->changed = FALSE;
      for (guint t = 0; t < f->program->n_threads; t++)
        for (guint i = 0; i < f->active[t]->len; i++)
          update_path (f, f->active[t]->pdata[i]);
    }
  while (f->changed);
}

/* Takes away the active paths that cannot happen with these values. TRUE when there were any. */
static gboolean
drop_infeasible (RspFeasibility *f)
{
  gboolean any = FALSE;
  for (guint t = 0; t < f->program->n_threads; t++)
    {
      GPtrArray *active = f->active[t];
      guint kept = 0;
      for (guint i = 0; i < active->len; i++)
        if (is_feasible (f, active->pdata[i]))
          active->pdata[kept++] = active->pdata[i];
      any |= kept < active->len;
      g_ptr_array_set_size (active, (gint)kept);
    }
  return any;
}

gboolean
rsp_feasibility_check (RspFeasibility *f, const RspPath *const *chosen)
{
  guint n_threads = f->program->n_threads;
  for (guint t = 0; t < n_threads; t++)
    {
      const GPtrArray *all = f->facts[t];
      g_ptr_array_set_size (f->active[t], 0);
      for (guint i = 0; i < all->len; i++)
        if (!chosen[t] || ((const RspPathFacts *)all->pdata[i])->path == chosen[t])
          g_ptr_array_add (f->active[t], all->pdata[i]);
    }
  do
    {
      find_values (f);
      if (!drop_infeasible (f))
        return TRUE;
      for (guint t = 0; t < n_threads; t++)
        if (!f->active[t]->len)
          return FALSE;
    }
  while (TRUE);
}

RspFeasibility *
rsp_feasibility_new (const RspProgram *program, GPtrArray *const *paths)
{
  RspFeasibility *f = g_new0 (RspFeasibility, 1);
  guint most_events = 0;
  f->program = program;
  f->arena = rsp_arena_new ();
  f->sets = rsp_arena_new0 (f->arena, RspValueSet, program->n_locations + 1);
  f->facts = rsp_arena_new0 (f->arena, GPtrArray *, program->n_threads + 1);
  f->active = rsp_arena_new0 (f->arena, GPtrArray *, program->n_threads + 1);
  for (guint t = 0; t < program->n_threads; t++)
    {
      f->facts[t] = g_ptr_array_new ();
      f->active[t] = g_ptr_array_new ();
      for (guint i = 0; i < paths[t]->len; i++)
        {
          const RspPath *path = paths[t]->pdata[i];
          most_events = MAX (most_events, path->n_events);
          g_ptr_array_add (f->facts[t], take_apart (f, path));
        }
    }
  f->values = rsp_arena_new0 (f->arena, RspValue, most_events + 1);
  f->circles = rsp_feasibility_find_circles (f);
  return f;
}

void
rsp_feasibility_free (RspFeasibility *f)
{
  if (!f)
    return;
  for (guint t = 0; t < f->program->n_threads; t++)
    {
      g_ptr_array_unref (f->facts[t]);
      g_ptr_array_unref (f->active[t]);
    }
  rsp_arena_free (f->arena);
  g_free (f);
}

void
rsp_paths_prune (const RspProgram *program, GPtrArray **paths)
{
  RspFeasibility *f = rsp_feasibility_new (program, paths);
  const RspPath **open = g_new0 (const RspPath *, program->n_threads + 1);
  gboolean feasible = rsp_feasibility_check (f, open);
  for (guint t = 0; t < program->n_threads; t++)
    {
      g_ptr_array_set_size (paths[t], 0);
      for (guint i = 0; i < f->active[t]->len && feasible; i++)
        g_ptr_array_add (paths[t], (gpointer)((RspPathFacts *)f->active[t]->pdata[i])->path);
    }
  g_free (open);
  rsp_feasibility_free (f);
}
