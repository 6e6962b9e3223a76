/* Machines made of caches: their shapes, states and invariants. */
#include "base/base.h"
#include "extra/machine/caches.h"
#include "parser/program.h"

#include <string.h>

/* ---- Invariants ----------------------------------------------------------------------------- */

/* Formulas of the machine's file that must hold in every state. */

enum { SET_WORDS = (1 + MOST_LEVELS * MOST_THREADS) / 64 + 2 };

/* Nodes, and in the last word threads. */
typedef struct Members {
  guint64 bits[SET_WORDS];
} Members;

static gboolean cache_has (Caches *m, const State *s, RspLineSetKind kind, guint node,
                           guint place) {
  const Line *line = line_at (m, s, node, place);
  if (kind == RSP_SET_OWNED)
    return line->owned;
  if (kind == RSP_SET_QUEUED)
    return node != MEMORY && fifo_has (m, s, node, (guint8) place);
  return kind == RSP_SET_DIRTY ? line->dirty > 0 : line->mask > 0;
}

static gboolean holds_line (const State *s, guint thread, guint place) {
  return (s->threads[thread].flags & THREAD_LINE) && s->threads[thread].place == place;
}

static Members find_members (Caches *m, const State *s, const RspLineSet *set, guint place) {
  Members found = { { 0 } };
  if (set->left) {
    Members a = find_members (m, s, set->left, place), b = find_members (m, s, set->right, place);
    for (guint i = 0; i < SET_WORDS; i++)
      found.bits[i] = set->kind == RSP_SET_AND  ? a.bits[i] & b.bits[i]
                      : set->kind == RSP_SET_OR ? a.bits[i] | b.bits[i]
                                                : a.bits[i] & ~b.bits[i];
    return found;
  }
  if (set->kind == RSP_SET_LINE || set->kind == RSP_SET_RMWS) {
    for (guint t = 0; t < m->n_threads; t++)
      if (set->kind == RSP_SET_LINE ? holds_line (s, t, place) : s->threads[t].flags & THREAD_RMWS)
        found.bits[SET_WORDS - 1] |= G_GUINT64_CONSTANT (1) << t;
    return found;
  }
  for (guint node = 0; node < m->n_nodes; node++)
    if (shape_node (&m->shape, node)->level == set->level
        || (node == MEMORY && set->level >= m->shape.kept))
      if (cache_has (m, s, set->kind, node, place))
        found.bits[node / 64] |= G_GUINT64_CONSTANT (1) << node % 64;
  return found;
}

static gboolean invariant_holds (Caches *m, const State *s, const RspInvariant *invariant,
                                 guint place) {
  Members members = find_members (m, s, invariant->set, place);
  if (invariant->in) {
    Members others = find_members (m, s, invariant->in, place);
    for (guint i = 0; i < SET_WORDS; i++)
      members.bits[i] &= ~others.bits[i];
  }
  static const Members none;
  if (memcmp (&members, &none, sizeof none) == 0)
    return invariant->quantity != RSP_SOME_LINE;
  for (guint t = 0; t < (invariant->is_per ? m->n_threads : MIN (m->n_threads, 1)); t++) {
    /* Counts those in the scope of thread t. A lock of every device is in each scope.
     */
    guint n = 0;
    guint where = rsp_scope_node (m->program, t, invariant->per);
    for (guint i = 0; i < SET_WORDS; i++)
      for (guint64 left = members.bits[i]; left; left &= left - 1) {
        guint member = (guint) __builtin_ctzll (left);
        gboolean is_thread = i == SET_WORDS - 1;
        guint thread = is_thread ? member : shape_node (&m->shape, i * 64 + member)->first;
        n += !invariant->is_per || (is_thread && (s->threads[thread].flags & THREAD_EVERY))
             || rsp_scope_node (m->program, thread, invariant->per) == where;
      }
    if (invariant->quantity == RSP_SOME_LINE ? n == 0 : n > (invariant->quantity == RSP_LONE_LINE))
      return FALSE;
  }
  return TRUE;
}

static const char *caches_violated (gpointer data, RspBytes bytes) {
  Caches *m = data;
  State *s = m->scratch->pdata[1];
  const RspInvariant *one = m->shape.machine->invariants;
  if (one)
    caches_decode (m, bytes, s);
  for (; one; one = one->next)
    for (guint place = 0; place < m->n_places; place++)
      if (!is_local (m, place) && !invariant_holds (m, s, one, place))
        return one->name;
  return NULL;
}

/* ---- Progress ------------------------------------------------------------------------------- */

enum {
  MOST_STAGES = 2 * 256 + 2 /* of an operation: two per instruction (of a FLU; an outstanding access
                               ends as a request), its beginning and its end */
};

/* Increases in every step, except arbitrary fetches and evictions of the full search: a stage of a
 * thread adds at most one entry to each FIFO, and all other steps drain or remove one. */
static guint64 caches_progress (gpointer data, RspBytes bytes) {
  Caches *m = data;
  State *s = m->scratch->pdata[1];
  guint64 stages = 0, most_added = (guint64) m->n_nodes * MOST_LEVELS + 1;
  guint64 most_pending = (guint64) m->n_nodes * m->capacity * MOST_LEVELS;
  guint64 pending = 0; /* levels that the entries of FIFOs still have to move */
  caches_decode (m, bytes, s);
  for (guint t = 0; t < m->n_threads; t++) {
    const Thread *thread = &s->threads[t];
    stages += (guint64) __builtin_popcountll (thread->done) * MOST_STAGES;
    if (thread->event != RSP_NO_EVENT)
      stages += 1 + 2 * (guint64) thread->at + !!(thread->flags & THREAD_PUT);
    stages += !!(thread->flags & THREAD_FINISHED) + MOST_REQUESTS - thread->n_requests;
  }
  for (guint node = 1; node < m->n_nodes; node++)
    pending += (guint64) s->n_fifos[node] * (m->shape.kept - shape_node (&m->shape, node)->level);
  return stages * most_added + most_pending - pending;
}

