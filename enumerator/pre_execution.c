/* Pre-executions: numbering of events, and every base set and relation that a model can name. */
#include "enumerator/pre_execution.h"

#include <string.h>

/* ---- Events ---- */

static const RspEvent *
initial_write (const RspPreExecution *pre, guint location)
{
  const RspLocation *where = &pre->program->locations[location];
  RspEvent *event = rsp_arena_new0 (pre->arena, RspEvent, 1);
  RspTerm *value = rsp_arena_new0 (pre->arena, RspTerm, 1);
  guint8 bits = rsp_type_bits (&where->type);
  gboolean is_signed = rsp_type_is_signed (&where->type);
  *value = (RspTerm){ .kind = RSP_TERM_CONSTANT,
                      .bits = bits,
                      .is_signed = is_signed,
                      .constant = rsp_wrap (where->initial, bits, is_signed),
                      .size = 1 };
  *event = (RspEvent){ .kind = RSP_EVENT_WRITE,
                       .thread = RSP_NO_THREAD,
                       .location = location,
                       .order = RSP_ORDER_NA,
                       .scope = RSP_SCOPE_WORK_ITEM,
                       .written = value,
                       .span = where->span };
  return event;
}

static void
number_initial_writes (RspPreExecution *pre, GPtrArray *events)
{
  const RspProgram *program = pre->program;
  guint8 *accessed = g_new0 (guint8, program->n_locations + 1);
  for (guint t = 0; t < program->n_threads; t++)
    for (guint i = 0; i < pre->paths[t]->n_events; i++)
      if (pre->paths[t]->events[i].location != RSP_NO_LOCATION)
        accessed[pre->paths[t]->events[i].location] = TRUE;
  pre->initial = rsp_arena_new0 (pre->arena, guint, program->n_locations + 1);
  for (guint i = 0; i < program->n_locations; i++)
    {
      pre->initial[i] = accessed[i] ? events->len : G_MAXUINT;
      if (accessed[i])
        g_ptr_array_add (events, (gpointer) initial_write (pre, i));
    }
  g_free (accessed);
}

static void
number_events (RspPreExecution *pre)
{
  guint n_threads = pre->program->n_threads;
  GPtrArray *events = g_ptr_array_new ();
  number_initial_writes (pre, events);
  pre->first = rsp_arena_new0 (pre->arena, guint, n_threads + 1);
  for (guint t = 0; t < n_threads; t++)
    {
      pre->first[t] = events->len;
      for (guint i = 0; i < pre->paths[t]->n_events; i++)
        g_ptr_array_add (events, &pre->paths[t]->events[i]);
    }
  pre->first[n_threads] = events->len;
  pre->n = events->len;
  pre->events = rsp_arena_copy (pre->arena, events->pdata, sizeof (gpointer) * events->len);
  g_ptr_array_unref (events);
}

/* ---- What an event is ---- */

static gboolean
is_access (const RspEvent *event)
{
  return event->location != RSP_NO_LOCATION;
}

static gboolean
is_read (const RspEvent *event)
{
  return event->kind == RSP_EVENT_READ || event->kind == RSP_EVENT_RMW;
}

static gboolean
is_write (const RspEvent *event)
{
  return event->kind == RSP_EVENT_WRITE || event->kind == RSP_EVENT_RMW;
}

static gboolean
is_initial (const RspEvent *event)
{
  return event->thread == RSP_NO_THREAD;
}

static gboolean
is_in_space (const RspPreExecution *pre, const RspEvent *event, gboolean local)
{
  if (!is_access (event))
    return (event->flags & (local ? RSP_FENCE_LOCAL : RSP_FENCE_GLOBAL)) != 0;
  RspSpace space = pre->program->locations[event->location].type.space;
  return local ? space == RSP_SPACE_LOCAL
               : space == RSP_SPACE_GLOBAL || space == RSP_SPACE_CONSTANT;
}

/* ---- Barriers ---- */

static gboolean
is_same_instance (const RspEvent *a, const RspEvent *b)
{
  return a->barrier && b->barrier && a->barrier_count == b->barrier_count
         && g_str_equal (a->barrier, b->barrier);
}

