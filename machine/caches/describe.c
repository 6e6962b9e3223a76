/* Steps in words: what threads and caches do, and in brackets the caches that change. */
#include "machine/caches/describe.h"
#include "machine/caches/codec.h"
#include "machine/caches/steps/settle.h"
#include "machine/caches/steps/step.h"

#include <string.h>

/* "1 dirty", "0/1": the values that a read there may return. */
static void append_line (const Caches *m, const State *s, guint node, guint place, GString *out) {
  const Line *line = line_at (m, s, node, place);
  const gint64 *values = values_of (s, place);
  if (line->dirty)
    g_string_append_printf (out, "%" G_GINT64_FORMAT " dirty%s", values[line->dirty - 1],
                            line->mask ? "" : " invalid");
  else if (!line->mask)
    g_string_append (out, "-");
  else
    for (guint i = 0, n = 0; i < s->n_values[place]; i++)
      if (line->mask >> i & 1)
        g_string_append_printf (out, "%s%" G_GINT64_FORMAT, n++ ? "/" : "", values[i]);
}

static void append_fifo (const Caches *m, const State *s, guint node, GString *out) {
  for (guint i = 0; i < s->n_fifos[node]; i++) {
    guint8 entry = fifo_of (m, s, node)[i];
    g_string_append_printf (out, "%s%s", i ? " " : "",
                            entry & MARKER
                                ? m->program->threads[entry & ~MARKER].name
                                : m->program->locations[m->threads->locations[entry]].name);
  }
}

/* One place of a cache with its contents: "x=1 dirty". Empty if there are none. */
static char *format_place (const Caches *m, const State *s, guint node, guint place) {
  const Line *line = line_at (m, s, node, place);
  GString *out = g_string_new (NULL);
  if (line->dirty || line->mask) {
    g_string_append_printf (out, "%s=", m->program->locations[m->threads->locations[place]].name);
    append_line (m, s, node, place, out);
  }
  return g_string_free (out, FALSE);
}

/* The differences in one node, each preceded by a blank. */
static void append_node (const Caches *m, const State *from, const State *to, guint node,
                         GString *out) {
  for (guint place = 0; place < m->n_places; place++) {
    g_autofree char *before = format_place (m, from, node, place);
    g_autofree char *after = format_place (m, to, node, place);
    if (*after && strcmp (before, after) != 0)
      g_string_append_printf (out, " %s", after);
  }
  g_autoptr (GString) before = g_string_new (NULL);
  g_autoptr (GString) after = g_string_new (NULL);
  append_fifo (m, from, node, before);
  append_fifo (m, to, node, after);
  if (node != MEMORY && !g_string_equal (before, after))
    g_string_append_printf (out, " FIFO %s", after->len ? after->str : "empty");
}

static void append_changes (const Caches *m, const State *from, const State *to, GString *out) {
  guint n = 0;
  for (guint node = 0; node < m->n_nodes; node++) {
    g_autoptr (GString) changes = g_string_new (NULL);
    append_node (m, from, to, node, changes);
    if (changes->len)
      g_string_append_printf (out, "%s%s:%s", n++ ? ", " : "   [",
                              shape_node (&m->shape, node)->name, changes->str);
  }
  if (n)
    g_string_append_c (out, ']');
}

static void describe_start (Caches *m, GString *out) {
  State *s = m->scratch->pdata[0];
  caches_start (m, s);
  m->log = g_string_new (NULL);
  caches_settle (m, s);
  if (m->log->len)
    g_string_append_printf (out, "%s\n", m->log->str);
  g_string_free (m->log, TRUE);
  m->log = NULL;
}

void caches_describe (gpointer data, RspBytes from, guint i, GString *out) {
  Caches *m = data;
  if (!from.data) {
    describe_start (m, out);
    return;
  }
  RspSuccessors successors;
  rsp_successors_init (&successors);
  m->log = g_string_new (NULL);
  m->trace = out;
  m->traced = i;
  caches_expand (m, from, &successors);
  g_string_free (m->log, TRUE);
  m->log = NULL;
  State *before = caches_new (m), *after = caches_new (m);
  caches_decode (m, from, before);
  caches_decode (m, rsp_successors_get (&successors, i), after);
  append_changes (m, before, after, out);
  g_string_append_c (out, '\n');
  caches_free (before);
  caches_free (after);
  rsp_successors_clear (&successors);
}
