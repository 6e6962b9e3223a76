/* One test as source text, part by part. Every name in the text is generated here: `x<object>_x` is
 * a location's address, `r<register>_r` a register, test<number>_… a function of the test; the
 * test's own names are included only for readers. */
#pragma once

#include "hardware/layout.h"
#include "hardware/target.h"

typedef struct Emitter {
  const RspProgram *program;
  const RspEmitOptions *options;
  const Target *target;
  const RspThread *thread; /* that is being written */
  guint number;            /* of the test */
  guint n_loops;           /* of the thread */
  gboolean ends_early;     /* the thread has jumps to its end */
  guint indent;
  GString *out;
} Emitter;

/* ---- Text ---- */

/* The replacements for $T and so on, by letter; NULL for letters that the text does not use. */
typedef struct Filling {
  char letter;
  const char *text;
} Filling;

/* ---- Parts ---- */
