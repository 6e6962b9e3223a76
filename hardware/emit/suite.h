#pragma once

#include "hardware/hardware.h"

/* Writes the sources of a suite and a Makefile to a folder, which is created if necessary:
 * tests-NNN with some tests each, main, the target's headers. There is one note per program.
 * Programs are of RspProgram, and the target can run each. FALSE after an error. */
gboolean rsp_hardware_emit_suite (const GPtrArray *programs, const GPtrArray *notes,
                                  const RspEmitOptions *options, const char *folder,
                                  GError **error);
