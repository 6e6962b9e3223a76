/* Steps in words: the command, its effect, and the tables that change. */
#include "machine/dsom/describe.h"
#include "machine/dsom/step.h"

/* "r=1, s=2": registers that have changed. */
static void append_registers (const DsomMachine *m, const DsomState *from, const DsomState *to,
                              GString *out) {
  const char *before = ": ";
  for (guint i = 0; i < m->program->n_registers; i++) {
    const DsomValue *a = &from->registers[i], *b = &to->registers[i];
    if (a->value == b->value && a->garbage == b->garbage)
      continue;
    g_string_append_printf (out, "%s%s=", before, m->program->registers[i].name);
    before = ", ";
    if (b->garbage)
      g_string_append_c (out, '?');
    else
      g_string_append_printf (out, "%" G_GINT64_FORMAT, b->value);
  }
}

/* "b[3]=1, b[4]=2": bytes that have a new latest value. */
static void append_written (const DsomMachine *m, const DsomState *from, const DsomState *to,
                            GString *out) {
  const char *before = ": ";
  for (guint b = 0; b < m->program->n_buffers; b++)
    for (guint i = 0; i < m->program->buffers[b].n; i++) {
      const RspDsomBuffer *buffer = &m->program->buffers[b];
      DsomValue old = dsom_element_load (buffer, i, from->latest);
      DsomValue new = dsom_element_load (buffer, i, to->latest);
      if (old.value == new.value && old.garbage == new.garbage)
        continue;
      g_string_append_printf (out, "%s%s[%u]=", before, buffer->name, i);
      before = ", ";
      if (new.garbage)
        g_string_append_c (out, '?');
      else
        g_string_append_printf (out, "%" G_GINT64_FORMAT, new.value);
    }
}

static void append_tables (const DsomMachine *m, const DsomState *from, const DsomState *to,
                           GString *out) {
  guint n = 0;
  for (guint b = 0; b < m->program->n_buffers; b++) {
    g_autoptr (GString) before = g_string_new (NULL);
    g_autoptr (GString) after = g_string_new (NULL);
    dsom_table_format (from->tables[b], before);
    dsom_table_format (to->tables[b], after);
    if (!g_string_equal (before, after))
      g_string_append_printf (out, "%s%s: %s", n++ ? ", " : "   [", m->program->buffers[b].name,
                              after->str);
  }
  if (n)
    g_string_append_c (out, ']');
}

void dsom_describe (gpointer data, RspBytes from, guint i, GString *out) {
  DsomMachine *m = data;
  if (!from.data)
    return;
  DsomState *before = dsom_state_new (m), *after = dsom_state_new (m);
  dsom_state_decode (m, from, before);
  for (guint c = 0; c < m->program->n_commands; c++) {
    m->log = g_string_new (NULL);
    dsom_state_decode (m, from, after);
    gboolean is_it = dsom_step (m, after, c) && i-- == 0;
    if (is_it) {
      g_string_append (out, m->log->str);
      append_registers (m, before, after, out);
      append_written (m, before, after, out);
      append_tables (m, before, after, out);
      g_string_append_c (out, '\n');
    }
    g_string_free (m->log, TRUE);
    m->log = NULL;
    if (is_it)
      break;
  }
  dsom_state_free (m, before);
  dsom_state_free (m, after);
}
