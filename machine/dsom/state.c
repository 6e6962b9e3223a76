/* States, and their byte strings: phases, entries, tables, copies, latest values, registers, and
 * where they are needed the bytes moved and the histories. */
#include "machine/dsom/state.h"

#include <string.h>

static guint n_copies (const DsomMachine *m) { return m->program->n_devices + 1; }

static guint size_of (const DsomMachine *m, guint buffer) {
  return m->program->buffers[buffer].n * m->program->buffers[buffer].element;
}

static guint history_size (const DsomMachine *m, guint key) {
  return size_of (m, m->plan->key_buffers[key]);
}

/* ---- Memory ---- */

DsomState *dsom_state_new (const DsomMachine *m) {
  const RspDsomProgram *program = m->program;
  DsomState *s = g_new0 (DsomState, 1);
  s->phases = g_new0 (guint8, program->n_commands + 1);
  s->entries = g_new0 (GArray *, program->n_commands + 1);
  for (guint c = 0; c < program->n_commands; c++)
    s->entries[c] = g_array_new (FALSE, TRUE, sizeof (DsomEntry));
  s->tables = g_new0 (GArray *, program->n_buffers + 1);
  for (guint b = 0; b < program->n_buffers; b++)
    s->tables[b] = g_array_new (FALSE, TRUE, sizeof (DsomSegment));
  s->copies = g_new0 (DsomByte *, n_copies (m));
  for (guint i = 0; i < n_copies (m); i++)
    s->copies[i] = g_new0 (DsomByte, program->n_bytes + 1);
  s->latest = g_new0 (DsomByte, program->n_bytes + 1);
  s->registers = g_new0 (DsomValue, program->n_registers + 1);
  s->writers = g_new0 (guint16, program->n_bytes + 1);
  s->histories = g_new0 (DsomHistory, m->plan->n_keys + 1);
  for (guint k = 0; k < m->plan->n_keys; k++) {
    s->histories[k].now = g_new0 (guint8, history_size (m, k));
    s->histories[k].before = g_new0 (guint8, history_size (m, k));
  }
  return s;
}

void dsom_state_free (const DsomMachine *m, DsomState *s) {
  for (guint c = 0; c < m->program->n_commands; c++)
    g_array_unref (s->entries[c]);
  for (guint b = 0; b < m->program->n_buffers; b++)
    g_array_unref (s->tables[b]);
  for (guint i = 0; i < n_copies (m); i++)
    g_free (s->copies[i]);
  for (guint k = 0; k < m->plan->n_keys; k++) {
    g_free (s->histories[k].now);
    g_free (s->histories[k].before);
  }
  g_free (s->phases);
  g_free (s->entries);
  g_free (s->tables);
  g_free (s->copies);
  g_free (s->latest);
  g_free (s->registers);
  g_free (s->writers);
  g_free (s->histories);
  g_free (s);
}

/* Initially everything is valid on the host alone, and devices hold garbage. */
void dsom_state_start (const DsomMachine *m, DsomState *s) {
  const RspDsomProgram *program = m->program;
  for (guint b = 0; b < program->n_buffers; b++) {
    const RspDsomBuffer *buffer = &program->buffers[b];
    dsom_table_init (s->tables[b], size_of (m, b), DSOM_HOST);
    for (guint i = 0; i < buffer->n; i++)
      dsom_element_store (buffer, i, s->latest, (DsomValue){ buffer->initial[i], FALSE });
  }
  memcpy (s->copies[0], s->latest, program->n_bytes * sizeof *s->latest);
  for (guint i = 1; i < n_copies (m); i++)
    for (guint byte = 0; byte < program->n_bytes; byte++)
      s->copies[i][byte] = DSOM_GARBAGE;
  for (guint i = 0; i < program->n_registers; i++)
    s->registers[i] = (DsomValue){ program->registers[i].initial, FALSE };
}

/* ---- Byte strings ---- */

/* A place in a byte string that is being written (out) or read (in). */
typedef struct Cursor {
  GByteArray *out;
  const guint8 *in;
} Cursor;

static void pass (Cursor *cursor, gpointer data, gsize size) {
  if (cursor->out)
    g_byte_array_append (cursor->out, data, (guint) size);
  else {
    memcpy (data, cursor->in, size);
    cursor->in += size;
  }
}