/* ---- The tree of caches --------------------------------------------------------------------- */

/* The number of the thread's node at the level, which is added if it is new. */
static guint find_node (Shape *shape, guint thread, guint level) {
  const RspMachineLevel *kind = &shape->machine->levels[level];
  const RspProgram *program = shape->program;
  guint instance = rsp_scope_node (program, thread, kind->per);
  for (guint i = 0; i < shape->nodes->len; i++)
    if (shape_node (shape, i)->level == level && shape_node (shape, i)->instance == instance)
      return i;
  GString *name = g_string_new (kind->name); /* "L1(P0,P1)" */
  char before = '(';
  for (guint t = 0; t < program->n_threads; t++)
    if (rsp_scope_node (program, t, kind->per) == instance) {
      g_string_append_printf (name, "%c%s", before, program->threads[t].name);
      before = ',';
    }
  g_string_append_c (name, ')');
  CacheNode node = { .level = level,
                     .first = thread,
                     .instance = instance,
                     .parent = shape_own (shape, thread, level + 1),
                     .device = program->threads[thread].place[RSP_LEVEL_DEVICE],
                     .name = g_string_free (name, FALSE) };
  g_array_append_val (shape->nodes, node);
  return shape->nodes->len - 1;
}

static guint count_instances (const Shape *shape, guint level) {
  RspScope per = shape->machine->levels[level].per;
  guint n = 0;
  for (guint t = 0; t < shape->program->n_threads; t++) {
    guint instance = rsp_scope_node (shape->program, t, per), first = 0;
    while (rsp_scope_node (shape->program, first, per) != instance)
      first++;
    n += first == t;
  }
  return n;
}

/* At least `least` levels have nodes; outer ones with a single cache are merged with memory. */
static void shape_init (Shape *shape, const RspMachine *machine, const RspProgram *program,
                        guint least) {
  *shape = (Shape){ .machine = machine, .program = program };
  while (shape->kept < MOST_LEVELS && machine->levels[shape->kept].name)
    shape->kept++;
  guint n_levels = shape->kept;
  shape->nodes = g_array_new (FALSE, FALSE, sizeof (CacheNode));
  CacheNode memory = { .level = n_levels, .device = G_MAXUINT, .name = g_strdup ("MEM") };
  g_array_append_val (shape->nodes, memory);
  while (shape->kept > least && count_instances (shape, shape->kept - 1) == 1
         && machine->levels[shape->kept - 1].per >= RSP_SCOPE_DEVICE)
    shape->kept--;
  shape->own = g_new0 (guint, (gsize) program->n_threads * MOST_LEVELS);
  for (guint level = shape->kept; level-- > 0;)
    for (guint t = 0; t < program->n_threads; t++)
      shape->own[t * MOST_LEVELS + level] = find_node (shape, t, level);
}

gboolean shape_is_below (const Shape *shape, guint node, guint above) {
  while (node != above && node != MEMORY)
    node = shape_node (shape, node)->parent;
  return node == above;
}

gboolean shape_is_inner (const Shape *shape, guint node) {
  return node != MEMORY
         && shape->machine->levels[shape_node (shape, node)->level].per <= RSP_SCOPE_WORK_GROUP;
}

gboolean shape_is_buffer (const Shape *shape, guint node) {
  return node != MEMORY && shape->machine->levels[shape_node (shape, node)->level].is_buffer;
}

gboolean shape_is_guarded (const Shape *shape, guint node) {
  return node != MEMORY && shape_node (shape, node)->level <= shape->machine->line_level;
}

/* ---- Operations of single caches ------------------------------------------------------------ */

static Line *parent_line (const Caches *m, const State *s, guint node, guint place) {
  return line_at (m, s, shape_node (&m->shape, node)->parent, place);
}

/* Is the value of its copies chosen only when they are read? */
static gboolean is_lazy (const Caches *m, guint node) {
  return m->lazy && shape_readings (&m->shape, node)->fetch == FETCH_ANY
         && !shape_is_buffer (&m->shape, node);
}

void cache_refresh (const Caches *m, State *s) {
  for (guint node = 1; node < m->n_nodes; node++)
    for (guint place = 0; place < m->n_places && is_lazy (m, node); place++) {
      Line *line = line_at (m, s, node, place);
      guint32 outside = parent_line (m, s, node, place)->mask;
      if (!line->dirty && (outside & ~line->mask) && !(m->local & place_bit (place))
          && !lock_stops_fetch (m, s, node, place))
        line->mask |= outside;
    }
}

gboolean cache_has_newer (const Caches *m, const State *s, guint node, guint place) {
  for (; node != MEMORY; node = shape_node (&m->shape, node)->parent)
    if (parent_line (m, s, node, place)->mask & ~line_at (m, s, node, place)->mask)
      return TRUE;
  return FALSE;
}

gboolean cache_may_be_gone (const Caches *m, const State *s, guint node, guint place) {
  const Line *line = line_at (m, s, node, place);
  return node != MEMORY && is_lazy (m, node) && line->mask && !line->dirty
         && lock_stops_fetch (m, s, node, place);
}

/* ---- FIFOs ---- */
guint cache_n_drainable (const Caches *m, const State *s, guint node) {
  return shape_readings (&m->shape, node)->fifo == FIFO_ANY ? s->n_fifos[node]
                                                            : MIN (s->n_fifos[node], 1);
}

void cache_pop (const Caches *m, State *s, guint node, guint i) {
  guint8 *fifo = fifo_of (m, s, node);
  s->n_fifos[node]--;
  memmove (fifo + i, fifo + i + 1, s->n_fifos[node] - i);
  fifo[s->n_fifos[node]] = 0;
}

