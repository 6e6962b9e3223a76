/* The machine dsom: its strategies, the flat buffer it is compared with, and its final states. */
#include "extra/dsom/dsom.h"
#include "extra/machine/internal.h"
#include "extra/dsom/program.h"
#include "parser/program.h"

#include <string.h>

/* ---- Table ---------------------------------------------------------------------------------- */

void dsom_table_init (GArray *table, guint size, guint8 tag) {
  DsomSegment whole = { 0, (guint16) size, tag };
  g_array_set_size (table, 0);
  g_array_append_val (table, whole);
}

guint8 dsom_table_tag (const GArray *table, guint byte) {
  guint low = 0, high = table->len;
  while (high - low > 1) {
    guint middle = (low + high) / 2;
    if (g_array_index (table, DsomSegment, middle).offset <= byte)
      low = middle;
    else
      high = middle;
  }
  return g_array_index (table, DsomSegment, low).tag;
}

/* Appends a segment, or merges it with the last one. */
static void append_segment (GArray *table, DsomSegment segment) {
  DsomSegment *last = table->len ? &g_array_index (table, DsomSegment, table->len - 1) : NULL;
  if (!segment.size)
    return;
  if (last && last->tag == segment.tag)
    last->size = (guint16) (last->size + segment.size);
  else
    g_array_append_val (table, segment);
}

void dsom_table_update (GArray *table, guint offset, guint size, guint8 keep, guint8 set) {
  g_autoptr (GArray) old = g_array_copy (table);
  g_array_set_size (table, 0);
  for (guint i = 0; i < old->len; i++) {
    DsomSegment s = g_array_index (old, DsomSegment, i);
    guint end = s.offset + s.size;
    guint from = CLAMP (offset, s.offset, end), to = CLAMP (offset + size, s.offset, end);
    append_segment (table, (DsomSegment){ s.offset, (guint16) (from - s.offset), s.tag });
    append_segment (table, (DsomSegment){ (guint16) from, (guint16) (to - from),
                                          (guint8) ((s.tag & keep) | set) });
    append_segment (table, (DsomSegment){ (guint16) to, (guint16) (end - to), s.tag });
  }
}

const char *dsom_table_violated (const GArray *table, guint size) {
  guint next = 0;
  for (guint i = 0; i < table->len; i++) {
    const DsomSegment *s = &g_array_index (table, DsomSegment, i);
    if (!s->tag)
      return "I1";
    if (!(s->tag & DSOM_HOST) && (s->tag & (s->tag - 1)))
      return "I2";
    if (s->offset != next || !s->size)
      return "I4";
    if (i && s->tag == g_array_index (table, DsomSegment, i - 1).tag)
      return "I5";
    next = s->offset + s->size;
  }
  return next == size ? NULL : "I4";
}

/* "(0,13) h01 (13,4) 1": h for the host, numbers for devices. */
static void dsom_table_format (const GArray *table, GString *out) {
  for (guint i = 0; i < table->len; i++) {
    const DsomSegment *s = &g_array_index (table, DsomSegment, i);
    g_string_append_printf (out, "%s(%u,%u) %s", i ? " " : "", s->offset, s->size,
                            s->tag & DSOM_HOST ? "h" : "");
    for (guint device = 0; device < 7; device++)
      if (s->tag & dsom_device_bit (device))
        g_string_append_printf (out, "%u", device);
  }
}

/* ---- Flat ----------------------------------------------------------------------------------- */

/* A state: a byte per command (done or not), the bytes of the buffers, the registers. */
struct DsomFlat {
  const DsomPlan *plan;
  RspSystem system;
  DsomByte *bytes;
  DsomValue *registers;
  /* Scratch of one step, and the accesses of each command that may be next in the current state. */
  DsomByte *after;
  DsomValue *registers_after;
  guint8 **uses; /* per command: bytes, then registers */
  gboolean racy;
  guint racers[2];
  DsomMemory faulty; /* of the first kernel with a fault or an undeclared access */
  guint faulty_kernel;
  gboolean is_faulty;
};

static guint n_uses (const DsomFlat *flat) {
  return flat->plan->program->n_bytes + flat->plan->program->n_registers;
}

/* ---- States ---- */
static void encode (const DsomFlat *flat, const guint8 *done, guint also, GByteArray *out) {
  const RspDsomProgram *program = flat->plan->program;
  guint first = out->len;
  g_byte_array_append (out, done, program->n_commands);
  if (also < program->n_commands)
    out->data[first + also] = 1;
  for (guint i = 0; i < program->n_bytes; i++)
    g_byte_array_append (out, (const guint8[]){ (guint8) flat->after[i] }, 1);
  for (guint i = 0; i < program->n_registers; i++)
    g_byte_array_append (out, (const guint8 *) &flat->registers_after[i].value, sizeof (gint64));
}

