#include "machine/dsom/flat.h"

#include <string.h>

/* A state: a byte per command (done or not), the bytes of the buffers, the registers. */
struct DsomFlat {
  const DsomPlan *plan;
  RspSystem system;
  DsomByte *bytes;
  DsomValue *registers;
  /* Scratch of one step, and the accesses of each command that may go next in the current state. */
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

void dsom_flat_decode (DsomFlat *flat, RspBytes state, const DsomByte **bytes,
                       const DsomValue **registers) {
  decode (flat, state);
  *bytes = flat->bytes;
  *registers = flat->registers;
}

static void start (gpointer data, GByteArray *state, RspBill *bill) {
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
    *bill = (RspBill){ { 0 } };
}

/* ---- Commands ---- */

static void run_kernel (DsomFlat *flat, const RspDsomCommand *command, guint8 *uses) {
  const RspDsomProgram *program = flat->plan->program;
  DsomMemory memory = { .program = program,
                        .bytes = flat->after,
                        .registers = flat->registers_after,
                        .byte_uses = uses,
                        .register_uses = uses + program->n_bytes,
                        .allowed = flat->plan->exact[command->kernel] };
  dsom_evaluate (&program->kernels[command->kernel], &memory);
  if (flat->is_faulty || (memory.fault == DSOM_FINE && !memory.undeclared))
    return;
  flat->is_faulty = TRUE;
  flat->faulty = memory;
  flat->faulty_kernel = command->kernel;
}

static void run_host (DsomFlat *flat, const RspDsomCommand *command, guint8 *uses) {
  const RspDsomProgram *program = flat->plan->program;
  gboolean writes = command->kind == RSP_DSOM_HOST_WRITE;
  for (guint i = 0; i < command->n_items; i++) {
    const RspDsomItem *item = &command->items[i];
    const RspDsomBuffer *buffer = &program->buffers[item->buffer];
    memset (uses + buffer->first + (gsize) item->element * buffer->element,
            writes ? DSOM_WRITTEN : DSOM_READ, buffer->element);
    if (writes)
      dsom_element_store (buffer, item->element, flat->after, (DsomValue){ item->value, FALSE });
    else {
      uses[program->n_bytes + item->reg] = DSOM_WRITTEN;
      flat->registers_after[item->reg] = dsom_element_load (buffer, item->element, flat->after);
    }
  }
}

static void run_command (DsomFlat *flat, guint c) {
  const RspDsomProgram *program = flat->plan->program;
  const RspDsomCommand *command = dsom_command_at (flat->plan, c);
  memcpy (flat->after, flat->bytes, program->n_bytes * sizeof *flat->after);
  memcpy (flat->registers_after, flat->registers,
          program->n_registers * sizeof *flat->registers_after);
  memset (flat->uses[c], 0, n_uses (flat));
  if (command->kind == RSP_DSOM_RUN)
    run_kernel (flat, command, flat->uses[c]);
  else
    run_host (flat, command, flat->uses[c]);
}

/* Two commands that can both go next conflict if one reads what the other writes. Writes are
 * serialised by the runtime; those of registers are not. */
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

static void look_for_race (DsomFlat *flat, const guint *ready, guint n) {
  for (guint i = 0; i < n && !flat->racy; i++)
    for (guint k = i + 1; k < n && !flat->racy; k++)
      if (conflict (flat, ready[i], ready[k])) {
        flat->racy = TRUE;
        flat->racers[0] = ready[i];
        flat->racers[1] = ready[k];
      }
}

static gboolean is_ready (const DsomFlat *flat, const guint8 *done, guint c) {
  const RspDsomCommand *command = dsom_command_at (flat->plan, c);
  for (guint i = 0; i < command->n_after; i++)
    if (!done[command->after[i]])
      return FALSE;
  return !done[c];
}

static RspEnd expand (gpointer data, RspBytes state, RspSuccessors *successors) {
  DsomFlat *flat = data;
  guint n = flat->plan->program->n_commands, n_ready = 0;
  guint ready[RSP_DSOM_MOST_COMMANDS];
  decode (flat, state);
  for (guint c = 0; c < n; c++) {
    if (!is_ready (flat, state.data, c))
      continue;
    ready[n_ready++] = c;
    run_command (flat, c);
    encode (flat, state.data, c, successors->bytes);
    rsp_successors_add (successors, NULL);
  }
  if (!flat->racy)
    look_for_race (flat, ready, n_ready);
  return n_ready ? RSP_END_NONE : RSP_END_FINAL;
}

/* ---- All ---- */

DsomFlat *dsom_flat_new (const DsomPlan *plan) {
  const RspDsomProgram *program = plan->program;
  DsomFlat *flat = g_new0 (DsomFlat, 1);
  flat->plan = plan;
  flat->bytes = g_new0 (DsomByte, program->n_bytes + 1);
  flat->after = g_new0 (DsomByte, program->n_bytes + 1);
  flat->registers = g_new0 (DsomValue, program->n_registers + 1);
  flat->registers_after = g_new0 (DsomValue, program->n_registers + 1);
  flat->uses = g_new0 (guint8 *, program->n_commands + 1);
  for (guint c = 0; c < program->n_commands; c++)
    flat->uses[c] = g_new0 (guint8, n_uses (flat) + 1);
  flat->system = (RspSystem){ .data = flat, .start = start, .expand = expand };
  return flat;
}

void dsom_flat_free (DsomFlat *flat) {
  if (!flat)
    return;
  for (guint c = 0; c < flat->plan->program->n_commands; c++)
    g_free (flat->uses[c]);
  g_free (flat->uses);
  g_free (flat->bytes);
  g_free (flat->after);
  g_free (flat->registers);
  g_free (flat->registers_after);
  g_free (flat);
}

const RspSystem *dsom_flat_system (const DsomFlat *flat) { return &flat->system; }

gboolean dsom_flat_race (const DsomFlat *flat, guint *one, guint *other) {
  *one = flat->racers[0];
  *other = flat->racers[1];
  return flat->racy;
}

gboolean dsom_flat_report (const DsomFlat *flat, RspDiagnostics *diagnostics) {
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
    rsp_error (diagnostics, memory->undeclared_at, "declared ranges cover everything accessed",
               "kernel `%s` %s here what its `%s` do not have", kernel, reads ? "reads" : "writes",
               reads ? "reads" : "writes");
  }
  return FALSE;
}
