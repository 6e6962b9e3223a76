/* Operations of single caches: fetch, write, drain, invalidate. */
#include "machine/caches/cache.h"
#include "machine/caches/lock.h"
#include "machine/caches/steps/thread.h"

#include <string.h>

static Line *parent_line (const Caches *m, const State *s, guint node, guint place) {
  return line_at (m, s, shape_node (&m->shape, node)->parent, place);
}

void cache_refresh (const Caches *m, State *s) {
  for (guint node = 1; m->lazy && node < m->n_nodes; node++)
    for (guint place = 0; place < m->n_places && !shape_is_buffer (&m->shape, node); place++) {
      Line *line = line_at (m, s, node, place);
      guint32 outside = parent_line (m, s, node, place)->mask;
      if (!line->dirty && (outside & ~line->mask) && !(m->local & place_bit (place))
          && !lock_stops_fetch (m, s, node, place))
        line->mask |= outside;
    }
}

/* ---- FIFOs ---- */

static void enqueue (const Caches *m, State *s, guint node, guint8 entry) {
  if (m->readings.fifo != FIFO_QUEUE && fifo_has (m, s, node, entry))
    return;
  g_assert (s->n_fifos[node] < m->capacity);
  fifo_of (m, s, node)[s->n_fifos[node]++] = entry;
}

guint cache_n_drainable (const Caches *m, const State *s, guint node) {
  return m->readings.fifo == FIFO_ANY ? s->n_fifos[node] : MIN (s->n_fifos[node], 1);
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
  enqueue (m, s, node, (guint8) place);
}

/* Makes value `old` the newest one below the node. */
static void rename_value (const Caches *m, State *s, guint node, guint place, guint old) {
  guint32 newest = 1u << (s->n_values[place] - 1);
  for (guint below = node; below < m->n_nodes; below++) {
    Line *line = line_at (m, s, below, place);
    if ((line->mask >> old & 1) && shape_is_below (&m->shape, below, node))
      line->mask = (line->mask & ~(1u << old)) | newest;
  }
}

void cache_drain (Caches *m, State *s, guint node, guint i) {
  guint place = fifo_of (m, s, node)[i];
  Line *line = line_at (m, s, node, place);
  guint old = line->dirty - 1u, outside = shape_node (&m->shape, node)->parent;
  gint64 value = values_of (s, place)[old];
  cache_pop (m, s, node, i);
  cache_write (m, s, outside, place, value);
  rename_value (m, s, node, place, old);
  line->dirty = 0;
  if (shape_is_buffer (&m->shape, node))
    line->mask = 0;
  m->bill.n[RSP_BILL_DRAIN]++;
  m->bill.n[RSP_BILL_OUTER] += !shape_is_inner (&m->shape, outside);
  caches_note (m, "%s drains %s=%" G_GINT64_FORMAT, shape_node (&m->shape, node)->name,
               place_name (m, place), value);
}

void cache_invalidate (const Caches *m, State *s, guint node) {
  for (guint place = 0; place < m->n_places && !shape_is_buffer (&m->shape, node); place++) {
    Line *line = line_at (m, s, node, place);
    if (!line->dirty || m->readings.inv_dirty == DIRTY_MARK)
      line->mask = 0;
  }
}

gboolean cache_invalidate_matters (const Caches *m, const State *s, guint node) {
  for (guint place = 0; place < m->n_places && !shape_is_buffer (&m->shape, node); place++) {
    const Line *line = line_at (m, s, node, place);
    guint32 outside = m->lazy ? parent_line (m, s, node, place)->mask : 0;
    if (line->dirty ? m->readings.inv_dirty == DIRTY_MARK : (line->mask & ~outside) != 0)
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
    if (!line_at (m, s, node, place)->dirty)
      line_at (m, s, node, place)->mask &= ~older;
}

gboolean cache_fetch (Caches *m, State *s, guint node, guint place) {
  Line *line = line_at (m, s, node, place);
  if (line->mask || node == MEMORY)
    return TRUE;
  guint outside = shape_node (&m->shape, node)->parent;
  if (line->dirty || lock_stops_fetch (m, s, node, place) || !cache_fetch (m, s, outside, place))
    return FALSE;
  line->mask = line_at (m, s, outside, place)->mask;
  m->bill.n[RSP_BILL_MISS]++;
  m->bill.n[RSP_BILL_OUTER] += !shape_is_inner (&m->shape, outside);
  return TRUE;
}
