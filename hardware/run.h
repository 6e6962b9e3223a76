/* Sources to a program, and its run. No shell is involved: what a test is called reaches no command. */
#ifndef RSP_HARDWARE_RUN_H
#define RSP_HARDWARE_RUN_H

#include "hardware/hardware.h"

#include <gio/gio.h>

typedef struct RspDeviceRun
{
  guint64 runs;   /* instances of each test; 0: as many as the seconds allow */
  double seconds; /* for each test; 0: no limit */
  guint64 seed;
  guint jobs;        /* compilers at a time */
  gboolean progress; /* on standard error, which must be a terminal */
} RspDeviceRun;

/* Compiles the sources of rsp_hardware_emit_suite in folder. The compiler and its flags are those of
 * the environment: NVCC and NVCCFLAGS, CC and CFLAGS. FALSE after an error, whose message says what to
 * do, or when cancelled (NULL: never); then no compiler runs any more. */
gboolean rsp_hardware_build (RspTarget target, const char *folder, guint jobs,
                             GCancellable *cancellable, GError **error);
/* Runs what was built. The log so far, newly allocated, never NULL; *error is set when the program did
 * not come to its end, or was ended because cancellable (may be NULL) was cancelled. */
char *rsp_hardware_run (const char *folder, const RspDeviceRun *how, GCancellable *cancellable,
                        GError **error);

#endif
