/* Barriers of languages with tags on a device: each place where threads meet has a barrier of its
 * own, so that no thread comes to one twice. */
#pragma once

#include "parser/program.h"

enum {
  MAX_NAMED_BARRIERS = 15 /* of a block: barrier 0 is the template's */
};

/* The device's barrier, from 1, of a statement of a thread without jumps. Its name is a constant.
 */
guint named_barrier_number (const RspProgram *program, const RspThread *thread,
                            const RspStatement *statement);
/* The threads of the work-group that come to it. */
guint named_barrier_arrivals (const RspProgram *program, const RspThread *thread,
                              const RspStatement *statement);
gboolean has_named_barriers (const RspThread *thread);
