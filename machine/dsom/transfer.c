/* WB and UP, and the transfers that a read needs. All go through the host. */
#include "machine/dsom/transfer.h"

#include <string.h>

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

/* Bytes of its buffer, from `first` on, that are needed and have the same tag up to the bits of
 * `except`. */
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

static guint owner (guint8 tag) {
  guint device = 0;
  while (!(tag & dsom_device_bit (device)))
    device++;
  return device;
}

gboolean dsom_fetch (DsomMachine *m, DsomState *s, const guint8 *needs, guint bits, int device) {
  guint8 bit = device < 0 ? DSOM_HOST : (guint8) dsom_device_bit ((guint) device);
  for (guint byte = 0; byte < m->program->n_bytes; byte++) {
    guint8 tag = needs[byte] & bits ? dsom_tag (m, s, byte) : bit;
    if (tag & bit)
      continue;
    if (!(tag & DSOM_HOST))
      dsom_write_back (m, s, owner (tag), byte, run_length (m, s, needs, bits, byte, 0xff));
    else
      dsom_upload (m, s, (guint) device, byte,
                   run_length (m, s, needs, bits, byte, (guint8) (bit | DSOM_HOST)));
    return TRUE;
  }
  return FALSE;
}