gboolean cache_head_is_settled (Caches *m, const State *s, guint node) {
  guint place = fifo_of (m, s, node)[0];
  for (guint t = 0; t < m->n_threads; t++)
    for (guint level = 0; level < m->shape.kept; level++)
      if (shape_own (&m->shape, t, level) == node
          && (thread_outlook (m, s, t)->stores & place_bit (place)))
        return FALSE;
  for (guint below = node + 1; below < m->n_nodes; below++)
    if (line_at (m, s, below, place)->dirty && shape_is_below (&m->shape, below, node))
      return FALSE;
  return TRUE;
}

/* ---- Writing ---- */
void cache_write (Caches *m, State *s, guint node, guint place, gint64 value) {
  if (s->n_values[place] == MOST_VALUES) {
    m->too_many_values = TRUE;
    s->n_values[place]--;
  }
  guint number = s->n_values[place]++;
  Line *line = line_at (m, s, node, place);
  values_of (s, place)[number] = value;
  line->mask = 1u << number;
  if (node == MEMORY)
    return;
  line->dirty = (guint8) (number + 1);
  if (shape_readings (&m->shape, node)->fifo == FIFO_QUEUE
      || !fifo_has (m, s, node, (guint8) place)) {
    g_assert (s->n_fifos[node] < m->capacity);
    fifo_of (m, s, node)[s->n_fifos[node]++] = (guint8) place;
  }
}

void cache_drain (Caches *m, State *s, guint node, guint i) {
  guint place = fifo_of (m, s, node)[i];
  Line *line = line_at (m, s, node, place);
  guint old = line->dirty - 1u, outside = shape_node (&m->shape, node)->parent;
  gint64 value = values_of (s, place)[old];
  cache_pop (m, s, node, i);
  cache_write (m, s, outside, place, value);
  /* The node and those below have the newest value in place of `old`. */
  guint32 newest = 1u << (s->n_values[place] - 1);
  for (guint below = node; below < m->n_nodes; below++) {
    Line *lower = line_at (m, s, below, place);
    if ((lower->mask >> old & 1) && shape_is_below (&m->shape, below, node))
      lower->mask = (lower->mask & ~(1u << old)) | newest;
  }
  line->dirty = 0;
  if (shape_is_buffer (&m->shape, node))
    line->mask = 0;
  /* A drain takes the time of those that wait for it: the thread that asks for it, and those with
   * markers in the FIFO. */
  guint charged = m->charged;
  gboolean is_outer = !shape_is_inner (&m->shape, outside);
  caches_charge (m, s, RSP_BILL_DRAIN);
  if (is_outer)
    caches_charge (m, s, RSP_BILL_OUTER);
  for (guint t = 0; m->latencies && t < m->n_threads; t++)
    if (t != charged && fifo_has (m, s, node, (guint8) (MARKER | t)))
      caches_elapse (m, s, t,
                     m->latencies->cycles[RSP_BILL_DRAIN]
                         + (is_outer ? m->latencies->cycles[RSP_BILL_OUTER] : 0));
  caches_note (m, "%s drains %s=%" G_GINT64_FORMAT, shape_node (&m->shape, node)->name,
               place_name (m, place), value);
}

void cache_invalidate (const Caches *m, State *s, guint node, guint64 places) {
  for (guint place = 0; place < m->n_places && !shape_is_buffer (&m->shape, node); place++) {
    Line *line = line_at (m, s, node, place);
    if (!(places & place_bit (place)) || line->owned)
      continue;
    if (!line->dirty || shape_readings (&m->shape, node)->inv_dirty == DIRTY_MARK)
      line->mask = 0;
  }
}

gboolean cache_invalidate_matters (const Caches *m, const State *s, guint node, guint64 places) {
  for (guint place = 0; place < m->n_places && !shape_is_buffer (&m->shape, node); place++) {
    const Line *line = line_at (m, s, node, place);
    if (!(places & place_bit (place)) || line->owned)
      continue;
    guint32 outside = is_lazy (m, node) ? parent_line (m, s, node, place)->mask : 0;
    gboolean marks = shape_readings (&m->shape, node)->inv_dirty == DIRTY_MARK;
    if (line->dirty ? marks : (line->mask & ~outside) != 0)
      return TRUE;
  }
  return FALSE;
}

/* ---- Reading ---- */
guint cache_reader (const Caches *m, const State *s, guint node, guint place) {
  while (shape_is_buffer (&m->shape, node) && !line_at (m, s, node, place)->dirty)
    node = shape_node (&m->shape, node)->parent;
  return node;
}

void cache_pick (const Caches *m, State *s, guint node, guint place, guint value) {
  guint32 older = (1u << value) - 1;
  for (; m->lazy && node != MEMORY; node = shape_node (&m->shape, node)->parent)
    if (!line_at (m, s, node, place)->dirty) {
      line_at (m, s, node, place)->mask &= ~older;
      if (!is_lazy (m, node)) /* it has fetched this value */
        line_at (m, s, node, place)->mask &= 1u << value;
    }
}

gboolean cache_fetch (Caches *m, State *s, guint node, guint place) {
  Line *line = line_at (m, s, node, place);
  if (line->mask || node == MEMORY)
    return TRUE;
  guint outside = shape_node (&m->shape, node)->parent;
  if (line->dirty || lock_stops_fetch (m, s, node, place) || !cache_fetch (m, s, outside, place))
    return FALSE;
  line->mask = line_at (m, s, outside, place)->mask;
  caches_charge (m, s, RSP_BILL_MISS);
  if (!shape_is_inner (&m->shape, outside))
    caches_charge (m, s, RSP_BILL_OUTER);
  return TRUE;
}

/* ---- Accesses that bypass levels ------------------------------------------------------------ */