static gboolean
thread_reaches (const RspPreExecution *pre, guint thread, const RspEvent *entry)
{
  for (guint e = pre->first[thread]; e < pre->first[thread + 1]; e++)
    if (is_same_instance (pre->events[e], entry))
      return TRUE;
  return FALSE;
}

/* Is there a member of the entry fence's work-group that never reaches its barrier? */
static gboolean
is_divergent (const RspPreExecution *pre, const RspEvent *entry)
{
  const RspThread *threads = pre->program->threads;
  for (guint t = 0; t < pre->program->n_threads; t++)
    if (threads[t].work_group == threads[entry->thread].work_group
        && !thread_reaches (pre, t, entry))
      return TRUE;
  return FALSE;
}

/* ---- Sets ---- */

/* The sets named for a memory order or a scope. No event is in any other (BRMW). */
static gboolean
has_order_or_scope (const RspEvent *event, RspBaseSet set)
{
  switch (set)
    {
    case RSP_BASE_SET_RLX:
      return event->order == RSP_ORDER_RELAXED;
    case RSP_BASE_SET_CON:
      return event->order == RSP_ORDER_CONSUME;
    case RSP_BASE_SET_ACQ:
      return event->order == RSP_ORDER_ACQUIRE;
    case RSP_BASE_SET_REL:
      return event->order == RSP_ORDER_RELEASE;
    case RSP_BASE_SET_ACQ_REL:
      return event->order == RSP_ORDER_ACQ_REL;
    case RSP_BASE_SET_SC:
      return event->order == RSP_ORDER_SEQ_CST;
    case RSP_BASE_SET_WI_SCOPE:
      return event->scope == RSP_SCOPE_WORK_ITEM;
    case RSP_BASE_SET_SG_SCOPE:
      return event->scope == RSP_SCOPE_SUB_GROUP;
    case RSP_BASE_SET_WG_SCOPE:
      return event->scope == RSP_SCOPE_WORK_GROUP;
    case RSP_BASE_SET_DEV_SCOPE:
      return event->scope == RSP_SCOPE_DEVICE;
    case RSP_BASE_SET_ALL_SCOPE:
      return event->scope == RSP_SCOPE_ALL;
    default:
      return FALSE;
    }
}

static gboolean
is_member (const RspPreExecution *pre, const RspEvent *event, RspBaseSet set)
{
  const RspLocation *location
      = is_access (event) ? &pre->program->locations[event->location] : NULL;
  switch (set)
    {
    case RSP_BASE_SET_R:
      return is_read (event);
    case RSP_BASE_SET_W:
      return is_write (event);
    case RSP_BASE_SET_M:
      return is_access (event);
    case RSP_BASE_SET_F:
      return !is_access (event);
    case RSP_BASE_SET_I:
      return is_initial (event);
    case RSP_BASE_SET_RMW:
      return event->kind == RSP_EVENT_RMW;
    case RSP_BASE_SET_FAILED_RMW:
      return event->failed_rmw;
    case RSP_BASE_SET_REMOTE:
      return event->remote;
    case RSP_BASE_SET_A:
      return event->is_atomic;
    case RSP_BASE_SET_NA:
      return event->order == RSP_ORDER_NA;
    case RSP_BASE_SET_ENTRY_FENCE:
      return event->kind == RSP_EVENT_ENTRY;
    case RSP_BASE_SET_EXIT_FENCE:
      return event->kind == RSP_EVENT_EXIT;
    case RSP_BASE_SET_DIVERGENT_FENCE:
      return event->kind == RSP_EVENT_ENTRY && is_divergent (pre, event);
    case RSP_BASE_SET_G:
      return is_in_space (pre, event, FALSE);
    case RSP_BASE_SET_L:
      return is_in_space (pre, event, TRUE);
    case RSP_BASE_SET_FGA:
      return location && location->type.fine_grained;
    case RSP_BASE_SET_ATOMICLOC:
      return location && location->atomic;
    case RSP_BASE_SET_NONATOMICLOC:
      return location && !location->atomic;
    default:
      return has_order_or_scope (event, set);
    }
}

