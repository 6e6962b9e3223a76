/* Combinations of paths that the values of their reads allow. */
#include "base/base.h"
#include "enumerator/paths/paths.h"
#include "enumerator/terms/terms.h"

/* ---- Circle --------------------------------------------------------------------------------- */

/* Finds the locations that may hold values that justify each other in a cycle.
 *
 * An edge leads from the location of a read to that of a write whose value depends on it. A cycle
 * of values follows a cycle of edges whose offsets add up to 0. So a strongly connected component
 * can have one only if some value is more than a read plus a constant, if offsets of both signs
 * meet, or if edges without an offset form a cycle on their own (offsets of one sign add up to 0
 * only by running through all the numbers of the type, which takes more writes than there are). */

typedef enum EdgeKind {
  PLAIN,  /* the value read */
  UP,     /* plus a positive constant */
  DOWN,   /* plus a negative one */
  OPAQUE, /* anything else */
  N_EDGE_KINDS
} EdgeKind;

typedef struct Graph {
  const RspFeasibility *f;
  GHashTable *seen;            /* edges with their kinds, as numbers: each is kept once */
  GArray *edges[N_EDGE_KINDS]; /* of RspEdge, on locations */
  guint64 reach;               /* the sum of all offsets, without signs */
  guint8 narrowest;            /* bits of the narrowest value with an offset */
} Graph;

static EdgeKind classify (Graph *graph, const RspPathFacts *facts, const RspWriteFacts *write) {
  RspValue *values = graph->f->values, value;
  if (write->n_reads != 1)
    return OPAQUE;
  values[facts->reads[write->reads[0]].event] = (RspValue){ .unknown = 1 };
  RspEvaluation evaluation = { .reads = values, .symbolic = TRUE };
  if (rsp_term_evaluate_outcome (write->term, &evaluation, &value) != RSP_TERM_DETERMINED
      || !value.unknown)
    return OPAQUE;
  guint8 bits = MAX (write->term->bits, 8);
  gint64 offset = rsp_wrap (value.bits, bits, TRUE);
  if (offset == 0)
    return PLAIN;
  graph->narrowest = MIN (graph->narrowest, bits);
  graph->reach
      += MIN (offset < 0 ? -(guint64) offset : (guint64) offset, G_GUINT64_CONSTANT (1) << 40);
  return offset > 0 ? UP : DOWN;
}

static void add_edges (Graph *graph, const RspPathFacts *facts) {
  for (guint i = 0; i < facts->n_writes; i++) {
    const RspWriteFacts *write = &facts->writes[i];
    if (!write->n_reads)
      continue;
    EdgeKind kind = classify (graph, facts, write);
    for (guint j = 0; j < write->n_reads; j++) {
      guint from = facts->reads[write->reads[j]].location;
      gsize key
          = ((gsize) from * graph->f->program->n_locations + write->location) * N_EDGE_KINDS + kind;
      RspEdge edge = { from, write->location };
      if (g_hash_table_add (graph->seen, GSIZE_TO_POINTER (key)))
        g_array_append_val (graph->edges[kind], edge);
    }
  }
}

/* Per component, one bit for each kind of inner edge. */
static void note_inner_edges (const Graph *graph, const guint *component, guint8 *kinds) {
  for (guint kind = 0; kind < N_EDGE_KINDS; kind++)
    for (guint i = 0; i < graph->edges[kind]->len; i++) {
      RspEdge edge = g_array_index (graph->edges[kind], RspEdge, i);
      if (component[edge.from] == component[edge.to])
        kinds[component[edge.from]] |= (guint8) (1u << kind);
    }
}

/* Fills component, n_components and circles. */
static void feasibility_find_components (RspFeasibility *f) {
  guint n = f->program->n_locations;
  Graph graph = { .f = f, .seen = g_hash_table_new (NULL, NULL), .narrowest = 64 };
  f->circles = rsp_arena_new0 (f->arena, guint8, n + 1);
  f->component = rsp_arena_new0 (f->arena, guint, n + 1);
  for (guint kind = 0; kind < N_EDGE_KINDS; kind++)
    graph.edges[kind] = g_array_new (FALSE, FALSE, sizeof (RspEdge));
  for (guint t = 0; t < f->program->n_threads; t++)
    for (guint i = 0; i < f->facts[t]->len && !feasibility_is_exhausted (f); i++)
      add_edges (&graph, f->facts[t]->pdata[i]);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (RspEdge));
  for (guint kind = 0; kind < N_EDGE_KINDS; kind++)
    g_array_append_vals (all, graph.edges[kind]->data, graph.edges[kind]->len);
  f->n_components = rsp_components_find (n, all, f->component);
  g_autofree guint8 *kinds = g_new0 (guint8, n + 1), *plain_kinds = g_new0 (guint8, n + 1);
  g_autofree guint *plain = g_new (guint, n + 1);
  note_inner_edges (&graph, f->component, kinds);
  rsp_components_find (n, graph.edges[PLAIN], plain);
  note_inner_edges (&graph, plain, plain_kinds);
  /* Can its component have a cycle of values? Cycles of plain edges alone are searched for location
   * by location. */
  for (guint a = 0; a < n; a++) {
    const guint8 own = kinds[f->component[a]];
    gboolean up = own & 1u << UP, down = own & 1u << DOWN;
    f->circles[a] = own & 1u << OPAQUE || (up && down)
                    || ((up || down) && graph.reach >> (MIN (graph.narrowest, 40) - 1))
                    || plain_kinds[plain[a]] & 1u << PLAIN;
  }
  for (guint kind = 0; kind < N_EDGE_KINDS; kind++)
    g_array_unref (graph.edges[kind]);
  g_hash_table_unref (graph.seen);
}