static void decode (DsomFlat *flat, RspBytes state) {
  const RspDsomProgram *program = flat->plan->program;
  const guint8 *bytes = state.data + program->n_commands;
  for (guint i = 0; i < program->n_bytes; i++)
    flat->bytes[i] = bytes[i];
  for (guint i = 0; i < program->n_registers; i++)
    memcpy (&flat->registers[i].value, bytes + program->n_bytes + i * sizeof (gint64),
            sizeof (gint64));
}

static void flat_start (gpointer data, GByteArray *state, RspBill *bill) {
  DsomFlat *flat = data;
  const RspDsomProgram *program = flat->plan->program;
  g_autofree guint8 *done = g_new0 (guint8, program->n_commands + 1);
  for (guint b = 0; b < program->n_buffers; b++)
    for (guint i = 0; i < program->buffers[b].n; i++)
      dsom_element_store (&program->buffers[b], i, flat->after,
                          (DsomValue){ program->buffers[b].initial[i], FALSE });
  for (guint i = 0; i < program->n_registers; i++)
    flat->registers_after[i] = (DsomValue){ program->registers[i].initial, FALSE };
  encode (flat, done, program->n_commands, state);
  if (bill)
    *bill = (RspBill){ { 0 }, { 0 } };
}

/* ---- Commands ---- */
/* Two commands that may both be next conflict if one reads what the other writes. The runtime
 * serialises writes, except those of registers. */
static gboolean conflict (const DsomFlat *flat, guint a, guint b) {
  guint n_bytes = flat->plan->program->n_bytes;
  for (guint i = 0; i < n_uses (flat); i++) {
    guint8 x = flat->uses[a][i], y = flat->uses[b][i];
    if ((x & DSOM_READ && y & DSOM_WRITTEN) || (x & DSOM_WRITTEN && y & DSOM_READ)
        || (i >= n_bytes && x & y & DSOM_WRITTEN))
      return TRUE;
  }
  return FALSE;
}

static RspEnd expand (gpointer data, RspBytes state, RspSuccessors *successors) {
  DsomFlat *flat = data;
  const RspDsomProgram *program = flat->plan->program;
  guint ready[RSP_DSOM_MOST_COMMANDS], n_ready = 0;
  decode (flat, state);
  for (guint c = 0; c < program->n_commands; c++) {
    const RspDsomCommand *command = dsom_command_at (flat->plan, c);
    gboolean is_ready = !state.data[c]; /* a state begins with a byte per command: done or not */
    for (guint i = 0; i < command->n_after; i++)
      is_ready &= state.data[command->after[i]] != 0;
    if (!is_ready)
      continue;
    ready[n_ready++] = c;
    memcpy (flat->after, flat->bytes, program->n_bytes * sizeof *flat->after);
    memcpy (flat->registers_after, flat->registers,
            program->n_registers * sizeof *flat->registers_after);
    memset (flat->uses[c], 0, n_uses (flat));
    if (command->kind == RSP_DSOM_RUN) {
      DsomMemory memory = { .program = program,
                            .bytes = flat->after,
                            .registers = flat->registers_after,
                            .byte_uses = flat->uses[c],
                            .register_uses = flat->uses[c] + program->n_bytes,
                            .allowed = flat->plan->exact[command->kernel] };
      dsom_evaluate (&program->kernels[command->kernel], &memory);
      if (!flat->is_faulty && (memory.fault != DSOM_FINE || memory.undeclared)) {
        flat->is_faulty = TRUE;
        flat->faulty = memory;
        flat->faulty_kernel = command->kernel;
      }
    } else {
      gboolean writes = command->kind == RSP_DSOM_HOST_WRITE;
      for (guint i = 0; i < command->n_items; i++) {
        const RspDsomItem *item = &command->items[i];
        const RspDsomBuffer *buffer = &program->buffers[item->buffer];
        memset (flat->uses[c] + buffer->first + (gsize) item->element * buffer->element,
                writes ? DSOM_WRITTEN : DSOM_READ, buffer->element);
        if (writes)
          dsom_element_store (buffer, item->element, flat->after,
                              (DsomValue){ item->value, FALSE });
        else {
          flat->uses[c][program->n_bytes + item->reg] = DSOM_WRITTEN;
          flat->registers_after[item->reg] = dsom_element_load (buffer, item->element, flat->after);
        }
      }
    }
    encode (flat, state.data, c, successors->bytes);
    rsp_successors_add (successors, NULL);
  }
  for (guint i = 0; i < n_ready; i++)
    for (guint k = i + 1; k < n_ready && !flat->racy; k++)
      if (conflict (flat, ready[i], ready[k])) {
        flat->racy = TRUE;
        flat->racers[0] = ready[i];
        flat->racers[1] = ready[k];
      }
  return n_ready ? RSP_END_NONE : RSP_END_FINAL;
}

