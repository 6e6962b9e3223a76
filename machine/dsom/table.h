/* Segment tables: which copies of a buffer's bytes are valid. Equal neighbours are one segment. */
#pragma once

#include <glib.h>

/* Tags have a bit for the host and one for each device. */
#define DSOM_HOST 1u

static inline guint dsom_device_bit (guint device) { return 2u << device; }

typedef struct DsomSegment {
  guint16 offset, size; /* bytes of the buffer */
  guint8 tag;
} DsomSegment;

/* A table is a GArray of DsomSegment. */

/* One segment of all bytes. */
void dsom_table_init (GArray *table, guint size, guint8 tag);
guint8 dsom_table_tag (const GArray *table, guint byte);
/* The tags of bytes offset … offset + size - 1 become (tag & keep) | set; then neighbours are
 * merged. */
void dsom_table_update (GArray *table, guint offset, guint size, guint8 keep, guint8 set);

/* The name of the invariant of tables that this one violates, or NULL: I1, I2, I4 and I5. */
const char *dsom_table_violated (const GArray *table, guint size);

/* "(0,13) h01 (13,4) 1": h for the host, numbers for devices. */
void dsom_table_format (const GArray *table, GString *out);