/* ---- Satisfy -------------------------------------------------------------------------------- */

/* Are there values, each in the set of its read, that satisfy all conditions of a path? Reads that
 * no condition relates, directly or through others, are independent: each group of related reads is
 * searched on its own, depth first, so that a group without a solution is not tried for every
 * solution of the groups before it. Reads that may return anything, and the conditions on them, are
 * left out. Beyond a limit of steps the answer is yes. */

typedef struct Search {
  RspFeasibility *f;
  const RspPathFacts *facts;
  gboolean *known;    /* per event */
  const guint *reads; /* of the group */
  guint n;
  guint n_tries;
} Search;

/* ---- Groups of reads: they depend on the path alone and are found once ---- */
/* Groups the reads by the conditions between them. */
static void feasibility_relate_reads (const RspFeasibility *f, RspPathFacts *facts) {
  guint n = facts->n_reads;
  /* Each read has the conditions on two or more reads that mention it. */
  for (guint i = 0; i < facts->n_conditions; i++)
    for (guint j = 0; facts->conditions[i].n_reads > 1 && j < facts->conditions[i].n_reads; j++)
      facts->reads[facts->conditions[i].reads[j]].n_related++;
  for (guint i = 0; i < facts->n_reads; i++) {
    RspReadFacts *read = &facts->reads[i];
    read->related = rsp_arena_new0 (f->arena, const RspConditionFacts *, read->n_related + 1);
    read->n_related = 0;
  }
  for (guint i = 0; i < facts->n_conditions; i++)
    for (guint j = 0; facts->conditions[i].n_reads > 1 && j < facts->conditions[i].n_reads; j++) {
      RspReadFacts *read = &facts->reads[facts->conditions[i].reads[j]];
      read->related[read->n_related++] = &facts->conditions[i];
    }
  guint *group = rsp_arena_new0 (f->arena, guint, n + 1);
  for (guint i = 0; i < n; i++)
    group[i] = i;
  for (guint i = 0; i < facts->n_conditions; i++)
    for (guint j = 1; j < facts->conditions[i].n_reads; j++) {
      /* Move every read of the group `from` to the group `to`. */
      guint from = group[facts->conditions[i].reads[j]];
      guint to = group[facts->conditions[i].reads[0]];
      for (guint k = 0; k < n && from != to; k++)
        if (group[k] == from)
          group[k] = to;
    }
  facts->related = rsp_arena_new0 (f->arena, guint, n + 1);
  facts->group_ends = rsp_arena_new0 (f->arena, guint, n + 1);
  guint n_listed = 0;
  for (guint number = 0; number < n; number++) {
    guint before = n_listed;
    for (guint i = 0; i < n; i++)
      if (group[i] == number && facts->reads[i].n_related)
        facts->related[n_listed++] = i;
    if (n_listed > before)
      facts->group_ends[facts->n_groups++] = n_listed;
  }
}

/* ---- The search in one group ---- */
/* FALSE if the known values make a condition fail. */
static gboolean is_consistent (const Search *search, const RspReadFacts *read) {
  for (guint i = 0; i < read->n_related; i++) {
    RspValue value;
    RspEvaluation evaluation = { .reads = search->f->values, .known = search->known };
    RspTermOutcome outcome
        = rsp_term_evaluate_outcome (read->related[i]->term, &evaluation, &value);
    if (outcome == RSP_TERM_UNDEFINED || (outcome == RSP_TERM_DETERMINED && !value.bits))
      return FALSE;
  }
  return TRUE;
}