/* An access bypasses the levels inside the one where it acts, unless it waits for dirty lines there
 * and invalidates copies. If none does, one cannot observe whether the only cache of a level or the
 * memory behind it has a value, nor when a line that is only used inside a cache is drained. */

typedef struct Pass {
  const Caches *m;
  guint levels; /* found so far */
} Pass;

static void find_bypassed (gpointer user, const RspEvent *event) {
  Pass *pass = user;
  const Caches *m = pass->m;
  gboolean writes_with_care
      = m->readings.rmw_waits != RMW_NONE && m->readings.rmw_invalidates != RMW_NONE;
  gboolean locked = FALSE;
  int number = rsp_codes_find (m->codes, m->program, event);
  for (guint i = 0; number >= RSP_CODE_FIRST && i < rsp_code (m->codes, (guint) number)->n; i++) {
    const RspInstruction *instruction = &rsp_code (m->codes, (guint) number)->instructions[i];
    gboolean careful = (instruction->kind != RSP_MAP_LD || m->counted) && writes_with_care
                       && !instruction->through;
    /* A plain ST under LOCK rmw may act in memory (locked-store). */
    gboolean outer = instruction->kind == RSP_MAP_ST && instruction->bare && locked;
    if (instruction->kind <= RSP_MAP_READ_WRITE && !careful)
      pass->levels = MAX (pass->levels, outer ? m->codes->n_levels : instruction->level);
    locked |= instruction->kind == RSP_MAP_LOCK && (instruction->locks & RSP_MAP_RMWS);
    locked &= instruction->kind != RSP_MAP_UNLOCK;
  }
}

/* ---- Locks ---------------------------------------------------------------------------------- */

/* Locks of lines, and of the RMWs of work-groups. Flags of threads say who holds them. */

/* Does the holder's lock reach this device? */
static gboolean lock_reaches (const Caches *m, const State *s, guint holder, guint device) {
  return (s->threads[holder].flags & THREAD_EVERY)
         || m->program->threads[holder].place[RSP_LEVEL_DEVICE] == device;
}

static gboolean is_every (const Caches *m, const RspInstruction *instruction) {
  return instruction->reach == RSP_MAP_ALL && m->readings.all_reach == ALL_MEMORY;
}

gboolean lock_is_free (const Caches *m, const State *s, guint thread,
                       const RspInstruction *instruction) {
  for (guint h = 0; h < m->n_threads; h++) {
    const Thread *holder = &s->threads[h];
    if (h == thread
        || !(is_every (m, instruction)
             || lock_reaches (m, s, h, m->program->threads[thread].place[RSP_LEVEL_DEVICE])))
      continue;
    if ((instruction->locks & RSP_MAP_RMWS) && (holder->flags & THREAD_RMWS))
      return FALSE;
    if ((instruction->locks & RSP_MAP_LINE) && (holder->flags & THREAD_LINE)
        && holder->place == s->threads[thread].place)
      return FALSE;
  }
  return TRUE;
}

void lock_take (const Caches *m, State *s, guint thread, const RspInstruction *instruction) {
  guint8 *flags = &s->threads[thread].flags;
  *flags |= instruction->locks & RSP_MAP_LINE ? THREAD_LINE : 0;
  *flags |= instruction->locks & RSP_MAP_RMWS ? THREAD_RMWS : 0;
  *flags |= is_every (m, instruction) ? THREAD_EVERY : 0;
  *flags &= (guint8) ~THREAD_WAITED;
}

void lock_release (State *s, guint thread) {
  s->threads[thread].flags &= (guint8) ~(THREAD_LINE | THREAD_RMWS | THREAD_EVERY);
}

gboolean lock_is_out (const Caches *m, const State *s, guint h, guint node, guint place) {
  const CacheNode *at = shape_node (&m->shape, node);
  return holds_line (s, h, place) && lock_reaches (m, s, h, at->device)
         && !rsp_threads_share (&m->program->threads[h], &m->program->threads[at->first],
                                RSP_LEVEL_WORK_GROUP);
}

gboolean lock_stops_fetch (const Caches *m, const State *s, guint node, guint place) {
  for (guint h = 0; h < m->n_threads && shape_is_guarded (&m->shape, node); h++)
    if (lock_is_out (m, s, h, node, place))
      return TRUE;
  return FALSE;
}

gboolean lock_stops_outer (const Caches *m, const State *s, guint thread, guint node, guint place) {
  for (guint h = 0; h < m->n_threads; h++)
    if (h != thread && holds_line (s, h, place)
        && !rsp_threads_share (&m->program->threads[h], &m->program->threads[thread],
                               RSP_LEVEL_WORK_GROUP)
        && (node == MEMORY || lock_reaches (m, s, h, shape_node (&m->shape, node)->device)))
      return TRUE;
  return FALSE;
}

gboolean lock_stops_rmw (const Caches *m, const State *s, guint thread) {
  for (guint h = 0; h < m->n_threads; h++)
    if (h != thread && (s->threads[h].flags & THREAD_RMWS)
        && lock_reaches (m, s, h, m->program->threads[thread].place[RSP_LEVEL_DEVICE]))
      return TRUE;
  return FALSE;
}

/* The STALL that the thread is in; NULL: none. */
static const RspInstruction *find_stall (const Caches *m, const State *s, guint thread) {
  const RspCode *code = rsp_code (m->codes, s->threads[thread].code);
  const RspInstruction *stall = NULL;
  for (guint i = 0; s->threads[thread].event != RSP_NO_EVENT && i < s->threads[thread].at; i++)
    if (code->instructions[i].kind == RSP_MAP_STALL
        || code->instructions[i].kind == RSP_MAP_UNSTALL)
      stall = code->instructions[i].kind == RSP_MAP_STALL ? &code->instructions[i] : NULL;
  return stall;
}

