/* The readings of the cache machines: see readings.def. */
#pragma once

#include <glib.h>

/* Values of the fields, in the order of the words. */
enum {
  RMW_ALL = 0,
  RMW_OWN,
  RMW_NONE,
  STORE_OUTER = 0,
  STORE_INNER,
  ALL_MEMORY = 0,
  ALL_DEVICE,
  FIFO_QUEUE = 0,
  FIFO_SET,
  FIFO_ANY,
  ACCESS_WAITED = 0,
  ACCESS_COUNTED,
  DIRTY_MARK = 0,
  DIRTY_SKIP,
  DRAIN_AWAITED = 0,
  DRAIN_NEVER,
  DRAIN_ANY,
  FENCE_BOTH = 0,
  FENCE_ORDER,
  FETCH_ANY = 0,
  FETCH_DEMAND,
  REDUCTION_ON = 0,
  REDUCTION_OFF
};

typedef struct RspReadings {
#define RSP_READING(field, name, words, meaning) guint8 field;
#include "machine/caches/readings.def"
#undef RSP_READING
} RspReadings;

/* One row of readings.def. */
typedef struct RspReading {
  const char *name;
  gsize offset;             /* of its field, a guint8 */
  const char *const *words; /* NULL-terminated */
  const char *meaning;
} RspReading;

/* All readings; the last has no name. */
extern const RspReading rsp_reading_table[];

/* Sets "NAME=VALUE". FALSE for any other text; *message, newly allocated, then describes what was
 * expected. */
gboolean rsp_readings_set (RspReadings *readings, const char *text, char **message);
/* "rmw-waits=own …": those that differ from the defaults of `rsp`. Newly allocated. */
char *rsp_readings_format (const RspReadings *readings);
