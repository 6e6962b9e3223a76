/* States as byte strings. Numbers are LEB128, seven bits a byte, signed ones zigzag, so small
 * values take one byte. Unused parts are left out.
 *
 *   threads    flags; finished ones: their paths and what they show; others: point, operation,
 *              requests, what was read as far as it matters
 *   locations  the values; per node: dirty, mask
 *   FIFOs      length, entries */
#include "machine/caches/codec.h"
#include "machine/caches/steps/thread.h"

#include <string.h>

/* ---- Numbers ---- */

static void put (GByteArray *out, guint64 number) {
  guint8 bytes[10];
  guint n = 0;
  for (; number > 0x7f; number >>= 7)
    bytes[n++] = (guint8) (number | 0x80);
  bytes[n++] = (guint8) number;
  g_byte_array_append (out, bytes, n);
}

static void put_signed (GByteArray *out, gint64 number) {
  put (out, ((guint64) number << 1) ^ (guint64) (number >> 63));
}

static guint64 get (const guint8 **at) {
  guint64 number = 0;
  for (guint shift = 0;; shift += 7) {
    guint8 byte = *(*at)++;
    number |= (guint64) (byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return number;
  }
}

static gint64 get_signed (const guint8 **at) {
  guint64 number = get (at);
  return (gint64) (number >> 1) ^ -(gint64) (number & 1);
}

/* ---- Threads ---- */

static void encode_thread (Caches *m, const State *s, guint t, GByteArray *out) {
  const Thread *thread = &s->threads[t];
  put (out, thread->flags);
  put (out, thread->paths);
  put (out, thread->done);
  put (out, thread->event);
  if (thread->event != RSP_NO_EVENT) {
    put (out, thread->code);
    put (out, thread->place);
    put (out, thread->at);
  }
  for (guint i = 0; i <= thread->n_requests && m->counted; i++) {
    const Request *request = &thread->requests[i];
    put (out, i == thread->n_requests ? 0 : 1u + request->kind);
    if (i < thread->n_requests)
      g_byte_array_append (out, (const guint8[]){ request->event, request->place, request->level },
                           3);
  }
  guint64 reads = thread_outlook (m, s, t)->reads;
  for (guint e = 0; e < m->most_events; e++)
    if (reads >> e & 1)
      put_signed (out, reads_of_thread (m, s, t)[e]);
}

static void decode_thread (Caches *m, State *s, guint t, const guint8 **at) {
  Thread *thread = &s->threads[t];
  thread->flags = (guint8) get (at);
  thread->paths = (guint32) get (at);
  thread->done = get (at);
  thread->event = (guint8) get (at);
  if (thread->event != RSP_NO_EVENT) {
    thread->code = (guint16) get (at);
    thread->place = (guint8) get (at);
    thread->at = (guint8) get (at);
  }
  for (guint64 kind; m->counted && (kind = get (at)); *at += 3)
    thread->requests[thread->n_requests++]
        = (Request){ (guint8) (kind - 1), (*at)[0], (*at)[1], (*at)[2] };
  guint64 reads = thread_outlook (m, s, t)->reads;
  for (guint e = 0; e < m->most_events; e++)
    if (reads >> e & 1)
      reads_of_thread (m, s, t)[e] = get_signed (at);
}

/* ---- The whole ---- */

void caches_encode (Caches *m, State *s, GByteArray *out) {
  for (guint t = 0; t < m->n_threads; t++)
    encode_thread (m, s, t, out);
  for (guint place = 0; place < m->n_places; place++) {
    put (out, s->n_values[place]);
    for (guint i = 0; i < s->n_values[place]; i++)
      put_signed (out, values_of (s, place)[i]);
    if (m->local & place_bit (place))
      continue;
    for (guint node = 0; node < m->n_nodes; node++) {
      put (out, line_at (m, s, node, place)->dirty);
      put (out, line_at (m, s, node, place)->mask);
    }
  }
  for (guint node = 1; node < m->n_nodes; node++) {
    put (out, s->n_fifos[node]);
    g_byte_array_append (out, fifo_of (m, s, node), s->n_fifos[node]);
  }
}

static void decode_place (const Caches *m, State *s, guint place, const guint8 **at) {
  s->n_values[place] = (guint8) get (at);
  for (guint i = 0; i < s->n_values[place]; i++)
    values_of (s, place)[i] = get_signed (at);
  if (m->local & place_bit (place)) {
    line_at (m, s, MEMORY, place)->mask = 1u << (s->n_values[place] - 1);
    return;
  }
  for (guint node = 0; node < m->n_nodes; node++) {
    line_at (m, s, node, place)->dirty = (guint8) get (at);
    line_at (m, s, node, place)->mask = (guint32) get (at);
  }
}

void caches_decode (Caches *m, RspBytes bytes, State *s) {
  const guint8 *at = bytes.data;
  memset (s->block, 0, m->block_size);
  for (guint t = 0; t < m->n_threads; t++)
    decode_thread (m, s, t, &at);
  for (guint place = 0; place < m->n_places; place++)
    decode_place (m, s, place, &at);
  for (guint node = 1; node < m->n_nodes; node++) {
    s->n_fifos[node] = (guint16) get (&at);
    memcpy (fifo_of (m, s, node), at, s->n_fifos[node]);
    at += s->n_fifos[node];
  }
  g_assert (at == bytes.data + bytes.size);
}