/* ---- Faults ---- */
/* Reports errors of the program: a kernel accesses bytes outside its ranges, leaves a buffer or
 * divides by zero. FALSE if there are any. */
static gboolean report_faults (const DsomFlat *flat, RspDiagnostics *diagnostics) {
  const DsomMemory *memory = &flat->faulty;
  if (!flat->is_faulty)
    return TRUE;
  const char *kernel = flat->plan->program->kernels[flat->faulty_kernel].name;
  if (memory->fault == DSOM_OUTSIDE)
    rsp_error (diagnostics, memory->where, NULL, "kernel `%s` leaves the buffer here", kernel);
  else if (memory->fault == DSOM_DIVISION)
    rsp_error (diagnostics, memory->where, NULL, "kernel `%s` divides by zero here", kernel);
  else {
    gboolean reads = memory->undeclared_use == DSOM_READ;
    rsp_error (diagnostics, memory->undeclared_at, "declared ranges must cover all accesses",
               "kernel `%s` %s bytes here that its `%s` do not cover", kernel,
               reads ? "reads" : "writes", reads ? "reads" : "writes");
  }
  return FALSE;
}

/* ---- Describe ------------------------------------------------------------------------------- */

/* Steps in words: the command, its effect, and the tables that change. */

static void append_value (GString *out, DsomValue value) {
  if (value.garbage)
    g_string_append_c (out, '?');
  else
    g_string_append_printf (out, "%" G_GINT64_FORMAT, value.value);
}

/* ": r=1, s=2": registers that have changed; ": b[3]=1, b[4]=2": elements whose latest value has;
 * "   [b: (0,4) h0]": tables. */
static void append_changes (const DsomMachine *m, const DsomState *from, const DsomState *to,
                            GString *out) {
  const char *before = ": ";
  for (guint i = 0; i < m->program->n_registers; i++) {
    const DsomValue *a = &from->registers[i], *b = &to->registers[i];
    if (a->value == b->value && a->garbage == b->garbage)
      continue;
    g_string_append_printf (out, "%s%s=", before, m->program->registers[i].name);
    append_value (out, *b);
    before = ", ";
  }
  before = ": ";
  for (guint b = 0; b < m->program->n_buffers; b++)
    for (guint i = 0; i < m->program->buffers[b].n; i++) {
      const RspDsomBuffer *buffer = &m->program->buffers[b];
      DsomValue old = dsom_element_load (buffer, i, from->latest);
      DsomValue new = dsom_element_load (buffer, i, to->latest);
      if (old.value == new.value && old.garbage == new.garbage)
        continue;
      g_string_append_printf (out, "%s%s[%u]=", before, buffer->name, i);
      append_value (out, new);
      before = ", ";
    }
  guint n = 0;
  for (guint b = 0; b < m->program->n_buffers; b++) {
    g_autoptr (GString) old = g_string_new (NULL);
    g_autoptr (GString) new = g_string_new (NULL);
    dsom_table_format (from->tables[b], old);
    dsom_table_format (to->tables[b], new);
    if (!g_string_equal (old, new))
      g_string_append_printf (out, "%s%s: %s", n++ ? ", " : "   [", m->program->buffers[b].name,
                              new->str);
  }
  if (n)
    g_string_append_c (out, ']');
}

/* See RspSystem.describe; data: DsomMachine. */
static void describe_step (gpointer data, RspBytes from, guint i, GString *out) {
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
      append_changes (m, before, after, out);
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

/* ---- Finals --------------------------------------------------------------------------------- */

/* "r=1; b[0]=?;", with or without `moved`. Newly allocated. */
static char *format_values (const RspDsomProgram *program, const DsomValue *values,
                            gboolean moved) {
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < program->n_observables; i++) {
    const RspDsomObservable *observable = &program->observables[i];
    if (!moved && observable->kind == RSP_DSOM_OBSERVE_MOVED)
      continue;
    g_string_append_printf (text, "%s%s=", text->len ? " " : "", observable->name);
    append_value (text, values[i]);
    g_string_append_c (text, ';');
  }
  return g_string_free (text, FALSE);
}