gboolean lock_holds_any (const Caches *m, const State *s, guint thread) {
  return s->threads[thread].flags & (THREAD_LINE | THREAD_RMWS) || find_stall (m, s, thread);
}

gboolean lock_stalls (const Caches *m, const State *s, guint thread, guint operations,
                      RspScope per) {
  const RspThread *threads = m->program->threads;
  for (guint h = 0; h < m->n_threads; h++) {
    const RspInstruction *stall = h == thread ? NULL : find_stall (m, s, h);
    if (stall && (stall->stalls & operations) && per <= stall->stalled
        && (is_every (m, stall)
            || rsp_threads_share (&threads[h], &threads[thread], RSP_LEVEL_DEVICE)))
      return TRUE;
  }
  return FALSE;
}

gboolean lock_any_line (const Caches *m, const State *s) {
  for (guint h = 0; h < m->n_threads; h++)
    if (s->threads[h].flags & THREAD_LINE)
      return TRUE;
  return FALSE;
}

/* ---- States --------------------------------------------------------------------------------- */

/* States in memory: one block each, so a copy is one memcpy. */

#define ALIGNED(size) (((size) + 7) & ~(gsize) 7)

/* Lays out the parts of a state in its block; if block is NULL, only measures. */
static gsize lay_out (const Caches *m, State *s) {
  gsize offset = 0;
  guint8 *block = s->block;
#define PART(field, count)                                                                         \
  do {                                                                                             \
    s->field = (gpointer) (block + offset);                                                        \
    offset += ALIGNED (sizeof *s->field * (gsize) (count));                                        \
  } while (0)
  PART (threads, m->n_threads);
  PART (reads, m->n_threads * m->most_events);
  PART (lines, m->n_nodes * m->n_places);
  PART (values, m->n_places * MOST_VALUES);
  PART (n_values, m->n_places);
  PART (fifos, m->n_nodes * m->capacity);
  PART (n_fifos, m->n_nodes);
#undef PART
  return offset;
}

static State *new_state (const Caches *m) {
  State *s = g_new0 (State, 1);
  s->block = g_malloc0 (m->block_size);
  lay_out (m, s);
  return s;
}

static void free_state (gpointer state) {
  if (state)
    g_free (((State *) state)->block);
  g_free (state);
}

static void start_state (Caches *m, State *s) {
  memset (s->block, 0, m->block_size);
  for (guint t = 0; t < m->n_threads; t++) {
    s->threads[t].event = RSP_NO_EVENT;
    s->threads[t].paths = rsp_threads_start (m->threads, t).paths;
  }
  for (guint place = 0; place < m->n_places; place++) {
    values_of (s, place)[0] = m->program->locations[m->threads->locations[place]].initial;
    s->n_values[place] = 1;
    line_at (m, s, MEMORY, place)->mask = 1;
  }
}

State *caches_push (Caches *m, const State *from) {
  if (m->depth == m->scratch->len)
    g_ptr_array_add (m->scratch, new_state (m));
  State *s = m->scratch->pdata[m->depth++];
  memcpy (s->block, from->block, m->block_size);
  return s;
}

void caches_pop (Caches *m) { m->depth--; }

gboolean fifo_has (const Caches *m, const State *s, guint node, guint8 entry) {
  return memchr (fifo_of (m, s, node), entry, s->n_fifos[node]) != NULL;
}

void caches_elapse (Caches *m, const State *s, guint thread, guint32 cycles) {
  const Thread *holder = &s->threads[thread];
  for (guint t = 0; t < MIN (m->n_threads, RSP_MOST_TIMED); t++) {
    const Thread *other = &s->threads[t];
    gboolean waits = (other->flags & THREAD_WAITED) && other->event != RSP_NO_EVENT
                     && (holder->flags & (THREAD_LINE | THREAD_RMWS));
    m->bill.cycles[t] += t == thread || waits ? cycles : 0;
  }
}

void caches_charge (Caches *m, const State *s, RspBillItem item) {
  m->bill.n[item]++;
  if (m->latencies && m->charged < m->n_threads)
    caches_elapse (m, s, m->charged, m->latencies->cycles[item]);
}

void caches_note (Caches *m, const char *format, ...) {
  if (!m->log)
    return;
  if (m->log->len)
    g_string_append (m->log, "; ");
  va_list arguments;
  va_start (arguments, format);
  g_string_append_vprintf (m->log, format, arguments);
  va_end (arguments);
}

/* ---- States as byte strings ----------------------------------------------------------------- */

/* States as byte strings. Numbers are LEB128, seven bits per byte, signed ones zigzag, so small
 * values take one byte. Unused parts are left out.
 *
 *   threads    flags, point, operation, requests, values read that still matter
 *   locations  the values; per node: dirty, mask
 *   FIFOs      length, entries */

enum { OWNED = 64 }; /* with the number of a dirty value */

/* ---- Numbers ---- */
static void put (GByteArray *out, guint64 number) {
  guint8 bytes[10];
  guint n = 0;
  for (; number > 0x7f; number >>= 7)
    bytes[n++] = (guint8) (number | 0x80);
  bytes[n++] = (guint8) number;
  g_byte_array_append (out, bytes, n);
}

static void put_signed (GByteArray *out, gint64 number) {
  put (out, ((guint64) number << 1) ^ (guint64) (number >> 63));
}