static gboolean assign (Search *search, guint number) {
  const RspReadFacts *reads = search->facts->reads;
  while (number < search->n
         && (reads[search->reads[number]].set.any || reads[search->reads[number]].set.unknown))
    number++;
  if (number == search->n || ++search->n_tries > RSP_MAX_TRIES)
    return TRUE;
  const RspReadFacts *this = &reads[search->reads[number]];
  gboolean found = FALSE;
  search->known[this->event] = TRUE;
  for (guint i = 0; i < this->set.n && !found; i++) {
    search->f->values[this->event] = (RspValue){ .bits = this->set.values[i] };
    found = is_consistent (search, this) && assign (search, number + 1);
  }
  search->known[this->event] = FALSE;
  return found;
}

/* Are there values, each in the set of its read, that satisfy all conditions of a path? */
static gboolean feasibility_is_satisfiable (RspFeasibility *f, RspPathFacts *facts) {
  for (guint i = 0; i < facts->n_reads; i++) {
    const RspValueSet *set = &facts->reads[i].set;
    if (!set->n && !set->any && !set->unknown)
      return FALSE;
  }
  Search search = { .f = f, .facts = facts, .known = f->known };
  for (guint i = 0, begin = 0; i < facts->n_groups; begin = facts->group_ends[i++]) {
    search.reads = facts->related + begin;
    search.n = facts->group_ends[i] - begin;
    search.n_tries = 0;
    if (!assign (&search, 0))
      return FALSE;
  }
  return TRUE;
}

/* ---- Value sets ----------------------------------------------------------------------------- */

/* The values that a location may hold: its initial value, and what the paths may write given what
 * their reads may return. This is a least fixpoint, computed in rounds for each component of
 * locations whose values depend on each other: a value found in round k takes k writes of the
 * component, one after another. As many rounds as an execution has such writes at most are enough,
 * which bounds counters. Sets beyond a limit become "any". */

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

/* Updates a read's values from its location's set. */
static void update_read (RspFeasibility *f, RspPathFacts *facts, guint i) {
  RspReadFacts *read = &facts->reads[i];
  const RspValueSet *set = &f->sets[read->location];
  const gboolean reads_any = rsp_event_reads_any (&facts->path->events[read->event]);
  for (; read->n_seen < set->n_visible; read->n_seen++)
    if (meets (f, facts, i, (RspValue){ .bits = set->values[read->n_seen] }))
      push_value (f, &read->set, set->values[read->n_seen]);
  if ((set->unknown || reads_any) && !read->set.unknown)
    read->set.unknown = meets (f, facts, i, an_unknown);
  if ((set->any || reads_any) && !read->saw_any) {
    read->saw_any = TRUE;
    const RspTerm *required = NULL; /* by a condition on the read alone */
    for (guint k = 0; k < facts->n_conditions && !required; k++) {
      const RspTerm *term = facts->conditions[k].term;
      if (term->kind == RSP_TERM_BINARY && term->op == RSP_OP_EQ && term->a->kind == RSP_TERM_READ
          && term->a->event == read->event && term->b->kind == RSP_TERM_CONSTANT)
        required = term->b;
    }
    if (!required)
      read->set.any = TRUE;
    else if (read->set.n == 0 && meets (f, facts, i, (RspValue){ .bits = required->constant }))
      push_value (f, &read->set, required->constant);
  }
}

/* ---- What a write may write ---- */
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

