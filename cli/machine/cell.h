/* One test on the machine, under one mapping. */
#pragma once

#include "cli/machine/machines.h"
#include "report/record.h"

/* Runs the test and fills record, which a model's record judges unless that is NULL. */
void cli_machine_check (const CliMachines *machines, guint i, const CliOptions *options,
                        const RspCheckOptions *check, const RspProgram *program,
                        const RspRecord *model, RspRecord *record, RspDiagnostics *diagnostics);
