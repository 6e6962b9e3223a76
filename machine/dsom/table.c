#include "machine/dsom/table.h"

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
static void append (GArray *table, DsomSegment segment) {
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
    append (table, (DsomSegment){ s.offset, (guint16) (from - s.offset), s.tag });
    append (table, (DsomSegment){ (guint16) from, (guint16) (to - from),
                                  (guint8) ((s.tag & keep) | set) });
    append (table, (DsomSegment){ (guint16) to, (guint16) (end - to), s.tag });
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

void dsom_table_format (const GArray *table, GString *out) {
  for (guint i = 0; i < table->len; i++) {
    const DsomSegment *s = &g_array_index (table, DsomSegment, i);
    g_string_append_printf (out, "%s(%u,%u) %s", i ? " " : "", s->offset, s->size,
                            s->tag & DSOM_HOST ? "h" : "");
    for (guint device = 0; device < 7; device++)
      if (s->tag & dsom_device_bit (device))
        g_string_append_printf (out, "%u", device);
  }
}