/* Several undetermined values may even combine to a number (?1 - ?1). */
static void update_combinations (RspFeasibility *f, const RspPathFacts *facts,
                                 RspWriteFacts *write) {
  guint n = 1; /* of combinations; G_MAXUINT: too many to count */
  for (guint i = 0; i < write->n_reads && n != G_MAXUINT; i++) {
    const RspValueSet *set = &facts->reads[write->reads[i]].set;
    n = set->any || set->unknown ? G_MAXUINT : MIN (n * set->n, RSP_MAX_COMBINATIONS + 1);
  }
  n = n > RSP_MAX_COMBINATIONS ? G_MAXUINT : n;
  if (n == write->n_done)
    return;
  write->n_done = n;
  if (n == G_MAXUINT) {
    add_any (f, write->location);
    add_unknown (f, write->location);
    return;
  }
  for (guint i = 0; i < n; i++) {
    guint number = i;
    for (guint j = 0; j < write->n_reads; j++) {
      const RspReadFacts *read = &facts->reads[write->reads[j]];
      f->values[read->event] = (RspValue){ .bits = read->set.values[number % read->set.n] };
      number /= read->set.n;
    }
    write_one (f, write);
  }
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
    for (guint w = facts->next_write; w < end; w++) {
      RspWriteFacts *write = &facts->writes[w];
      if (write->recursive != recursive)
        continue;
      for (guint j = 0; j < write->n_reads; j++)
        update_read (f, facts, write->reads[j]);
      if (write->n_reads == 1) {
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
      } else
        update_combinations (f, facts, write);
    }
  }
  for (guint i = 0; i < f->n_locations[component]; i++) {
    RspValueSet *set = &f->sets[f->locations[component][i]];
    set->n_visible = set->n;
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

/* Fills sets with what the active paths may write. */
static void feasibility_find_values (RspFeasibility *f) {
  for (guint i = 0; i < f->program->n_locations; i++) {
    RspValueSet *set = &f->sets[i];
    set->n = 0;
    set->any = FALSE;
    set->unknown = f->circles[i];
    add_value (f, i, f->program->locations[i].initial);
    set->n_visible = set->n;
  }
  for (guint component = 0; component < f->n_components; component++)
    g_ptr_array_set_size (f->writers[component], 0);
  for (guint t = 0; t < f->program->n_threads; t++)
    for (guint i = 0; i < f->active[t]->len && !feasibility_is_exhausted (f); i++) {
      RspPathFacts *facts = f->active[t]->pdata[i];
      reset_path (facts);
      /* It is a writer of each component that it writes to. */
      for (guint w = 0; w < facts->n_writes; w++) {
        guint component = f->component[facts->writes[w].location];
        if (w == 0 || f->component[facts->writes[w - 1].location] != component)
          g_ptr_array_add (f->writers[component], facts);
      }
    }
  for (guint component = 0; component < f->n_components; component++) {
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
  for (guint t = 0; t < f->program->n_threads; t++)
    for (guint i = 0; i < f->active[t]->len && !feasibility_is_exhausted (f); i++) {
      RspPathFacts *facts = f->active[t]->pdata[i];
      for (guint read = 0; read < facts->n_reads; read++)
        update_read (f, facts, read);
    }
}

/* ---- Feasible ------------------------------------------------------------------------------- */

/* Finds the paths that can occur together, as far as values decide. Each location gets the set of
 * values that it may ever hold. A path whose constraints no values of its reads
 * satisfy is removed, and the sets are computed again, until all remaining paths are
 * possible: a greatest fixpoint, because paths may enable each other (load buffering with control
 * dependencies).
 *
 * Undetermined values (enumerator/values/values.c) come from nowhere, so the least fixpoint of
 * values would miss them: locations whose values may justify each other in a cycle have one from
 * the start. */

/* ---- Paths, taken apart ---- */
static guint *reads_of_term (const RspFeasibility *f, const RspPathFacts *facts,
                             const RspTerm *term, guint *n) {
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (guint));
  rsp_term_add_reads (term, events);
  *n = events->len;
  guint *reads = rsp_arena_new0 (f->arena, guint, events->len + 1);
  for (guint i = 0; i < events->len; i++)
    while (facts->reads[reads[i]].event != g_array_index (events, guint, i))
      reads[i]++;
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
/* Choices share the lists, so these do not change. */
static void set_active (RspFeasibility *f, guint thread, GPtrArray *active) {
  g_ptr_array_unref (f->active[thread]);
  f->active[thread] = active;
}

/* Drops paths until all that remain are possible. FALSE if a thread has none left. */
static gboolean settle (RspFeasibility *f) {
  do {
    feasibility_find_values (f);
    /* Remove the active paths that are impossible. */
    gboolean any = FALSE;
    for (guint t = 0; t < f->program->n_threads; t++) {
      /* kept: without the paths that are impossible with these values; NULL if none is. */
      const GPtrArray *active = f->active[t];
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
      any |= kept != NULL;
      if (kept)
        set_active (f, t, kept);
    }
    if (!any || feasibility_is_exhausted (f))
      return TRUE;
    for (guint t = 0; t < f->program->n_threads; t++)
      if (!f->active[t]->len)
        return FALSE;
  } while (TRUE);
}

gboolean rsp_feasibility_choose (RspFeasibility *f, guint thread, const RspPath *path) {
  guint n_threads = f->program->n_threads;
  RspPathFacts *facts = NULL;
  for (guint i = 0; i < f->active[thread]->len && !facts; i++)
    if (((RspPathFacts *) f->active[thread]->pdata[i])->path == path)
      facts = f->active[thread]->pdata[i];
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
  /* Take the paths apart; if the budget runs out, only those handled until then. */
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
  feasibility_find_components (f);
  for (guint t = 0; t < program->n_threads; t++)
    for (guint i = 0; i < f->facts[t]->len && !feasibility_is_exhausted (f); i++) {
      sort_writes (f, f->facts[t]->pdata[i]);
      g_ptr_array_add (f->active[t], f->facts[t]->pdata[i]);
    }
  /* Lists the locations of each component, and allocates the lists of paths that write there. */
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
  f->feasible = settle (f);
  return f;
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