static guint64 get (const guint8 **at) {
  guint64 number = 0;
  for (guint shift = 0;; shift += 7) {
    guint8 byte = *(*at)++;
    number |= (guint64) (byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return number;
  }
}

static gint64 get_signed (const guint8 **at) {
  guint64 number = get (at);
  return (gint64) (number >> 1) ^ -(gint64) (number & 1);
}

/* ---- States ---- */
void caches_encode (Caches *m, State *s, GByteArray *out) {
  for (guint t = 0; t < m->n_threads; t++) {
    const Thread *thread = &s->threads[t];
    put (out, thread->flags);
    put (out, thread->paths);
    put (out, thread->done);
    put (out, thread->event);
    if (thread->event != RSP_NO_EVENT) {
      put (out, thread->code);
      put (out, thread->place);
      put (out, thread->at);
    }
    for (guint i = 0; i <= thread->n_requests && m->counted; i++) {
      const Request *request = &thread->requests[i];
      put (out, i == thread->n_requests ? 0 : 1u + request->kind);
      if (i < thread->n_requests)
        g_byte_array_append (out,
                             (const guint8[]){ request->event, request->place, request->level }, 3);
    }
    guint64 reads = thread_outlook (m, s, t)->reads;
    for (guint e = 0; e < m->most_events; e++)
      if (reads >> e & 1)
        put_signed (out, reads_of_thread (m, s, t)[e]);
  }
  for (guint place = 0; place < m->n_places; place++) {
    put (out, s->n_values[place]);
    for (guint i = 0; i < s->n_values[place]; i++)
      put_signed (out, values_of (s, place)[i]);
    if (is_local (m, place))
      continue;
    for (guint node = 0; node < m->n_nodes; node++) {
      put (out, line_at (m, s, node, place)->dirty | line_at (m, s, node, place)->owned * OWNED);
      put (out, line_at (m, s, node, place)->mask);
    }
  }
  for (guint node = 1; node < m->n_nodes; node++) {
    put (out, s->n_fifos[node]);
    g_byte_array_append (out, fifo_of (m, s, node), s->n_fifos[node]);
  }
}

void caches_decode (Caches *m, RspBytes bytes, State *s) {
  const guint8 *at = bytes.data;
  memset (s->block, 0, m->block_size);
  for (guint t = 0; t < m->n_threads; t++) {
    Thread *thread = &s->threads[t];
    thread->flags = (guint8) get (&at);
    thread->paths = (guint32) get (&at);
    thread->done = get (&at);
    thread->event = (guint8) get (&at);
    if (thread->event != RSP_NO_EVENT) {
      thread->code = (guint16) get (&at);
      thread->place = (guint8) get (&at);
      thread->at = (guint8) get (&at);
    }
    for (guint64 kind; m->counted && (kind = get (&at)); at += 3)
      thread->requests[thread->n_requests++]
          = (Request){ (guint8) (kind - 1), at[0], at[1], at[2] };
    guint64 reads = thread_outlook (m, s, t)->reads;
    for (guint e = 0; e < m->most_events; e++)
      if (reads >> e & 1)
        reads_of_thread (m, s, t)[e] = get_signed (&at);
  }
  for (guint place = 0; place < m->n_places; place++) {
    s->n_values[place] = (guint8) get (&at);
    for (guint i = 0; i < s->n_values[place]; i++)
      values_of (s, place)[i] = get_signed (&at);
    if (is_local (m, place)) {
      line_at (m, s, MEMORY, place)->mask = 1u << (s->n_values[place] - 1);
      continue;
    }
    for (guint node = 0; node < m->n_nodes; node++) {
      guint8 byte = (guint8) get (&at);
      line_at (m, s, node, place)->dirty = byte & (OWNED - 1);
      line_at (m, s, node, place)->owned = byte / OWNED;
      line_at (m, s, node, place)->mask = (guint32) get (&at);
    }
  }
  for (guint node = 1; node < m->n_nodes; node++) {
    s->n_fifos[node] = (guint16) get (&at);
    memcpy (fifo_of (m, s, node), at, s->n_fifos[node]);
    at += s->n_fifos[node];
  }
  g_assert (at == bytes.data + bytes.size);
}

/* ---- The canonical form --------------------------------------------------------------------- */

void caches_tidy (Caches *m, State *s) {
  guint64 loads[1 + MOST_LEVELS * MOST_THREADS];
  /* Per node: the places that threads below may still read. */
  memset (loads, 0, m->n_nodes * sizeof *loads);
  for (guint t = 0; t < m->n_threads; t++) {
    const guint64 own = thread_outlook (m, s, t)->loads;
    for (guint level = 0; level < m->shape.kept; level++)
      loads[shape_own (&m->shape, t, level)] |= own;
    loads[MEMORY] |= own;
  }
  /* Drops copies that no thread will read; only readers care whether a dirty line is valid. */
  for (guint node = 1; node < m->n_nodes; node++)
    for (guint place = 0; place < m->n_places; place++) {
      Line *line = line_at (m, s, node, place);
      if (!(loads[node] & place_bit (place)))
        line->mask = line->dirty ? 1u << (line->dirty - 1) : 0;
    }
  for (guint place = 0; place < m->n_places; place++) {
    gboolean matters = ((loads[MEMORY] | m->observed) & place_bit (place)) != 0;
    /* Renumbers the values of the place, and drops those that no line has. */
    guint32 used = 0;
    for (guint node = 0; node < m->n_nodes; node++) {
      const Line *line = line_at (m, s, node, place);
      used |= line->mask | (line->dirty ? 1u << (line->dirty - 1) : 0);
    }
    guint8 number[MOST_VALUES];
    guint n = 0;
    gint64 *values = values_of (s, place);
    for (guint i = 0; i < s->n_values[place]; i++)
      if (used >> i & 1) {
        values[n] = matters || m->tracing ? values[i] : 0;
        number[i] = (guint8) n++;
      }
    if (n != s->n_values[place]) {
      s->n_values[place] = (guint8) n;
      for (guint node = 0; node < m->n_nodes; node++) {
        Line *line = line_at (m, s, node, place);
        guint32 mask = 0;
        for (guint32 left = line->mask; left; left &= left - 1)
          mask |= 1u << number[__builtin_ctz (left)];
        line->mask = mask;
        if (line->dirty)
          line->dirty = (guint8) (number[line->dirty - 1] + 1);
      }
    }
    m->too_many_values |= s->n_values[place] > MOST_VALUES - SPARE_VALUES;
  }
}

/* ---- Steps in words ------------------------------------------------------------------------- */

/* Steps in words: what threads and caches do, and in brackets the caches that change. */

static void append_fifo (const Caches *m, const State *s, guint node, GString *out) {
  for (guint i = 0; i < s->n_fifos[node]; i++) {
    guint8 entry = fifo_of (m, s, node)[i];
    g_string_append_printf (out, "%s%s", i ? " " : "",
                            entry & MARKER
                                ? m->program->threads[entry & ~MARKER].name
                                : m->program->locations[m->threads->locations[entry]].name);
  }
}

/* A place of a cache with the values that a read there may return: "x=1 dirty", "x=0/1". Empty if
 * there are none. */
static char *format_place (const Caches *m, const State *s, guint node, guint place) {
  const Line *line = line_at (m, s, node, place);
  const gint64 *values = values_of (s, place);
  GString *out = g_string_new (NULL);
  if (line->dirty || line->mask)
    g_string_append_printf (out, "%s%s=", line->owned ? "own " : "", place_name (m, place));
  if (line->dirty)
    g_string_append_printf (out, "%" G_GINT64_FORMAT " dirty%s", values[line->dirty - 1],
                            line->mask ? "" : " invalid");
  for (guint i = 0, n = 0; !line->dirty && i < s->n_values[place]; i++)
    if (line->mask >> i & 1)
      g_string_append_printf (out, "%s%" G_GINT64_FORMAT, n++ ? "/" : "", values[i]);
  return g_string_free (out, FALSE);
}

static void append_changes (const Caches *m, const State *from, const State *to, GString *out) {
  guint n = 0;
  for (guint node = 0; node < m->n_nodes; node++) {
    g_autoptr (GString) changes = g_string_new (NULL);
    for (guint place = 0; place < m->n_places; place++) {
      g_autofree char *before = format_place (m, from, node, place);
      g_autofree char *after = format_place (m, to, node, place);
      if (*after && strcmp (before, after) != 0)
        g_string_append_printf (changes, " %s", after);
    }
    g_autoptr (GString) before = g_string_new (NULL);
    g_autoptr (GString) after = g_string_new (NULL);
    append_fifo (m, from, node, before);
    append_fifo (m, to, node, after);
    if (node != MEMORY && !g_string_equal (before, after))
      g_string_append_printf (changes, " FIFO %s", after->len ? after->str : "empty");
    if (changes->len)
      g_string_append_printf (out, "%s%s:%s", n++ ? ", " : "   [",
                              shape_node (&m->shape, node)->name, changes->str);
  }
  if (n)
    g_string_append_c (out, ']');
}

static void caches_describe (gpointer data, RspBytes from, guint i, GString *out) {
  Caches *m = data;
  m->log = g_string_new (NULL);
  if (!from.data) { /* the steps to the initial state */
    State *s = m->scratch->pdata[0];
    start_state (m, s);
    caches_settle (m, s);
    if (m->log->len)
      g_string_append_printf (out, "%s\n", m->log->str);
    g_string_free (g_steal_pointer (&m->log), TRUE);
    return;
  }
  RspSuccessors successors;
  rsp_successors_init (&successors);
  m->trace = out;
  m->traced = i;
  caches_expand (m, from, &successors);
  g_string_free (g_steal_pointer (&m->log), TRUE);
  State *before = new_state (m), *after = new_state (m);
  caches_decode (m, from, before);
  caches_decode (m, rsp_successors_get (&successors, i), after);
  append_changes (m, before, after, out);
  g_string_append_c (out, '\n');
  free_state (before);
  free_state (after);
  rsp_successors_clear (&successors);
}

/* ---- The machine ---------------------------------------------------------------------------- */

static void start (gpointer data, GByteArray *state, RspBill *bill) {
  Caches *m = data;
  RspSuccessors successors = { .bytes = state,
                               .ends = g_array_new (FALSE, FALSE, sizeof (gsize)),
                               .bills = g_array_new (FALSE, FALSE, sizeof (RspBill)) };
  State *s = m->scratch->pdata[0];
  m->successors = &successors;
  m->bill = (RspBill){ { 0 }, { 0 } };
  start_state (m, s);
  caches_settle (m, s);
  caches_encode (m, s, state);
  if (bill)
    *bill = m->bill;
  g_array_unref (successors.ends);
  g_array_unref (successors.bills);
}

gboolean rsp_machine_takes (const RspMachine *machine, const RspMap *map,
                            RspDiagnostics *diagnostics) {
  g_autoptr (RspCodes) codes = rsp_codes_new (map, machine, diagnostics);
  return codes != NULL;
}

static void find_local_and_observed (Caches *m) {
  for (guint place = 0; place < m->n_places; place++) {
    guint location = m->threads->locations[place];
    if (m->program->locations[location].type.space == RSP_SPACE_LOCAL)
      m->local |= place_bit (place);
    for (guint i = 0; i < m->program->n_observables; i++)
      if (!m->program->observables[i].is_register
          && m->program->observables[i].location == location)
        m->observed |= place_bit (place);
  }
}

static void find_fetches (Caches *m, const RspMachine *machine) {
  guint n = 0, n_demand = 0;
  for (const RspMachineLevel *level = machine->levels; level->name; level++) {
    n += !level->is_buffer;
    n_demand += !level->is_buffer && level->readings.fetch == FETCH_DEMAND;
  }
  m->demands = n_demand > 0;
  m->lazy = m->reduced && (n ? n_demand < n : machine->readings.fetch == FETCH_ANY);
}

RspCaches *rsp_caches_new (const RspProgram *program, const RspCachesOptions *options,
                           RspDiagnostics *diagnostics) {
  if (program->n_threads > MOST_THREADS) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL,
               "test %s has %u threads; a machine runs no more than %d", program->name,
               program->n_threads, MOST_THREADS);
    return NULL;
  }
  g_autoptr (RspCodes) codes = rsp_codes_new (options->map, options->machine, diagnostics);
  g_autoptr (RspThreads) threads
      = codes ? rsp_threads_new (program, &options->threads, diagnostics) : NULL;
  if (!threads)
    return NULL;
  Caches *m = g_new0 (Caches, 1);
  m->program = program;
  m->codes = g_steal_pointer (&codes);
  m->threads = g_steal_pointer (&threads);
  m->readings = options->machine->readings;
  m->counting = options->counting;
  m->tracing = options->tracing;
  m->latencies = options->latencies;
  m->counted = m->codes->counted;
  m->reduced = m->readings.reduction == REDUCTION_ON;
  find_fetches (m, options->machine);
  Pass pass = { m, 0 };
  rsp_threads_each_event (m->threads, find_bypassed, &pass);
  m->bypassed = pass.levels;
  m->n_threads = program->n_threads;
  m->n_places = m->threads->n_places;
  /* A level that fetches on demand limits what inner caches can fetch, so it stays. */
  gboolean merges = m->reduced && !(m->lazy && m->demands);
  shape_init (&m->shape, options->machine, program, merges ? m->bypassed : G_MAXUINT);
  m->n_nodes = m->shape.nodes->len;
  find_local_and_observed (m);
  /* A FIFO holds every store of every thread at most once, and one marker per thread. */
  guint writes = 0;
  for (guint t = 0; t < m->n_threads; t++) {
    writes += m->threads->n_writes[t];
    m->most_events = MAX (m->most_events, m->threads->n_events[t]);
  }
  m->capacity = writes + m->n_threads + 1;
  guint8 nothing;
  State s = { .block = &nothing };
  m->block_size = lay_out (m, &s);
  m->scratch = g_ptr_array_new_with_free_func (free_state);
  for (guint i = 0; i < 2; i++)
    g_ptr_array_add (m->scratch, new_state (m));
  m->system = (RspSystem){ .data = m,
                           .start = start,
                           .expand = caches_expand,
                           .violated = caches_violated,
                           .describe = caches_describe,
                           .progress = caches_progress };
  return m;
}