static DsomFinals *finals_new (const RspDsomProgram *program) {
  DsomFinals *finals = g_new0 (DsomFinals, 1);
  finals->program = program;
  finals->list = g_ptr_array_new_with_free_func (g_free);
  finals->keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  finals->texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return finals;
}

static void finals_free (DsomFinals *finals) {
  if (!finals)
    return;
  g_ptr_array_unref (finals->list);
  g_hash_table_unref (finals->keys);
  g_hash_table_unref (finals->texts);
  g_free (finals);
}

static void finals_add (DsomFinals *finals, const DsomValue *values) {
  const RspDsomProgram *program = finals->program;
  if (!g_hash_table_add (finals->texts, format_values (program, values, TRUE)))
    return;
  g_hash_table_add (finals->keys, format_values (program, values, FALSE));
  g_ptr_array_add (finals->list, g_memdup2 (values, (program->n_observables + 1) * sizeof *values));
}

/* Garbage comes after all values. */
static int compare_finals (gconstpointer a, gconstpointer b, gpointer data) {
  const DsomValue *x = *(const DsomValue *const *) a, *y = *(const DsomValue *const *) b;
  const RspDsomProgram *program = data;
  for (guint i = 0; i < program->n_observables; i++) {
    const DsomValue *v = &x[i], *w = &y[i];
    if (!v->garbage != !w->garbage)
      return v->garbage ? 1 : -1;
    if (v->value != w->value)
      return v->value < w->value ? -1 : 1;
  }
  return 0;
}

static DsomValue value_of (const RspOperand *operand, const DsomValue *values) {
  return operand->is_observable ? values[operand->observable]
                                : (DsomValue){ operand->constant, FALSE };
}

/* Garbage equals nothing, and is neither less nor greater. */
static RspTruth atom_truth (const RspProp *prop, gpointer values) {
  DsomValue a = value_of (&prop->left, values), b = value_of (&prop->right, values);
  gint64 holds = 0;
  if (a.garbage || b.garbage)
    return rsp_truth (prop->op == RSP_OP_NE);
  rsp_fold_binary (prop->op, a.value, b.value, 64, TRUE, &holds);
  return rsp_truth (holds != 0);
}

/* ---- Strategy ------------------------------------------------------------------------------- */

/* The update strategies: what is transferred at once after a kernel or a host's write. Transfers
 * are hints: those that have become useless are dropped, and none invalidates a copy. */

static guint8 all_devices (const DsomMachine *m) {
  return (guint8) (((1u << m->program->n_devices) - 1) << 1);
}

static guint8 transfers_of (DsomMachine *m, DsomState *s, guint c, guint byte) {
  if (dsom_command_at (m->plan, c)->kind == RSP_DSOM_HOST_WRITE)
    return all_devices (m);
  switch (m->plan->config.strategy) {
  case RSP_DSOM_BATCH:
    return DSOM_HOST | all_devices (m);
  case RSP_DSOM_BALANCE:
    return DSOM_HOST;
  case RSP_DSOM_ADAPTIVE: {
    guint b = dsom_buffer_of (m->program, byte);
    const DsomHistory *history = &s->histories[m->plan->keys[c][b]];
    return history->times > m->plan->config.threshold
               ? history->before[byte - m->program->buffers[b].first]
               : 0;
  }
  default:
    return 0;
  }
}

void dsom_plan_updates (DsomMachine *m, DsomState *s, guint c, const guint8 *written) {
  gboolean is_kernel = dsom_command_at (m->plan, c)->kind == RSP_DSOM_RUN;
  if (m->adaptive && is_kernel) {
    /* Adaptive: a kernel has ended. Counts how often the same followed its end, and begins anew. */
    for (guint b = 0; b < m->program->n_buffers; b++) {
      guint key = m->plan->keys[c][b];
      if (key == G_MAXUINT)
        continue;
      const RspDsomBuffer *buffer = &m->program->buffers[m->plan->key_buffers[key]];
      DsomHistory *history = &s->histories[key];
      guint size = buffer->n * buffer->element;
      if (memcmp (history->now, history->before, size) != 0)
        history->times = 0;
      history->times = (guint8) MIN (history->times + 1u, m->plan->config.threshold + 1);
      memcpy (history->before, history->now, size);
      memset (history->now, 0, size);
    }
    for (guint byte = 0; byte < m->program->n_bytes; byte++)
      if (written[byte])
        s->writers[byte] = (guint16) (m->plan->keys[c][dsom_buffer_of (m->program, byte)] + 1);
  } else
    for (guint byte = 0; byte < m->program->n_bytes; byte++)
      s->writers[byte] = written[byte] ? 0 : s->writers[byte];
  g_array_set_size (s->entries[c], 0);
  for (guint byte = 0; byte < m->program->n_bytes; byte++) {
    DsomEntry entry = { .byte = (guint16) byte };
    entry.bits = written[byte] ? transfers_of (m, s, c, byte) : 0;
    if (entry.bits)
      g_array_append_val (s->entries[c], entry);
  }
  s->phases[c] = DSOM_UPDATING;
}

