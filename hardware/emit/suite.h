#ifndef RSP_HARDWARE_EMIT_SUITE_H
#define RSP_HARDWARE_EMIT_SUITE_H

#include "hardware/hardware.h"

/* Appends the source of one test. It defines `test<number>`, and nothing else has that prefix. note
 * is for the log, or "". */
void rsp_hardware_emit_test (const RspProgram *program, const RspEmitOptions *options, guint number,
                             const char *note, GString *out);

/* Writes the sources of a suite and a Makefile to a folder, which is created if necessary:
 * tests-NNN with some tests each, main, the target's headers. There is one note per program.
 * Programs are of RspProgram, and the target can run each. FALSE after an error. */
gboolean rsp_hardware_emit_suite (const GPtrArray *programs, const GPtrArray *notes,
                                  const RspEmitOptions *options, const char *folder,
                                  GError **error);

#endif
