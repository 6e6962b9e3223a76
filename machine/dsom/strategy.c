/* The update strategies: what is transferred at once when a kernel or a host's write has ended. All
 * of it is a hint: a transfer that has become useless is dropped, and none takes validity away. */
#include "machine/dsom/strategy.h"
#include "machine/dsom/transfer.h"

#include <string.h>

static guint8 all_devices (const DsomMachine *m) {
  return (guint8) (((1u << m->program->n_devices) - 1) << 1);
}

/* ---- Adaptive ---- */

/* The kernel of the key has ended: counts what followed its last end, and begins anew. */
static void turn_page (DsomMachine *m, DsomState *s, guint key) {
  const RspDsomBuffer *buffer = &m->program->buffers[m->plan->key_buffers[key]];
  DsomHistory *history = &s->histories[key];
  guint size = buffer->n * buffer->element;
  if (memcmp (history->now, history->before, size) != 0)
    history->times = 0;
  history->times = (guint8) MIN (history->times + 1u, m->plan->config.threshold + 1);
  memcpy (history->before, history->now, size);
  memset (history->now, 0, size);
}

/* What a byte's history replays. */
static guint8 replay (DsomMachine *m, DsomState *s, guint key, guint byte) {
  const RspDsomBuffer *buffer = &m->program->buffers[m->plan->key_buffers[key]];
  const DsomHistory *history = &s->histories[key];
  return history->times > m->plan->config.threshold ? history->before[byte - buffer->first] : 0;
}

static void turn_pages (DsomMachine *m, DsomState *s, guint c, const guint8 *written) {
  for (guint b = 0; b < m->program->n_buffers; b++)
    if (m->plan->keys[c][b] != G_MAXUINT)
      turn_page (m, s, m->plan->keys[c][b]);
  for (guint byte = 0; byte < m->program->n_bytes; byte++)
    if (written[byte])
      s->writers[byte] = (guint16) (m->plan->keys[c][dsom_buffer_of (m->program, byte)] + 1);
}

/* ---- All strategies ---- */

static guint8 transfers_of (DsomMachine *m, DsomState *s, guint c, guint byte) {
  const RspDsomCommand *command = dsom_command_at (m->plan, c);
  if (command->kind == RSP_DSOM_HOST_WRITE)
    return all_devices (m);
  switch (m->plan->config.strategy) {
  case RSP_DSOM_BATCH:
    return DSOM_HOST | all_devices (m);
  case RSP_DSOM_BALANCE:
    return DSOM_HOST;
  case RSP_DSOM_ADAPTIVE:
    return replay (m, s, m->plan->keys[c][dsom_buffer_of (m->program, byte)], byte);
  default:
    return 0;
  }
}

void dsom_plan_updates (DsomMachine *m, DsomState *s, guint c, const guint8 *written) {
  gboolean is_kernel = dsom_command_at (m->plan, c)->kind == RSP_DSOM_RUN;
  if (m->adaptive && is_kernel)
    turn_pages (m, s, c, written);
  else
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

/* ---- Doing them ---- */

/* The bits of an entry that can still be of use: WB from the command's device if the host lacks the
 * byte, UP if the host has it or will, and the device lacks it. */
static guint8 useful_bits (DsomMachine *m, DsomState *s, guint c, const DsomEntry *entry) {
  const RspDsomCommand *command = dsom_command_at (m->plan, c);
  guint8 tag = dsom_tag (m, s, entry->byte), bits = entry->bits;
  gboolean is_kernel = command->kind == RSP_DSOM_RUN;
  if (tag & DSOM_HOST || !is_kernel || !(tag & dsom_device_bit (command->device)))
    bits &= (guint8) ~DSOM_HOST;
  if (!(tag & DSOM_HOST) && !(bits & DSOM_HOST))
    bits = 0;
  return (guint8) (bits & ~(tag & ~DSOM_HOST));
}

/* How many entries from number i on are for neighbouring bytes of one buffer and have the bit. */
static guint run_length (const DsomMachine *m, const GArray *entries, guint i, guint8 bit) {
  const DsomEntry *first = &g_array_index (entries, DsomEntry, i);
  guint n = 1, buffer = dsom_buffer_of (m->program, first->byte);
  for (; i + n < entries->len; n++) {
    const DsomEntry *entry = &g_array_index (entries, DsomEntry, i + n);
    if (entry->byte != first->byte + n || !(entry->bits & bit)
        || dsom_buffer_of (m->program, entry->byte) != buffer)
      break;
  }
  return n;
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
  guint n = run_length (m, entries, i, bit);
  guint first = g_array_index (entries, DsomEntry, i).byte;
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
      entry.bits = useful_bits (m, s, c, &entry);
      if (entry.bits)
        g_array_index (entries, DsomEntry, n++) = entry;
    }
    g_array_set_size (entries, n);
    if (n == 0)
      s->phases[c] = DSOM_DONE;
  }
}