gboolean dsom_update (DsomMachine *m, DsomState *s, guint c) {
  GArray *entries = s->entries[c];
  guint8 bits = 0, bit = DSOM_HOST;
  guint i = 0;
  for (guint k = 0; k < entries->len; k++)
    bits |= g_array_index (entries, DsomEntry, k).bits;
  if (!bits)
    return FALSE;
  while (!(bits & bit)) /* WB before UP */
    bit = (guint8) (bit << 1);
  while (!(g_array_index (entries, DsomEntry, i).bits & bit))
    i++;
  /* The entries from number i on that are for adjacent bytes of one buffer and have the bit. */
  guint first = g_array_index (entries, DsomEntry, i).byte, n = 1;
  for (; i + n < entries->len; n++) {
    const DsomEntry *entry = &g_array_index (entries, DsomEntry, i + n);
    if (entry->byte != first + n || !(entry->bits & bit)
        || dsom_buffer_of (m->program, entry->byte) != dsom_buffer_of (m->program, first))
      break;
  }
  for (guint k = i; k < i + n; k++)
    g_array_index (entries, DsomEntry, k).bits &= (guint8) ~bit;
  if (bit == DSOM_HOST)
    dsom_write_back (m, s, dsom_command_at (m->plan, c)->device, first, n);
  else
    dsom_upload (m, s, (guint) __builtin_ctz (bit) - 1, first, n);
  m->bill.n[RSP_BILL_HINT] += dsom_command_at (m->plan, c)->kind == RSP_DSOM_RUN ? n : 0;
  return TRUE;
}

void dsom_settle (DsomMachine *m, DsomState *s) {
  for (guint c = 0; c < m->program->n_commands; c++) {
    GArray *entries = s->entries[c];
    guint n = 0;
    if (s->phases[c] != DSOM_UPDATING)
      continue;
    for (guint i = 0; i < entries->len; i++) {
      DsomEntry entry = g_array_index (entries, DsomEntry, i);
      /* The bits of an entry that are still useful: WB from the command's device if the host lacks
       * the byte, UP if the host has it or will, and the device lacks it. */
      const RspDsomCommand *command = dsom_command_at (m->plan, c);
      guint8 tag = dsom_tag (m, s, entry.byte), bits = entry.bits;
      gboolean is_kernel = command->kind == RSP_DSOM_RUN;
      if (tag & DSOM_HOST || !is_kernel || !(tag & dsom_device_bit (command->device)))
        bits &= (guint8) ~DSOM_HOST;
      if (!(tag & DSOM_HOST) && !(bits & DSOM_HOST))
        bits = 0;
      entry.bits = (guint8) (bits & ~(tag & ~DSOM_HOST));
      if (entry.bits)
        g_array_index (entries, DsomEntry, n++) = entry;
    }
    g_array_set_size (entries, n);
    if (n == 0)
      s->phases[c] = DSOM_DONE;
  }
}

/* ---- Dsom ----------------------------------------------------------------------------------- */

static void dsom_start (gpointer data, GByteArray *state, RspBill *bill) {
  DsomMachine *m = data;
  DsomState *s = dsom_state_new (m);
  dsom_state_start (m, s);
  dsom_state_encode (m, s, state);
  dsom_state_free (m, s);
  if (bill)
    *bill = (RspBill){ { 0 }, { 0 } };
}

/* Transfers only add valid copies; only the end of a command or a write invalidates others. */
static guint64 progress (gpointer data, RspBytes state) {
  DsomMachine *m = data;
  DsomState *s = m->scratch[1];
  guint64 phases = 0, valid = 0;
  dsom_state_decode (m, state, s);
  for (guint c = 0; c < m->program->n_commands; c++)
    phases += s->phases[c];
  for (guint byte = 0; byte < m->program->n_bytes; byte++)
    valid += (guint64) __builtin_popcount (dsom_tag (m, s, byte));
  return phases * ((guint64) m->program->n_bytes * (m->program->n_devices + 1) + 1) + valid;
}

/* The values of the program's observables in the state. An element is as the host would read it:
 * from its own copy, or from the device that owns it. */
