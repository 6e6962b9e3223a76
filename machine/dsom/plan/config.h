/* How the machine dsom is run: the update strategy, and readings of what its source leaves open. */
#pragma once

#include <glib.h>

/* What happens when a kernel on device d ends, having written W (the DSOM paper, section 4.2). */
typedef enum RspDsomStrategy {
  RSP_DSOM_BATCH,   /* WB W, UP W to all */
  RSP_DSOM_BALANCE, /* WB W */
  RSP_DSOM_LAZY,    /* nothing */
  RSP_DSOM_ADAPTIVE /* what followed this kernel, device and buffer earlier, once it has been the
                     * same more than `threshold` times */
} RspDsomStrategy;

enum { DSOM_RANGES_EXACT, DSOM_RANGES_OVER, DSOM_RANGES_WHOLE };

enum { DSOM_FETCH_INDIRECT, DSOM_FETCH_OFF, DSOM_FETCH_ON };

enum { DSOM_UPDATES_WAIT, DSOM_UPDATES_BACKGROUND };

typedef struct RspDsomConfig {
  RspDsomStrategy strategy;
  guint threshold; /* RSP_DSOM_ADAPTIVE; 2 by default */
#define DSOM_READING(field, name, meaning, ...) guint field;
#include "machine/dsom/plan/config.def"
} RspDsomConfig;

typedef struct RspDsomReading {
  const char *name, *meaning;
  const char *const *words; /* NULL-terminated; the first is the default */
  gsize offset;             /* of the field */
} RspDsomReading;

extern const RspDsomReading rsp_dsom_readings[]; /* up to one without a name */

/* lazy, with the first word of each reading. */
RspDsomConfig rsp_dsom_config_default (void);
/* "lazy", "adaptive:3". FALSE with a message, newly allocated, after an error. */
gboolean rsp_dsom_config_set_strategy (RspDsomConfig *config, const char *text, char **message);
/* "ranges=over", likewise. */
gboolean rsp_dsom_config_set_reading (RspDsomConfig *config, const char *text, char **message);

/* "adaptive:2". Newly allocated, as are the readings that are not the defaults: "ranges=over
 * fetch=on". */
char *rsp_dsom_config_strategy (const RspDsomConfig *config);
char *rsp_dsom_config_readings (const RspDsomConfig *config);
