/* One test on the machine, under one mapping. */
#pragma once

#include "cli/machine/machines.h"
#include "report/record.h"

/* Runs the test and fills record, which the record of a model, the source, judges unless they are
 * NULL. */
void cli_machine_check (const CliMachines *machines, guint i, const CliOptions *options,
                        const RspCheckOptions *check, const RspProgram *program,
                        const RspModel *source, const RspRecord *model, RspRecord *record,
                        RspDiagnostics *diagnostics);