static void observe_state (DsomMachine *m, RspBytes state, DsomValue *values) {
  DsomState *s = m->scratch[1];
  dsom_state_decode (m, state, s);
  for (guint i = 0; i < m->program->n_observables; i++) {
    const RspDsomObservable *observable = &m->program->observables[i];
    if (observable->kind == RSP_DSOM_OBSERVE_REGISTER)
      values[i] = s->registers[observable->index];
    else if (observable->kind == RSP_DSOM_OBSERVE_ELEMENT) {
      const RspDsomBuffer *buffer = &m->program->buffers[observable->index];
      guint first = buffer->first + observable->element * buffer->element;
      for (guint byte = first; byte < first + buffer->element; byte++) {
        guint copy = (guint) __builtin_ctz (dsom_tag (m, s, byte) | 0x100u);
        m->bytes[byte] = copy <= m->program->n_devices ? s->copies[copy][byte] : DSOM_GARBAGE;
      }
      values[i] = dsom_element_load (buffer, observable->element, m->bytes);
    } else
      values[i] = (DsomValue){ s->moved, FALSE };
  }
}

/* ---- Check ---------------------------------------------------------------------------------- */

enum { DEFAULT_MEMORY = 1 << 30 };

typedef struct Check {
  const RspDsomProgram *program;
  const RspDsomOptions *options;
  DsomPlan *plan;
  DsomFlat *flat;
  DsomMachine *machine;
  DsomFinals *allowed, *found; /* of the flat buffer, of the machine */
  DsomValue *values;           /* scratch: per observable */
  RspRecord *record;
  RspDiagnostics *diagnostics;
  RspBudget budget;
} Check;

static RspSearchOptions search_options (Check *check, gboolean breadth_first) {
  return (RspSearchOptions){ .breadth_first = breadth_first,
                             .max_states = check->options->max_states,
                             .budget = &check->budget };
}

/* Records which limit ended the search. */
static void note_limit (Check *check) {
  RspRecord *record = check->record;
  RspcheckStop stop = rsp_budget_stop (&check->budget);
  g_free (record->reason);
  record->status = stop == RSPCHECK_STOP_TIMEOUT  ? RSP_STATUS_TIMEOUT
                   : stop == RSPCHECK_STOP_MEMORY ? RSP_STATUS_MEMORY
                                                  : RSP_STATUS_EXECUTIONS;
  if (stop == RSPCHECK_STOP_TIMEOUT)
    record->reason = g_strdup_printf ("Timeout after %g s", check->options->timeout);
  else if (stop == RSPCHECK_STOP_MEMORY)
    record->reason = g_strdup ("The states need more memory than -max-memory allows");
  else
    record->reason
        = g_strdup_printf ("More than %" G_GUINT64_FORMAT " states", check->options->max_states);
}

/* ---- The flat buffer ---- */
static gboolean add_flat_final (gpointer user, guint32 number, RspBytes state, RspEnd end) {
  Check *check = user;
  (void) number;
  (void) end;
  decode (check->flat, state);
  for (guint i = 0; i < check->program->n_observables; i++) {
    const RspDsomObservable *o = &check->program->observables[i];
    check->values[i] = (DsomValue){ 0, FALSE };
    if (o->kind == RSP_DSOM_OBSERVE_REGISTER)
      check->values[i] = check->flat->registers[o->index];
    else if (o->kind == RSP_DSOM_OBSERVE_ELEMENT)
      check->values[i]
          = dsom_element_load (&check->program->buffers[o->index], o->element, check->flat->bytes);
  }
  finals_add (check->allowed, check->values);
  return TRUE;
}

/* FALSE if the program has errors or is too large. */
static gboolean run_flat (Check *check) {
  RspSearchOptions options = search_options (check, FALSE);
  const RspDsomProgram *program = check->plan->program;
  DsomFlat *flat = g_new0 (DsomFlat, 1);
  flat->plan = check->plan;
  flat->bytes = g_new0 (DsomByte, program->n_bytes + 1);
  flat->after = g_new0 (DsomByte, program->n_bytes + 1);
  flat->registers = g_new0 (DsomValue, program->n_registers + 1);
  flat->registers_after = g_new0 (DsomValue, program->n_registers + 1);
  flat->uses = g_new0 (guint8 *, program->n_commands + 1);
  for (guint c = 0; c < program->n_commands; c++)
    flat->uses[c] = g_new0 (guint8, n_uses (flat) + 1);
  flat->system = (RspSystem){ .data = flat, .start = flat_start, .expand = expand };
  check->flat = flat;
  g_autoptr (RspStateSearch) search
      = rsp_search_run (&check->flat->system, &options, add_flat_final, check);
  if (!report_faults (check->flat, check->diagnostics))
    return FALSE;
  if (!search->limited)
    return TRUE;
  note_limit (check);
  check->record->machine.verdict = RSP_BOUNDED;
  return FALSE;
}

