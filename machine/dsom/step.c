/* The steps of commands. Each transfer is one step, and so are the start and the end of a kernel,
 * and a host's write or read. Consecutive steps of a blocking command are combined into one. */
#include "machine/dsom/step.h"
#include "machine/dsom/transfer.h"
#include "machine/dsom/strategy.h"

#include <string.h>

/* ---- Order ---- */

static gboolean is_complete (const DsomMachine *m, const DsomState *s, guint c) {
  return s->phases[c] == DSOM_DONE
         || (s->phases[c] == DSOM_UPDATING && m->plan->config.updates == DSOM_UPDATES_BACKGROUND);
}

static gboolean may_start (const DsomMachine *m, const DsomState *s, guint c) {
  const RspDsomCommand *command = dsom_command_at (m->plan, c);
  for (guint i = 0; i < command->n_after; i++)
    if (!is_complete (m, s, command->after[i]))
      return FALSE;
  return TRUE;
}

static void mark_items (const DsomMachine *m, const RspDsomCommand *command, guint8 *marks) {
  for (guint i = 0; i < command->n_items; i++) {
    const RspDsomBuffer *buffer = &m->program->buffers[command->items[i].buffer];
    memset (marks + buffer->first + (gsize) command->items[i].element * buffer->element, 1,
            buffer->element);
  }
}

/* The bytes that a command may write: the runtime serialises commands that share some. */
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

/* A kernel that depends on garbage can do anything within its ranges: all of it is garbage. */
static void spoil (DsomMachine *m, guint c, DsomMemory *memory) {
  const guint8 *ranges = m->plan->exact[dsom_command_at (m->plan, c)->kernel];
  for (guint i = 0; i < m->program->n_bytes; i++)
    if (ranges[i] & DSOM_WRITTEN) {
      memory->bytes[i] = DSOM_GARBAGE;
      memory->byte_uses[i] |= DSOM_WRITTEN;
    }
}

static void spoil_registers (const RspDsomStatement *first, DsomValue *registers) {
  for (const RspDsomStatement *s = first; s; s = s->next) {
    if (s->target && s->target->kind == RSP_DSOM_REGISTER)
      registers[s->target->index] = (DsomValue){ 0, TRUE };
    spoil_registers (s->body, registers);
    spoil_registers (s->otherwise, registers);
  }
}

/* Runs the body on the device's copy; m->bytes is then its result. */
static void run_body (DsomMachine *m, DsomState *s, guint c) {
  const RspDsomCommand *command = dsom_command_at (m->plan, c);
  const RspDsomProgram *program = m->program;
  memcpy (m->bytes, s->copies[command->device + 1], program->n_bytes * sizeof (DsomByte));
  memset (m->uses, 0, program->n_bytes + program->n_registers);
  DsomMemory memory = { .program = program,
                        .bytes = m->bytes,
                        .registers = s->registers,
                        .byte_uses = m->uses,
                        .register_uses = m->uses + program->n_bytes };
  dsom_evaluate (&program->kernels[command->kernel], &memory);
  if (memory.fault == DSOM_FINE)
    return;
  spoil (m, c, &memory);
  spoil_registers (program->kernels[command->kernel].body, s->registers);
}

static void start_kernel (DsomMachine *m, DsomState *s, guint c) {
  const RspDsomCommand *command = dsom_command_at (m->plan, c);
  const guint8 *ranges = m->plan->ranges[command->kernel];
  run_body (m, s, c);
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

static void end_kernel (DsomMachine *m, DsomState *s, guint c) {
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
}

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
  start_kernel (m, s, c);
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

/* ---- All ---- */

static gboolean step_once (DsomMachine *m, DsomState *s, guint c) {
  RspDsomCommandKind kind = dsom_command_at (m->plan, c)->kind;
  gboolean done = FALSE;
  if (s->phases[c] == DSOM_DONE || (s->phases[c] == DSOM_WAITING && !may_start (m, s, c)))
    return FALSE;
  if (s->phases[c] == DSOM_RUNNING) {
    end_kernel (m, s, c);
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
  m->bill = (RspBill){ { 0 } };
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

static gboolean is_current (const DsomMachine *m, const DsomState *s, guint byte) {
  guint8 tag = dsom_tag (m, s, byte);
  for (guint copy = 0; copy <= m->program->n_devices; copy++)
    if (tag & 1u << copy && s->copies[copy][byte] != s->latest[byte])
      return FALSE;
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
  for (guint byte = 0; byte < m->program->n_bytes; byte++)
    if (!is_current (m, s, byte))
      return "I3";
  return NULL;
}

RspEnd dsom_expand (gpointer data, RspBytes state, RspSuccessors *successors) {
  DsomMachine *m = data;
  DsomState *s = m->scratch[0];
  gboolean all_done = TRUE;
  if (!m->first_violated)
    m->first_violated = dsom_violated (m, state);
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
