/* States in memory: one block each, so that a copy is one memcpy. */
#include "machine/caches/state.h"

#include <string.h>

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

/* A FIFO holds every store of every thread at most once, and one marker per thread. */
void caches_measure (Caches *m) {
  guint writes = 0;
  for (guint t = 0; t < m->n_threads; t++) {
    writes += m->threads->n_writes[t];
    m->most_events = MAX (m->most_events, m->threads->n_events[t]);
  }
  m->capacity = writes + m->n_threads + 1;
  guint8 nothing;
  State s = { .block = &nothing };
  m->block_size = lay_out (m, &s);
}

State *caches_new (const Caches *m) {
  State *s = g_new0 (State, 1);
  s->block = g_malloc0 (m->block_size);
  lay_out (m, s);
  return s;
}

void caches_free (gpointer state) {
  if (state)
    g_free (((State *) state)->block);
  g_free (state);
}

static void copy_state (const Caches *m, State *to, const State *from) {
  memcpy (to->block, from->block, m->block_size);
}

void caches_start (Caches *m, State *s) {
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
    g_ptr_array_add (m->scratch, caches_new (m));
  State *s = m->scratch->pdata[m->depth++];
  copy_state (m, s, from);
  return s;
}

void caches_pop (Caches *m) { m->depth--; }

gboolean fifo_has (const Caches *m, const State *s, guint node, guint8 entry) {
  return memchr (fifo_of (m, s, node), entry, s->n_fifos[node]) != NULL;
}

/* ---- The log ---- */

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