/* ---- The machine ---- */
static gboolean add_end (gpointer user, guint32 number, RspBytes state, RspEnd end) {
  Check *check = user;
  (void) number;
  if (end == RSP_END_FINAL) {
    observe_state (check->machine, state, check->values);
    finals_add (check->found, check->values);
  }
  check->record->machine.deadlock |= end == RSP_END_STUCK;
  return TRUE;
}

static void add_cost (Check *check) {
  RspSearchOptions options = search_options (check, FALSE);
  g_autoptr (GString) bill = g_string_new (NULL);
  RspCost cost;
  if (!rsp_cost_measure (&check->machine->system, &options, 0, NULL, NULL, &cost)) {
    rsp_warning (check->diagnostics, RSP_NOWHERE, NULL,
                 "test %s: no bill, since a limit ended its search", check->program->name);
    return;
  }
  rsp_cost_format (&cost, RSP_BILL_WRITE_BACK, RSP_N_BILL_ITEMS, bill);
  check->record->machine.bill = g_strdup (bill->str);
}

static void run_machine (Check *check) {
  RspMachineReport *report = &check->record->machine;
  RspSearchOptions options = search_options (check, FALSE);
  DsomMachine *m = g_new0 (DsomMachine, 1);
  m->plan = check->plan;
  m->program = check->plan->program;
  m->adaptive = check->plan->config.strategy == RSP_DSOM_ADAPTIVE;
  for (guint i = 0; i < m->program->n_observables; i++)
    m->counts_moved |= m->program->observables[i].kind == RSP_DSOM_OBSERVE_MOVED;
  m->bytes = g_new0 (DsomByte, m->program->n_bytes + 1);
  m->uses = g_new0 (guint8, m->program->n_bytes + m->program->n_registers + 1);
  for (guint i = 0; i < G_N_ELEMENTS (m->scratch); i++)
    m->scratch[i] = dsom_state_new (m);
  m->system = (RspSystem){ .data = m,
                           .start = dsom_start,
                           .expand = dsom_expand,
                           .violated = dsom_violated,
                           .describe = describe_step,
                           .progress = progress };
  check->machine = m;
  g_autoptr (RspStateSearch) search
      = rsp_search_run (&check->machine->system, &options, add_end, check);
  report->states = rsp_store_count (search->store);
  report->steps = search->steps;
  report->bytes = rsp_store_size (search->store);
  report->violated = g_strdup (search->violated);
  if (search->limited)
    note_limit (check);
  else if (check->options->cost)
    add_cost (check);
}

/* ---- Traces ---- */
typedef struct Chase {
  Check *check;
  const char *sought; /* a state as text */
  guint32 found;
} Chase;

static gboolean compare_with_sought (gpointer user, guint32 number, RspBytes state, RspEnd end) {
  Chase *chase = user;
  Check *check = chase->check;
  if (end != RSP_END_FINAL)
    return TRUE;
  observe_state (check->machine, state, check->values);
  g_autofree char *text = format_values (check->program, check->values, TRUE);
  if (g_str_equal (text, chase->sought))
    chase->found = number;
  return chase->found == RSP_NO_STATE;
}

/* The shortest trace to a final state or, if that is NULL, to a state that violates an
 * invariant. */
static char *find_trace (Check *check, const char *state) {
  const RspSystem *system = &check->machine->system;
  RspSearchOptions options = search_options (check, TRUE);
  Chase chase = { check, state, RSP_NO_STATE };
  g_autoptr (GString) text = g_string_new (NULL);
  options.to_violation = !state;
  g_autoptr (RspStateSearch) search
      = rsp_search_run (system, &options, state ? compare_with_sought : NULL, &chase);
  if (!state && search->violated)
    chase.found = search->where;
  if (chase.found == RSP_NO_STATE)
    g_string_append (text, "(the search for the shortest trace met a limit)\n");
  else
    rsp_search_describe (system, search, chase.found, text);
  return g_strdup (text->str);
}