static void
build_sets (RspPreExecution *pre)
{
  for (guint set = 0; set < RSP_N_BASE_SETS; set++)
    {
      pre->base->sets[set] = rsp_set_new (pre->arena, pre->n);
      for (guint e = 0; e < pre->n; e++)
        if (is_member (pre, pre->events[e], (RspBaseSet) set))
          rsp_set_add (pre->base->sets[set], e);
    }
}

/* ---- Relations, row by row ---- */

static void
add_range (RspMatrix *relation, guint row, guint begin, guint end)
{
  for (guint e = begin; e < end; e++)
    rsp_matrix_add (relation, row, e);
}

static void
copy_row (RspMatrix *relation, guint row, guint from)
{
  memcpy (rsp_matrix_row (relation, row), rsp_matrix_row (relation, from),
          relation->words * sizeof (guint64));
}

/* Adds to a row the events of `all` (a set) that are not in a row of `without`. */
static void
add_others (RspMatrix *relation, guint row, const RspMatrix *all, const RspMatrix *without)
{
  guint64 *out = rsp_matrix_row (relation, row);
  const guint64 *these = rsp_matrix_row (without, row);
  for (guint i = 0; i < relation->words; i++)
    out[i] |= all->bits[i] & ~these[i];
}

/* A level of the scope tree: the relation of events in one node, and that of events in two. */
typedef struct Level
{
  RspBaseRelation within, apart;
  gsize node; /* offset of the node's number in RspThread */
} Level;

static const Level levels[] = {
  { RSP_BASE_RELATION_INT, RSP_BASE_RELATION_EXT_WI, G_STRUCT_OFFSET (RspThread, number) },
  { RSP_BASE_RELATION_WI, RSP_BASE_RELATION_EXT_WI, G_STRUCT_OFFSET (RspThread, number) },
  { RSP_BASE_RELATION_SG, RSP_BASE_RELATION_EXT_SG, G_STRUCT_OFFSET (RspThread, sub_group) },
  { RSP_BASE_RELATION_WG, RSP_BASE_RELATION_EXT_WG, G_STRUCT_OFFSET (RspThread, work_group) },
  { RSP_BASE_RELATION_KERNEL, RSP_BASE_RELATION_EXT_KERNEL, G_STRUCT_OFFSET (RspThread, kernel) },
  { RSP_BASE_RELATION_DEV, RSP_BASE_RELATION_EXT_DEV, G_STRUCT_OFFSET (RspThread, device) },
};

static guint
node_of (const RspPreExecution *pre, const Level *level, guint thread)
{
  return G_STRUCT_MEMBER (guint, &pre->program->threads[thread], level->node);
}

static void
build_level (RspPreExecution *pre, const Level *level, const RspMatrix *of_threads)
{
  RspMatrix *within = pre->base->relations[level->within];
  RspMatrix *apart = pre->base->relations[level->apart];
  guint n_threads = pre->program->n_threads;
  for (guint e = 0; e < pre->n && is_initial (pre->events[e]); e++)
    rsp_matrix_add (within, e, e);
  for (guint s = 0; s < n_threads; s++)
    {
      guint first = pre->first[s];
      if (first == pre->first[s + 1])
        continue;
      for (guint t = 0; t < n_threads; t++)
        if (node_of (pre, level, s) == node_of (pre, level, t))
          add_range (within, first, pre->first[t], pre->first[t + 1]);
      for (guint e = first; e < pre->first[s + 1]; e++)
        {
          copy_row (within, e, first);
          add_others (apart, e, of_threads, within);
        }
    }
}

static void
build_scope_tree (RspPreExecution *pre)
{
  RspMatrix *all = rsp_set_new (pre->arena, pre->n), *of_threads = rsp_set_new (pre->arena, pre->n);
  rsp_matrix_fill (all);
  rsp_matrix_difference (of_threads, all, pre->base->sets[RSP_BASE_SET_I]);
  for (guint i = 0; i < G_N_ELEMENTS (levels); i++)
    build_level (pre, &levels[i], of_threads);
  for (guint e = 0; e < pre->n; e++)
    {
      RspMatrix **relations = pre->base->relations;
      add_others (relations[RSP_BASE_RELATION_EXT], e, all, relations[RSP_BASE_RELATION_INT]);
      rsp_matrix_add (relations[RSP_BASE_RELATION_ID], e, e);
      if (is_initial (pre->events[e]))
        memcpy (rsp_matrix_row (relations[RSP_BASE_RELATION_ASW], e), of_threads->bits,
                of_threads->words * sizeof (guint64));
    }
}

