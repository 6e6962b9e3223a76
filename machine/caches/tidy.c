/* The canonical form of a state. */
#include "machine/caches/tidy.h"
#include "machine/caches/steps/thread.h"

#include <string.h>

/* Per node: the places that threads below it may still read. */
static void find_loads (Caches *m, const State *s, guint64 *loads) {
  memset (loads, 0, m->n_nodes * sizeof *loads);
  for (guint t = 0; t < m->n_threads; t++) {
    guint64 own = thread_outlook (m, s, t)->loads;
    guint node = MEMORY;
    for (guint level = m->shape.kept; level-- > 0;) {
      node = shape_own (&m->shape, t, level);
      loads[node] |= own;
    }
    loads[MEMORY] |= own;
  }
}

/* Drops copies that no thread will read; whether a dirty line is valid matters only to readers. */
static void forget_copies (Caches *m, State *s, const guint64 *loads) {
  for (guint node = 1; node < m->n_nodes; node++)
    for (guint place = 0; place < m->n_places; place++) {
      Line *line = line_at (m, s, node, place);
      if (!(loads[node] & place_bit (place)))
        line->mask = line->dirty ? 1u << (line->dirty - 1) : 0;
    }
}

/* Renumbers the values of a place, dropping those that no line has. */
static void renumber (Caches *m, State *s, guint place, gboolean matters) {
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
  if (n == s->n_values[place])
    return;
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

void caches_tidy (Caches *m, State *s) {
  guint64 loads[1 + MOST_LEVELS * MOST_THREADS];
  find_loads (m, s, loads);
  forget_copies (m, s, loads);
  for (guint place = 0; place < m->n_places; place++) {
    gboolean matters = ((loads[MEMORY] | m->observed) & place_bit (place)) != 0;
    renumber (m, s, place, matters);
    m->too_many_values |= s->n_values[place] > MOST_VALUES - SPARE_VALUES;
  }
}
