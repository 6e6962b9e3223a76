/* States and steps of the machine dsom. */
#include "extra/dsom/dsom.h"

#include <string.h>

/* ---- State ---------------------------------------------------------------------------------- */

/* States, and their byte strings: phases, entries, tables, copies, latest values, registers, and,
 * if needed, the bytes moved and the histories. */

static guint n_copies (const DsomMachine *m) { return m->program->n_devices + 1; }

static guint size_of (const DsomMachine *m, guint buffer) {
  return m->program->buffers[buffer].n * m->program->buffers[buffer].element;
}

static guint history_size (const DsomMachine *m, guint key) {
  return size_of (m, m->plan->key_buffers[key]);
}

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
/* A place in a byte string that is written (out) or read (in). */
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

/* used: bytes of an element without the padding at its end. */
static void pass_array (Cursor *cursor, GArray *array, gsize used) {
  guint16 n = (guint16) array->len;
  pass (cursor, &n, sizeof n);
  g_array_set_size (array, n);
  for (guint i = 0; i < n; i++)
    pass (cursor, array->data + (gsize) i * g_array_get_element_size (array), used);
}

static void pass_state (Cursor *cursor, const DsomMachine *m, DsomState *s) {
  const RspDsomProgram *program = m->program;
  pass (cursor, s->phases, program->n_commands);
  for (guint c = 0; c < program->n_commands; c++)
    if (s->phases[c] == DSOM_RUNNING || s->phases[c] == DSOM_UPDATING)
      pass_array (cursor, s->entries[c], G_STRUCT_OFFSET (DsomEntry, bits) + 1);
    else
      g_array_set_size (s->entries[c], 0);
  for (guint b = 0; b < program->n_buffers; b++)
    pass_array (cursor, s->tables[b], G_STRUCT_OFFSET (DsomSegment, tag) + 1);
  for (guint i = 0; i < n_copies (m); i++)
    pass (cursor, s->copies[i], program->n_bytes * sizeof (DsomByte));
  pass (cursor, s->latest, program->n_bytes * sizeof (DsomByte));
  for (guint i = 0; i < program->n_registers; i++) {
    guint8 garbage = s->registers[i].garbage != 0;
    pass (cursor, &s->registers[i].value, sizeof (gint64));
    pass (cursor, &garbage, 1);
    s->registers[i].garbage = garbage;
  }
  if (m->counts_moved)
    pass (cursor, &s->moved, sizeof s->moved);
  if (!m->adaptive)
    return;
  pass (cursor, s->writers, program->n_bytes * sizeof *s->writers);
  for (guint k = 0; k < m->plan->n_keys; k++) {
    pass (cursor, s->histories[k].now, history_size (m, k));
    pass (cursor, s->histories[k].before, history_size (m, k));
    pass (cursor, &s->histories[k].times, 1);
  }
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

/* Changes the tags of bytes of one buffer. */
static void dsom_set_tags (const DsomMachine *m, DsomState *s, guint byte, guint size, guint8 keep,
                           guint8 set) {
  guint buffer = dsom_buffer_of (m->program, byte);
  dsom_table_update (s->tables[buffer], byte - m->program->buffers[buffer].first, size, keep, set);
}

/* ---- The log ---- */
/* Appends to the step's line, if there is one: "WB b(13,4) from 0". */
static void dsom_log (DsomMachine *m, const char *format, ...) {
  va_list arguments;
  va_start (arguments, format);
  if (m->log)
    g_string_append_vprintf (m->log, format, arguments);
  va_end (arguments);
}

static void dsom_log_range (DsomMachine *m, guint first, guint size) {
  const RspDsomBuffer *buffer = &m->program->buffers[dsom_buffer_of (m->program, first)];
  dsom_log (m, "%s(%u,%u)", buffer->name, first - buffer->first, size);
}

/* ---- Transfer ------------------------------------------------------------------------------- */

/* WB and UP, and the transfers that a read needs. All go through the host. */

/* Notes a transfer of one byte for the adaptive strategy: the bit of its device, or DSOM_HOST for
 * WB. */
static void note_transfer (DsomMachine *m, DsomState *s, guint byte, guint8 bit) {
  guint writer = s->writers[byte];
  if (!m->adaptive || !writer)
    return;
  guint buffer = m->plan->key_buffers[writer - 1];
  s->histories[writer - 1].now[byte - m->program->buffers[buffer].first] |= bit;
}

static void copy (DsomMachine *m, DsomState *s, guint from, guint to, guint first, guint size) {
  memcpy (s->copies[to] + first, s->copies[from] + first, size * sizeof (DsomByte));
  if (m->counts_moved)
    s->moved += size;
}

void dsom_write_back (DsomMachine *m, DsomState *s, guint device, guint first, guint size) {
  copy (m, s, device + 1, 0, first, size);
  dsom_set_tags (m, s, first, size, 0xff, DSOM_HOST);
  for (guint byte = first; byte < first + size; byte++)
    note_transfer (m, s, byte, DSOM_HOST);
  m->bill.n[RSP_BILL_WRITE_BACK] += size;
  dsom_log (m, "WB ");
  dsom_log_range (m, first, size);
  dsom_log (m, " from %u", device);
}

void dsom_upload (DsomMachine *m, DsomState *s, guint device, guint first, guint size) {
  guint8 bit = (guint8) dsom_device_bit (device);
  copy (m, s, 0, device + 1, first, size);
  dsom_set_tags (m, s, first, size, 0xff, bit);
  for (guint byte = first; byte < first + size; byte++)
    note_transfer (m, s, byte, bit);
  m->bill.n[RSP_BILL_UPLOAD] += size;
  dsom_log (m, "UP ");
  dsom_log_range (m, first, size);
  dsom_log (m, " to %u", device);
}

/* The number of adjacent bytes of a buffer, from `first` on, that are needed and have the same bits
 * of the mask in their tags. */
static guint run_length (const DsomMachine *m, const DsomState *s, const guint8 *needs, guint bits,
                         guint first, guint8 mask) {
  guint buffer = dsom_buffer_of (m->program, first), size = 1;
  const RspDsomBuffer *b = &m->program->buffers[buffer];
  guint end = b->first + b->n * b->element;
  guint8 tag = dsom_tag (m, s, first) & mask;
  while (first + size < end && needs[first + size] & bits
         && (dsom_tag (m, s, first + size) & mask) == tag)
    size++;
  return size;
}

/* Performs the next transfer that makes bytes valid on the device, or on the host for -1: those
 * that `needs` marks with one of `bits`. FALSE if all are valid. */
static gboolean dsom_fetch (DsomMachine *m, DsomState *s, const guint8 *needs, guint bits,
                            int device) {
  guint8 bit = device < 0 ? DSOM_HOST : (guint8) dsom_device_bit ((guint) device);
  for (guint byte = 0; byte < m->program->n_bytes; byte++) {
    guint8 tag = needs[byte] & bits ? dsom_tag (m, s, byte) : bit;
    if (tag & bit)
      continue;
    if (tag & DSOM_HOST)
      dsom_upload (m, s, (guint) device, byte,
                   run_length (m, s, needs, bits, byte, (guint8) (bit | DSOM_HOST)));
    else {
      guint owner = 0;
      while (!(tag & dsom_device_bit (owner)))
        owner++;
      dsom_write_back (m, s, owner, byte, run_length (m, s, needs, bits, byte, 0xff));
    }
    return TRUE;
  }
  return FALSE;
}

/* ---- Step ----------------------------------------------------------------------------------- */

/* The steps of commands. Each transfer is one step, and so are the start and the end of a kernel,
 * and a host's write or read. Consecutive steps of a blocking command are combined into one. */

/* ---- Order ---- */
static gboolean may_start (const DsomMachine *m, const DsomState *s, guint c) {
  const RspDsomCommand *command = dsom_command_at (m->plan, c);
  for (guint i = 0; i < command->n_after; i++) {
    guint phase = s->phases[command->after[i]];
    gboolean updates = m->plan->config.updates != DSOM_UPDATES_BACKGROUND;
    if (phase != DSOM_DONE && (phase != DSOM_UPDATING || updates))
      return FALSE;
  }
  return TRUE;
}

static void mark_items (const DsomMachine *m, const RspDsomCommand *command, guint8 *marks) {
  for (guint i = 0; i < command->n_items; i++) {
    const RspDsomBuffer *buffer = &m->program->buffers[command->items[i].buffer];
    memset (marks + buffer->first + (gsize) command->items[i].element * buffer->element, 1,
            buffer->element);
  }
}

/* Marks the bytes that a command may write: the runtime serialises commands that share some. */
static void mark_writes (const DsomMachine *m, guint c, guint8 *marks) {
  const RspDsomCommand *command = dsom_command_at (m->plan, c);
  memset (marks, 0, m->program->n_bytes);
  for (guint i = 0; command->kind == RSP_DSOM_RUN && i < m->program->n_bytes; i++)
    marks[i] = (m->plan->ranges[command->kernel][i] & (DSOM_IN_WRITES | DSOM_IN_INDIRECT)) != 0;
  if (command->kind == RSP_DSOM_HOST_WRITE)
    mark_items (m, command, marks);
}

/* Does a running kernel write to any of these bytes? */
static gboolean is_locked (const DsomMachine *m, const DsomState *s, const guint8 *marks) {
  for (guint c = 0; c < m->program->n_commands; c++) {
    if (s->phases[c] != DSOM_RUNNING)
      continue;
    const guint8 *ranges = m->plan->ranges[dsom_command_at (m->plan, c)->kernel];
    for (guint i = 0; i < m->program->n_bytes; i++)
      if (marks[i] && ranges[i] & (DSOM_IN_WRITES | DSOM_IN_INDIRECT))
        return TRUE;
  }
  return FALSE;
}

/* ---- Kernels ---- */
static void spoil_registers (const RspDsomStatement *first, DsomValue *registers) {
  for (const RspDsomStatement *s = first; s; s = s->next) {
    if (s->target && s->target->kind == RSP_DSOM_REGISTER)
      registers[s->target->index] = (DsomValue){ 0, TRUE };
    spoil_registers (s->body, registers);
    spoil_registers (s->otherwise, registers);
  }
}

/* Sets the tags of marked bytes to `tag` alone, neighbours together. */
static void claim (DsomMachine *m, DsomState *s, const guint8 *marks, guint8 tag) {
  for (guint b = 0; b < m->program->n_buffers; b++) {
    const RspDsomBuffer *buffer = &m->program->buffers[b];
    guint end = buffer->first + buffer->n * buffer->element, size = 1;
    for (guint byte = buffer->first; byte < end; byte += size) {
      for (size = 1; byte + size < end && !marks[byte + size] == !marks[byte]; size++)
        ;
      if (marks[byte])
        dsom_set_tags (m, s, byte, size, 0, tag);
    }
  }
}

/* Fetches what the kernel reads, one transfer at a time; then starts it. */
static gboolean step_kernel (DsomMachine *m, DsomState *s, guint c) {
  const RspDsomCommand *command = dsom_command_at (m->plan, c);
  const guint8 *ranges = m->plan->ranges[command->kernel];
  guint fetched = DSOM_IN_READS;
  if (m->plan->config.fetch != DSOM_FETCH_OFF)
    fetched |= DSOM_IN_INDIRECT;
  if (m->plan->config.fetch == DSOM_FETCH_ON)
    fetched |= DSOM_IN_WRITES;
  if (dsom_fetch (m, s, ranges, fetched, (int) command->device))
    return TRUE;
  g_autofree guint8 *marks = g_new0 (guint8, m->program->n_bytes + 1);
  mark_writes (m, c, marks);
  if (is_locked (m, s, marks))
    return FALSE;
  /* Runs the body on the device's copy; m->bytes is then its result. A kernel that depends on
   * garbage can do anything within its ranges: all of it becomes garbage. */
  const RspDsomProgram *program = m->program;
  memcpy (m->bytes, s->copies[command->device + 1], program->n_bytes * sizeof (DsomByte));
  memset (m->uses, 0, program->n_bytes + program->n_registers);
  DsomMemory memory = { .program = program,
                        .bytes = m->bytes,
                        .registers = s->registers,
                        .byte_uses = m->uses,
                        .register_uses = m->uses + program->n_bytes };
  dsom_evaluate (&program->kernels[command->kernel], &memory);
  if (memory.fault != DSOM_FINE) {
    for (guint i = 0; i < program->n_bytes; i++)
      if (m->plan->exact[command->kernel][i] & DSOM_WRITTEN) {
        m->bytes[i] = DSOM_GARBAGE;
        m->uses[i] |= DSOM_WRITTEN;
      }
    spoil_registers (program->kernels[command->kernel].body, s->registers);
  }
  g_array_set_size (s->entries[c], 0);
  for (guint i = 0; i < m->program->n_bytes; i++) {
    DsomEntry entry = { .byte = (guint16) i, .value = m->bytes[i] };
    gboolean compared = (ranges[i] & DSOM_IN_INDIRECT) && !(ranges[i] & DSOM_IN_WRITES);
    if (m->uses[i] & DSOM_WRITTEN)
      entry.bits |= ENTRY_WRITTEN;
    if (compared && (m->bytes[i] != s->copies[0][i] || m->bytes[i] == DSOM_GARBAGE))
      entry.bits |= ENTRY_DIFFERS;
    if (entry.bits)
      g_array_append_val (s->entries[c], entry);
  }
  s->phases[c] = DSOM_RUNNING;
  dsom_log (m, "starts");
  return TRUE;
}

/* ---- The host ---- */
static gboolean step_host_write (DsomMachine *m, DsomState *s, guint c) {
  const RspDsomCommand *command = dsom_command_at (m->plan, c);
  g_autofree guint8 *marks = g_new0 (guint8, m->program->n_bytes + 1);
  mark_writes (m, c, marks);
  if (is_locked (m, s, marks))
    return FALSE;
  for (guint i = 0; i < command->n_items; i++) {
    const RspDsomItem *item = &command->items[i];
    const RspDsomBuffer *buffer = &m->program->buffers[item->buffer];
    DsomValue value = { item->value, FALSE };
    dsom_element_store (buffer, item->element, s->copies[0], value);
    dsom_element_store (buffer, item->element, s->latest, value);
  }
  dsom_log (m, "writes");
  claim (m, s, marks, DSOM_HOST);
  dsom_plan_updates (m, s, c, marks);
  return TRUE;
}

static gboolean step_host_read (DsomMachine *m, DsomState *s, guint c) {
  const RspDsomCommand *command = dsom_command_at (m->plan, c);
  g_autofree guint8 *marks = g_new0 (guint8, m->program->n_bytes + 1);
  mark_items (m, command, marks);
  if (dsom_fetch (m, s, marks, 1, -1))
    return TRUE;
  for (guint i = 0; i < command->n_items; i++)
    s->registers[command->items[i].reg] = dsom_element_load (
        &m->program->buffers[command->items[i].buffer], command->items[i].element, s->copies[0]);
  s->phases[c] = DSOM_DONE;
  dsom_log (m, "is done");
  return TRUE;
}

/* ---- All commands ---- */
static gboolean step_once (DsomMachine *m, DsomState *s, guint c) {
  RspDsomCommandKind kind = dsom_command_at (m->plan, c)->kind;
  gboolean done = FALSE;
  if (s->phases[c] == DSOM_DONE || (s->phases[c] == DSOM_WAITING && !may_start (m, s, c)))
    return FALSE;
  if (s->phases[c] == DSOM_RUNNING) {
    const RspDsomCommand *command = dsom_command_at (m->plan, c);
    g_autofree guint8 *written = g_new0 (guint8, m->program->n_bytes + 1);
    dsom_log (m, "ends");
    for (guint i = 0; i < m->program->n_bytes; i++)
      written[i] = (m->plan->ranges[command->kernel][i] & DSOM_IN_WRITES) != 0;
    for (guint i = 0; i < s->entries[c]->len; i++) {
      const DsomEntry *entry = &g_array_index (s->entries[c], DsomEntry, i);
      written[entry->byte] |= (entry->bits & ENTRY_DIFFERS) != 0;
      if (entry->bits & ENTRY_WRITTEN)
        s->copies[command->device + 1][entry->byte] = s->latest[entry->byte] = entry->value;
    }
    claim (m, s, written, (guint8) dsom_device_bit (command->device));
    dsom_plan_updates (m, s, c, written);
    done = TRUE;
  } else if (s->phases[c] == DSOM_UPDATING)
    done = dsom_update (m, s, c);
  else if (kind == RSP_DSOM_RUN)
    done = step_kernel (m, s, c);
  else
    done = kind == RSP_DSOM_HOST_WRITE ? step_host_write (m, s, c) : step_host_read (m, s, c);
  dsom_settle (m, s);
  return done;
}

gboolean dsom_step (DsomMachine *m, DsomState *s, guint c) {
  gboolean blocking = dsom_command_at (m->plan, c)->blocking;
  m->bill = (RspBill){ { 0 }, { 0 } };
  dsom_log (m, "%s: ", dsom_command_at (m->plan, c)->label);
  if (!step_once (m, s, c))
    return FALSE;
  while (blocking && s->phases[c] != DSOM_DONE) {
    dsom_log (m, ", ");
    if (!step_once (m, s, c))
      break;
  }
  return TRUE;
}

const char *dsom_violated (gpointer machine, RspBytes state) {
  DsomMachine *m = machine;
  DsomState *s = m->scratch[1];
  dsom_state_decode (m, state, s);
  for (guint b = 0; b < m->program->n_buffers; b++) {
    const RspDsomBuffer *buffer = &m->program->buffers[b];
    const char *violated = dsom_table_violated (s->tables[b], buffer->n * buffer->element);
    if (violated)
      return violated;
  }
  for (guint byte = 0; byte < m->program->n_bytes; byte++) {
    guint8 tag = dsom_tag (m, s, byte);
    for (guint i = 0; i < n_copies (m); i++)
      if (tag & 1u << i && s->copies[i][byte] != s->latest[byte])
        return "I3";
  }
  return NULL;
}

RspEnd dsom_expand (gpointer data, RspBytes state, RspSuccessors *successors) {
  DsomMachine *m = data;
  DsomState *s = m->scratch[0];
  gboolean all_done = TRUE;
  for (guint c = 0; c < m->program->n_commands; c++) {
    dsom_state_decode (m, state, s);
    all_done &= s->phases[c] == DSOM_DONE;
    if (!dsom_step (m, s, c))
      continue;
    dsom_state_encode (m, s, successors->bytes);
    rsp_successors_add (successors, &m->bill);
  }
  if (rsp_successors_count (successors))
    return RSP_END_NONE;
  return all_done ? RSP_END_FINAL : RSP_END_STUCK;
}
