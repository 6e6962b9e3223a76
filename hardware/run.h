/* Compiles sources to a program and runs it. No shell is involved: names of tests reach no
 * command. */
#pragma once

#include "hardware/hardware.h"

#include <gio/gio.h>

typedef struct RspDeviceRun {
  guint64 runs;   /* instances of each test; 0: as many as the seconds allow */
  double seconds; /* for each test; 0: no limit */
  guint64 seed;
  guint jobs;        /* compilers at a time */
  gboolean progress; /* on standard error, which must be a terminal */
} RspDeviceRun;

/* Compiles the sources of rsp_hardware_emit_suite in folder. The compiler and its flags are those
 * of the environment: NVCC and NVCCFLAGS, CC and CFLAGS. FALSE after an error, whose message says
 * what to do, or if cancelled (NULL: never); no compiler is running then. */
gboolean rsp_hardware_build (RspTarget target, const char *folder, guint jobs,
                             GCancellable *cancellable, GError **error);
/* Runs the program. Returns the log so far, newly allocated, never NULL; *error is set if the
 * program did not finish, or was ended because cancellable (may be NULL) was cancelled. */
char *rsp_hardware_run (const char *folder, const RspDeviceRun *how, GCancellable *cancellable,
                        GError **error);