static void
build_locations (RspPreExecution *pre)
{
  RspMatrix *loc = pre->base->relations[RSP_BASE_RELATION_LOC];
  RspMatrix *co0 = pre->base->relations[RSP_BASE_RELATION_CO0];
  for (guint e = 0; e < pre->n; e++)
    {
      if (!is_access (pre->events[e]))
        continue;
      /* Every location that is accessed has an initial write, which comes first. */
      guint initial = pre->initial[pre->events[e]->location];
      rsp_matrix_add (loc, initial, e);
      if (e != initial && is_write (pre->events[e]))
        rsp_matrix_add (co0, initial, e);
    }
  for (guint e = 0; e < pre->n; e++)
    if (is_access (pre->events[e]) && !is_initial (pre->events[e]))
      copy_row (loc, e, pre->initial[pre->events[e]->location]);
}

static void
build_barriers (RspPreExecution *pre)
{
  RspMatrix *same = pre->base->relations[RSP_BASE_RELATION_SAME_B];
  for (guint a = 0; a < pre->n; a++)
    for (guint b = 0; b < pre->n && pre->events[a]->barrier; b++)
      if (is_same_instance (pre->events[a], pre->events[b]))
        rsp_matrix_add (same, a, b);
}

/* Copies a relation of a path's events to where the path's events are. */
static void
place (RspMatrix *out, const RspMatrix *relation, guint first, guint n)
{
  for (guint a = 0; a < n; a++)
    for (all_bits (b, rsp_matrix_row (relation, a), relation->words))
      rsp_matrix_add (out, first + a, first + b);
}

static void
build_paths (RspPreExecution *pre)
{
  RspMatrix **relations = pre->base->relations;
  for (guint t = 0; t < pre->program->n_threads; t++)
    {
      const RspPath *path = pre->paths[t];
      guint first = pre->first[t], n = path->n_events;
      place (relations[RSP_BASE_RELATION_PO], path->po, first, n);
      place (relations[RSP_BASE_RELATION_ADDR], path->addr, first, n);
      place (relations[RSP_BASE_RELATION_DATA], path->data, first, n);
      place (relations[RSP_BASE_RELATION_CTRL], path->ctrl, first, n);
    }
  rsp_matrix_intersect (relations[RSP_BASE_RELATION_PO_LOC], relations[RSP_BASE_RELATION_PO],
                        relations[RSP_BASE_RELATION_LOC]);
}

static void
build_relations (RspPreExecution *pre)
{
  for (guint r = 0; r < RSP_N_BASE_RELATIONS; r++)
    pre->base->relations[r] = rsp_relation_new (pre->arena, pre->n);
  build_scope_tree (pre);
  build_locations (pre);
  build_barriers (pre);
  build_paths (pre);
}

/* ---- Reads ---- */

static void
find_candidates (RspPreExecution *pre)
{
  pre->reads = rsp_arena_new0 (pre->arena, guint, pre->n + 1);
  pre->candidates = rsp_relation_new (pre->arena, pre->n);
  for (guint r = 0; r < pre->n; r++)
    {
      if (!is_read (pre->events[r]))
        continue;
      pre->reads[pre->n_reads++] = r;
      for (guint w = 0; w < pre->n; w++)
        if (w != r && is_write (pre->events[w])
            && pre->events[w]->location == pre->events[r]->location)
          rsp_matrix_add (pre->candidates, r, w);
    }
}

RspPreExecution *
rsp_pre_execution_new (const RspProgram *program, const RspPath *const *paths, RspArena *arena)
{
  RspPreExecution *pre = rsp_arena_new0 (arena, RspPreExecution, 1);
  pre->program = program;
  pre->arena = arena;
  pre->paths = rsp_arena_copy (arena, paths, sizeof (RspPath *) * program->n_threads);
  number_events (pre);
  pre->base = rsp_arena_new0 (arena, RspBase, 1);
  pre->base->n = pre->n;
  build_sets (pre);
  build_relations (pre);
  find_candidates (pre);
  return pre;
}