void rsp_caches_free (RspCaches *m) {
  if (!m)
    return;
  g_ptr_array_unref (m->scratch);
  for (guint i = 0; i < m->n_nodes; i++)
    g_free (shape_node (&m->shape, i)->name);
  g_array_unref (m->shape.nodes);
  g_free (m->shape.own);
  rsp_threads_free (m->threads);
  rsp_codes_free ((RspCodes *) m->codes);
  g_free (m);
}

const RspSystem *rsp_caches_system (const RspCaches *m) { return &m->system; }

/* ---- Final states ---- */
typedef struct Finals {
  Caches *m;
  const State *s;
  guint *chosen; /* per thread: which path of its set */
  RspValue *state;
  RspFinalVisit visit;
  gpointer user;
} Finals;

static void visit_finals (Finals *finals, guint thread) {
  Caches *m = finals->m;
  const State *s = finals->s;
  if (thread < m->n_threads) {
    guint n = rsp_threads_n_paths (m->threads, thread, s->threads[thread].paths);
    for (finals->chosen[thread] = 0; finals->chosen[thread] < n; finals->chosen[thread]++)
      visit_finals (finals, thread + 1);
    return;
  }
  for (guint i = 0; i < m->program->n_observables; i++) {
    const RspObservable *observable = &m->program->observables[i];
    guint t = observable->thread, place = 0;
    if (observable->is_register) {
      RspValue values[RSP_MOST_EVENTS] = { { 0 } };
      for (guint e = 0; e < m->most_events; e++)
        values[e].bits = reads_of_thread (m, s, t)[e];
      finals->state[i] = rsp_threads_final (m->threads, t, s->threads[t].paths, finals->chosen[t],
                                            observable->reg, values);
      continue;
    }
    while (m->threads->locations[place] != observable->location)
      place++;
    guint newest = (guint) __builtin_ctz (line_at (m, s, MEMORY, place)->mask);
    finals->state[i] = (RspValue){ .bits = values_of (s, place)[newest] };
  }
  finals->visit (finals->user, finals->state);
}

