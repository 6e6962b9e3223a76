/* One test translated by one mapping of -compile. */
#pragma once

#include "cli/machine/machines.h"
#include "report/record.h"

typedef struct CliCompile {
  const CliMachines *machines;
  guint mapping; /* index */
  const CliColumn *column;
  const RspModel *source, *target;
  gboolean verbose;
} CliCompile;

/* Runs the translated test under the target's model and fills record, which `allowed`, the source's
 * record, judges. */
void cli_compile_check (const CliCompile *compile, const RspProgram *program,
                        const RspRecord *allowed, RspRecord *record, RspDiagnostics *diagnostics);