static void pass_entries (Cursor *cursor, GArray *entries) {
  guint16 n = (guint16) entries->len;
  pass (cursor, &n, sizeof n);
  g_array_set_size (entries, n);
  for (guint i = 0; i < n; i++) {
    DsomEntry *entry = &g_array_index (entries, DsomEntry, i);
    pass (cursor, &entry->byte, sizeof entry->byte);
    pass (cursor, &entry->value, sizeof entry->value);
    pass (cursor, &entry->bits, sizeof entry->bits);
  }
}

static void pass_table (Cursor *cursor, GArray *table) {
  guint16 n = (guint16) table->len;
  pass (cursor, &n, sizeof n);
  g_array_set_size (table, n);
  for (guint i = 0; i < n; i++) {
    DsomSegment *segment = &g_array_index (table, DsomSegment, i);
    pass (cursor, &segment->offset, sizeof segment->offset);
    pass (cursor, &segment->size, sizeof segment->size);
    pass (cursor, &segment->tag, sizeof segment->tag);
  }
}

static void pass_registers (Cursor *cursor, const DsomMachine *m, DsomState *s) {
  for (guint i = 0; i < m->program->n_registers; i++) {
    guint8 garbage = s->registers[i].garbage != 0;
    pass (cursor, &s->registers[i].value, sizeof (gint64));
    pass (cursor, &garbage, 1);
    s->registers[i].garbage = garbage;
  }
}

static void pass_history (Cursor *cursor, const DsomMachine *m, DsomState *s) {
  pass (cursor, s->writers, m->program->n_bytes * sizeof *s->writers);
  for (guint k = 0; k < m->plan->n_keys; k++) {
    pass (cursor, s->histories[k].now, history_size (m, k));
    pass (cursor, s->histories[k].before, history_size (m, k));
    pass (cursor, &s->histories[k].times, 1);
  }
}

static void pass_state (Cursor *cursor, const DsomMachine *m, DsomState *s) {
  const RspDsomProgram *program = m->program;
  pass (cursor, s->phases, program->n_commands);
  for (guint c = 0; c < program->n_commands; c++)
    if (s->phases[c] == DSOM_RUNNING || s->phases[c] == DSOM_UPDATING)
      pass_entries (cursor, s->entries[c]);
    else
      g_array_set_size (s->entries[c], 0);
  for (guint b = 0; b < program->n_buffers; b++)
    pass_table (cursor, s->tables[b]);
  for (guint i = 0; i < n_copies (m); i++)
    pass (cursor, s->copies[i], program->n_bytes * sizeof (DsomByte));
  pass (cursor, s->latest, program->n_bytes * sizeof (DsomByte));
  pass_registers (cursor, m, s);
  if (m->counts_moved)
    pass (cursor, &s->moved, sizeof s->moved);
  if (m->adaptive)
    pass_history (cursor, m, s);
}

void dsom_state_encode (const DsomMachine *m, const DsomState *s, GByteArray *out) {
  pass_state (&(Cursor){ .out = out }, m, (DsomState *) s);
}

void dsom_state_decode (const DsomMachine *m, RspBytes bytes, DsomState *s) {
  pass_state (&(Cursor){ .in = bytes.data }, m, s);
}

/* ---- Tags ---- */

guint8 dsom_tag (const DsomMachine *m, const DsomState *s, guint byte) {
  guint buffer = dsom_buffer_of (m->program, byte);
  return dsom_table_tag (s->tables[buffer], byte - m->program->buffers[buffer].first);
}

void dsom_set_tags (const DsomMachine *m, DsomState *s, guint byte, guint size, guint8 keep,
                    guint8 set) {
  guint buffer = dsom_buffer_of (m->program, byte);
  dsom_table_update (s->tables[buffer], byte - m->program->buffers[buffer].first, size, keep, set);
}

/* ---- The log ---- */

void dsom_log (DsomMachine *m, const char *format, ...) {
  va_list arguments;
  va_start (arguments, format);
  if (m->log)
    g_string_append_vprintf (m->log, format, arguments);
  va_end (arguments);
}

void dsom_log_range (DsomMachine *m, guint first, guint size) {
  const RspDsomBuffer *buffer = &m->program->buffers[dsom_buffer_of (m->program, first)];
  dsom_log (m, "%s(%u,%u)", buffer->name, first - buffer->first, size);
}