void rsp_caches_finals (RspCaches *m, RspBytes bytes, RspFinalVisit visit, gpointer user) {
  State *s = m->scratch->pdata[1];
  caches_decode (m, bytes, s);
  g_autofree guint *chosen = g_new0 (guint, m->n_threads + 1);
  g_autofree RspValue *state = g_new0 (RspValue, m->program->n_observables + 1);
  Finals finals = { m, s, chosen, state, visit, user };
  visit_finals (&finals, 0);
}

gboolean rsp_caches_is_truncated (const RspCaches *m) { return m->truncated; }

gboolean rsp_caches_too_many_values (const RspCaches *m) { return m->too_many_values; }

gboolean rsp_caches_report (const RspCaches *m, const char **failure, RspDiagnostics *diagnostics) {
  *failure = m->failed ? m->failed->end_message : NULL;
  if (m->failed)
    rsp_error (diagnostics, m->failed->end_span, NULL, "test %s: %s on some execution",
               m->program->name, m->failed->end_message);
  if (!m->missing)
    return TRUE;
  g_autofree char *what = rsp_codes_describe (m->program, m->missing);
  g_autofree char *head = rsp_codes_format_head (m->program, m->missing);
  g_autofree char *hint = g_strdup_printf ("a row for it begins `%s :`", head);
  rsp_error (diagnostics, m->missing->span, hint,
             "test %s: mapping %s has no row for this operation, %s", m->program->name,
             m->codes->map->name, what);
  return FALSE;
}
