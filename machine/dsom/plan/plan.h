/* What the runtime knows about a program before it runs: the ranges of every kernel, as
 * configured. */
#pragma once

#include "machine/dsom/plan/config.h"
#include "machine/dsom/plan/evaluate.h"
#include "machine/dsom/plan/ranges.h"

/* Bits per byte. */
enum {
  DSOM_IN_READS = DSOM_READ,     /* of the read ranges */
  DSOM_IN_WRITES = DSOM_WRITTEN, /* of the write ranges */
  DSOM_IN_INDIRECT = 4           /* of a buffer that is written indirectly */
};

typedef struct DsomPlan {
  const RspDsomProgram *program;
  RspDsomConfig config;
  guint8 **ranges; /* per kernel, per byte: as configured */
  guint8 *
      *exact; /* likewise: as declared; DSOM_READ and DSOM_WRITTEN bits, indirect ones included */
  /* Adaptive: the number of a (kernel, device, buffer) that some command writes, per command and
     buffer; n_keys where the command does not write it. */
  guint **keys;
  guint n_keys;
  guint *key_buffers; /* per key */
} DsomPlan;

/* NULL after an error: a range that is not within its buffer. */
DsomPlan *dsom_plan_new (const RspDsomProgram *program, const RspDsomConfig *config,
                         RspDiagnostics *diagnostics);
void dsom_plan_free (DsomPlan *plan);

static inline const RspDsomCommand *dsom_command_at (const DsomPlan *plan, guint command) {
  return &plan->program->commands[command];
}

/* The buffer to which a byte belongs. */
guint dsom_buffer_of (const RspDsomProgram *program, guint byte);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DsomPlan, dsom_plan_free)