/* ---- The record ---- */
static void run_check (Check *check) {
  RspRecord *record = check->record;
  RspMachineReport *report = &record->machine;
  check->plan = dsom_plan_new (check->program, &check->options->config, check->diagnostics);
  if (!check->plan || !run_flat (check))
    return;
  if (check->flat->racy) {
    const guint *racers = check->flat->racers;
    report->verdict = RSP_VACUOUS;
    rsp_record_add_flag (record, "race");
    rsp_note (check->diagnostics, dsom_command_at (check->plan, racers[1])->span,
              "a race: this command and `%s` are unordered, and one reads what the other writes",
              dsom_command_at (check->plan, racers[0])->label);
  }
  run_machine (check);
  gboolean finished = record->status == RSP_STATUS_ERROR;
  g_autoptr (GString) unsound = g_string_new (NULL);
  g_ptr_array_sort_with_data (check->found->list, compare_finals, (gpointer) check->program);
  for (guint i = 0; i < check->found->list->len; i++) {
    const DsomValue *values = check->found->list->pdata[i];
    g_autofree char *text = format_values (check->program, values, TRUE);
    g_autofree char *key = format_values (check->program, values, FALSE);
    RspTruth truth = rsp_prop_truth (check->program->condition, atom_truth, (gpointer) values);
    RspRecordState state = { .text = text, .satisfies = truth == RSP_HOLDS, .executions = 1 };
    rsp_record_add_state (record, &state);
    record->positive += state.satisfies;
    record->negative += !state.satisfies;
    if (!g_hash_table_contains (check->allowed->keys, key))
      g_string_append_printf (unsound, "%s\n", text);
  }
  if (unsound->len && record->machine.verdict != RSP_VACUOUS)
    record->machine.unsound = g_strdup (unsound->str);
  if (finished) {
    gboolean none = record->positive == 0, all = record->negative == 0;
    RspQuantifier quantifier = check->program->quantifier;
    record->status = RSP_STATUS_OK;
    g_clear_pointer (&record->reason, g_free);
    record->observation = none ? RSPCHECK_NEVER : all ? RSPCHECK_ALWAYS : RSPCHECK_SOMETIMES;
    record->answer = quantifier == RSP_EXISTS ? !none : quantifier == RSP_NOT_EXISTS ? none : all;
  }
  if (report->unsound) {
    report->verdict = RSP_UNSOUND;
    rsp_record_add_flag (record, "unsound");
  } else if (report->verdict != RSP_VACUOUS)
    report->verdict = finished ? RSP_SOUND : RSP_BOUNDED;
  if (report->violated)
    rsp_record_add_flag (record, report->violated);
  if (check->options->traces && report->unsound) {
    g_auto (GStrv) states = g_strsplit (report->unsound, "\n", 2);
    report->trace = find_trace (check, states[0]);
  }
  if (check->options->traces && report->violated)
    report->violated_trace = find_trace (check, NULL);
}

void rsp_dsom_describe (const RspDsomProgram *program, const RspDsomOptions *options,
                        RspRecord *record) {
  record->source = g_utf8_make_valid (program->source->text, (gssize) program->source->length);
  record->language = g_strdup ("DSOM");
  record->hash = rsp_dsom_hash (program);
  record->kind = g_strdup (rsp_quantifier_kind (program->quantifier));
  record->condition = rsp_condition_format (program->quantifier, program->condition, "not ");
  record->machine.machine = g_strdup ("dsom");
  record->machine.mapping = rsp_dsom_config_strategy (&options->config);
  record->machine.readings = rsp_readings_format (rsp_dsom_readings, &options->config);
  record->machine.allowed_by = g_strdup ("flat");
}

void rsp_dsom_check (const RspDsomProgram *program, const RspDsomOptions *options,
                     RspRecord *record, RspDiagnostics *diagnostics) {
  gint64 start = g_get_monotonic_time ();
  Check check = { .program = program,
                  .options = options,
                  .allowed = finals_new (program),
                  .found = finals_new (program),
                  .values = g_new0 (DsomValue, program->n_observables + 1),
                  .record = record,
                  .diagnostics = diagnostics };
  check.budget.max_memory = options->max_memory ? options->max_memory : DEFAULT_MEMORY;
  check.budget.deadline = rsp_deadline_in (options->timeout);
  run_check (&check);
  record->seconds = (double) (g_get_monotonic_time () - start) / 1e6;
  DsomMachine *m = check.machine;
  if (m) {
    for (guint i = 0; i < G_N_ELEMENTS (m->scratch); i++)
      dsom_state_free (m, m->scratch[i]);
    g_free (m->bytes);
    g_free (m->uses);
    g_free (m);
  }
  DsomFlat *flat = check.flat;
  if (flat) {
    for (guint c = 0; c < flat->plan->program->n_commands; c++)
      g_free (flat->uses[c]);
    g_free (flat->uses);
    g_free (flat->bytes);
    g_free (flat->after);
    g_free (flat->registers);
    g_free (flat->registers_after);
    g_free (flat);
  }
  dsom_plan_free (check.plan);
  finals_free (check.allowed);
  finals_free (check.found);
  g_free (check.values);
}
