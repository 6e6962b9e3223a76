/* The values that a location may hold: its initial value, and what the paths may write given what
 * their reads may return. This is a least fixpoint, computed in rounds for each component of
 * locations whose values depend on each other: a value found in round k takes k writes of the
 * component, one after another. As many rounds as an execution has such writes at most are enough,
 * which bounds counters. Sets beyond a limit become "any". */
#include "enumerator/paths/feasible/value_sets.h"
#include "enumerator/terms/evaluate.h"

/* ---- Sets ---- */

static void push_value (RspFeasibility *f, RspValueSet *set, gint64 value) {
  if (set->n == set->room) {
    gint64 *old = set->values;
    set->room = MAX (4, 2 * set->room);
    set->values = rsp_arena_new0 (f->arena, gint64, set->room);
    for (guint i = 0; i < set->n; i++)
      set->values[i] = old[i];
  }
  set->values[set->n++] = value;
}

static void add_value (RspFeasibility *f, guint location, gint64 value) {
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

static void add_any (RspFeasibility *f, guint location) {
  f->changed |= !f->sets[location].any;
  f->sets[location].any = TRUE;
}

static void add_unknown (RspFeasibility *f, guint location) {
  f->changed |= !f->sets[location].unknown;
  f->sets[location].unknown = TRUE;
}

/* ---- What a read may return ---- */

static const RspValue an_unknown = { .unknown = 1 };

/* Can the value satisfy every condition on this read alone? */
static gboolean meets (RspFeasibility *f, const RspPathFacts *facts, guint read,
                       RspValue candidate) {
  f->values[facts->reads[read].event] = candidate;
  for (guint i = 0; i < facts->n_conditions; i++) {
    const RspConditionFacts *condition = &facts->conditions[i];
    RspValue value;
    gboolean opaque;
    if (condition->n_reads == 1 && condition->reads[0] == read
        && (!rsp_term_evaluate (condition->term, f->values, &value, &opaque)
            || (!value.bits && !value.unknown && !opaque)))
      return FALSE;
  }
  return TRUE;
}

/* The value that a condition on the read alone requires; FALSE if there is none. */
static gboolean required_value (const RspPathFacts *facts, guint read, gint64 *value) {
  for (guint i = 0; i < facts->n_conditions; i++) {
    const RspTerm *term = facts->conditions[i].term;
    if (term->kind == RSP_TERM_BINARY && term->op == RSP_OP_EQ && term->a->kind == RSP_TERM_READ
        && term->a->event == facts->reads[read].event && term->b->kind == RSP_TERM_CONSTANT) {
      *value = term->b->constant;
      return TRUE;
    }
  }
  return FALSE;
}

/* Updates a read's values from its location's set. */
static void update_read (RspFeasibility *f, RspPathFacts *facts, guint i) {
  RspReadFacts *read = &facts->reads[i];
  const RspValueSet *set = &f->sets[read->location];
  gint64 required;
  for (; read->n_seen < set->n_visible; read->n_seen++)
    if (meets (f, facts, i, (RspValue){ .bits = set->values[read->n_seen] }))
      push_value (f, &read->set, set->values[read->n_seen]);
  if (set->unknown && !read->set.unknown)
    read->set.unknown = meets (f, facts, i, an_unknown);
  if (set->any && !read->saw_any) {
    read->saw_any = TRUE;
    if (!required_value (facts, i, &required))
      read->set.any = TRUE;
    else if (read->set.n == 0 && meets (f, facts, i, (RspValue){ .bits = required }))
      push_value (f, &read->set, required);
  }
}

/* ---- What a write may write ---- */

/* The number of combinations of the reads' values; G_MAXUINT: too many to count. */
static guint combinations (const RspPathFacts *facts, const RspWriteFacts *write) {
  guint n = 1;
  for (guint i = 0; i < write->n_reads; i++) {
    const RspValueSet *set = &facts->reads[write->reads[i]].set;
    if (set->any || set->unknown)
      return G_MAXUINT;
    n = MIN (n * set->n, RSP_MAX_COMBINATIONS + 1);
  }
  return n > RSP_MAX_COMBINATIONS ? G_MAXUINT : n;
}

static void set_combination (RspFeasibility *f, const RspPathFacts *facts,
                             const RspWriteFacts *write, guint number) {
  for (guint i = 0; i < write->n_reads; i++) {
    const RspReadFacts *read = &facts->reads[write->reads[i]];
    f->values[read->event] = (RspValue){ .bits = read->set.values[number % read->set.n] };
    number /= read->set.n;
  }
}

static void write_one (RspFeasibility *f, const RspWriteFacts *write) {
  RspValue value;
  gboolean opaque;
  if (!rsp_term_evaluate (write->term, f->values, &value, &opaque))
    return;
  if (opaque || value.unknown)
    add_unknown (f, write->location);
  else
    add_value (f, write->location, value.bits);
}

static void update_single (RspFeasibility *f, const RspPathFacts *facts, RspWriteFacts *write) {
  const RspReadFacts *read = &facts->reads[write->reads[0]];
  for (; write->n_done < read->set.n; write->n_done++) {
    f->values[read->event] = (RspValue){ .bits = read->set.values[write->n_done] };
    write_one (f, write);
  }
  if (read->set.unknown && !write->did_unknown) {
    write->did_unknown = TRUE;
    f->values[read->event] = an_unknown;
    write_one (f, write);
  }
  if (read->set.any)
    add_any (f, write->location);
}

/* Several undetermined values may even combine to a number (?1 - ?1). */
static void update_combinations (RspFeasibility *f, const RspPathFacts *facts,
                                 RspWriteFacts *write) {
  guint n = combinations (facts, write);
  if (n == write->n_done)
    return;
  write->n_done = n;
  if (n == G_MAXUINT) {
    add_any (f, write->location);
    add_unknown (f, write->location);
    return;
  }
  for (guint i = 0; i < n; i++) {
    set_combination (f, facts, write, i);
    write_one (f, write);
  }
}

static void update_write (RspFeasibility *f, RspPathFacts *facts, RspWriteFacts *write) {
  for (guint i = 0; i < write->n_reads; i++)
    update_read (f, facts, write->reads[i]);
  if (write->n_reads == 1)
    update_single (f, facts, write);
  else
    update_combinations (f, facts, write);
}

/* ---- One component ---- */

/* One past the path's last write of the current component. */
static guint writes_end (const RspFeasibility *f, const RspPathFacts *facts, guint component) {
  guint end = facts->next_write;
  while (end < facts->n_writes && f->component[facts->writes[end].location] == component)
    end++;
  return end;
}

/* The largest number of recursive writes of the component in one execution. */
static guint count_rounds (const RspFeasibility *f, guint component) {
  const GPtrArray *writers = f->writers[component];
  guint rounds = 0, most = 0;
  for (guint i = 0; i < writers->len; i++) {
    const RspPathFacts *facts = writers->pdata[i];
    guint n = 0, end = writes_end (f, facts, component);
    for (guint w = facts->next_write; w < end; w++)
      n += facts->writes[w].recursive;
    most = MAX (most, n);
    gboolean last_of_thread = i + 1 == writers->len
                              || ((RspPathFacts *) writers->pdata[i + 1])->thread != facts->thread;
    if (!last_of_thread)
      continue;
    rounds += most;
    most = 0;
  }
  return rounds;
}

/* All active paths' writes to the component, those that are recursive or the others. */
static void run_round (RspFeasibility *f, guint component, gboolean recursive) {
  const GPtrArray *writers = f->writers[component];
  for (guint i = 0; i < writers->len && !feasibility_is_exhausted (f); i++) {
    RspPathFacts *facts = writers->pdata[i];
    guint end = writes_end (f, facts, component);
    for (guint w = facts->next_write; w < end; w++)
      if (facts->writes[w].recursive == recursive)
        update_write (f, facts, &facts->writes[w]);
  }
  for (guint i = 0; i < f->n_locations[component]; i++) {
    RspValueSet *set = &f->sets[f->locations[component][i]];
    set->n_visible = set->n;
  }
}

static void find_component (RspFeasibility *f, guint component) {
  guint rounds = count_rounds (f, component);
  run_round (f, component, FALSE);
  f->changed = TRUE;
  for (guint round = 0; round < rounds && f->changed; round++) {
    f->changed = FALSE;
    run_round (f, component, TRUE);
  }
  const GPtrArray *writers = f->writers[component];
  for (guint i = 0; i < writers->len; i++) {
    RspPathFacts *facts = writers->pdata[i];
    facts->next_write = writes_end (f, facts, component);
  }
}

/* ---- All ---- */

static void reset_path (RspPathFacts *facts) {
  facts->next_write = 0;
  for (guint i = 0; i < facts->n_reads; i++) {
    RspReadFacts *read = &facts->reads[i];
    read->n_seen = read->set.n = 0;
    read->saw_any = read->set.any = read->set.unknown = FALSE;
  }
  for (guint i = 0; i < facts->n_writes; i++) {
    facts->writes[i].n_done = 0;
    facts->writes[i].did_unknown = FALSE;
  }
}

/* Adds the path to the writers of each component that it writes to. */
static void add_writer (RspFeasibility *f, RspPathFacts *facts) {
  for (guint w = 0; w < facts->n_writes; w++) {
    guint component = f->component[facts->writes[w].location];
    if (w == 0 || f->component[facts->writes[w - 1].location] != component)
      g_ptr_array_add (f->writers[component], facts);
  }
}

static void reset_locations (RspFeasibility *f) {
  for (guint i = 0; i < f->program->n_locations; i++) {
    RspValueSet *set = &f->sets[i];
    set->n = 0;
    set->any = FALSE;
    set->unknown = f->circles[i];
    add_value (f, i, f->program->locations[i].initial);
    set->n_visible = set->n;
  }
}

void feasibility_find_values (RspFeasibility *f) {
  reset_locations (f);
  for (guint component = 0; component < f->n_components; component++)
    g_ptr_array_set_size (f->writers[component], 0);
  for (guint t = 0; t < f->program->n_threads; t++)
    for (guint i = 0; i < f->active[t]->len && !feasibility_is_exhausted (f); i++) {
      reset_path (f->active[t]->pdata[i]);
      add_writer (f, f->active[t]->pdata[i]);
    }
  for (guint component = 0; component < f->n_components; component++)
    find_component (f, component);
  for (guint t = 0; t < f->program->n_threads; t++)
    for (guint i = 0; i < f->active[t]->len && !feasibility_is_exhausted (f); i++) {
      RspPathFacts *facts = f->active[t]->pdata[i];
      for (guint read = 0; read < facts->n_reads; read++)
        update_read (f, facts, read);
    }
}
