/* What a check of a kernel is made of: readings of its text, each with an outcome. */
#pragma once

#include "api/run/kernel.h"

/* The outcomes of readings of the kernel: with failures as the end of a path, lenient, and with
 * assertions as failures. */
typedef struct CliReadings {
  RspCheckOptions check;           /* with which they are made */
  RspKernel *kernel, *lenient;     /* lenient NULL: nothing failed */
  RspOutcome *outcome, *leniently; /* leniently: the outcome itself, if nothing failed */
  RspKernel *asserting;            /* NULL: nothing failed, or nothing is asserted in the text */
  RspOutcome *asserted;
} CliReadings;

/* With readings->check, to which is added how what all executions begin with is found, if none
 * ends. FALSE after an error. An outcome may be unfinished. */
gboolean cli_readings_make (CliReadings *readings, const char *path, RspKernelOptions *options,
                            const RspModel *model, RspDiagnostics *diagnostics);
/* Of a kernel that may run for ever: what it finds before. FALSE, with a warning, if that is not
 * all found. */
gboolean cli_readings_make_endless (CliReadings *readings, const char *path,
                                    RspKernelOptions *options, const RspModel *model,
                                    RspDiagnostics *diagnostics);
void cli_readings_clear (CliReadings *readings);
/* The one whose flags count. */
const RspKernel *cli_readings_flagged (const CliReadings *readings);

gboolean cli_is_finished (const RspOutcome *outcome);
gboolean cli_is_raised (const RspOutcome *outcome, const char *flag);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliReadings, cli_readings_clear)
