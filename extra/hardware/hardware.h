#pragma once

#include <gio/gio.h>

#include "parser/program.h"

/* ---- Hardware ------------------------------------------------------------------------------- */

/* Tests as programs for real devices: sources in C for a target, their runs, and logs in litmus7's
 * format. Independent of models: the states seen are compared with those that a model allows
 * through records. docs/hardware.md is the guide. */

typedef enum RspTarget {
  RSP_TARGET_CUDA,   /* NVIDIA GPUs: nvcc, libcu++ */
  RSP_TARGET_C11,    /* the host's processor: pthreads, stdatomic.h; scopes are dropped */
  RSP_TARGET_OPENCL, /* devices of OpenCL C 2.0 and later, by the installable client driver */
  RSP_N_TARGETS
} RspTarget;

/* "cuda", "c11", "opencl"; NULL ends them. */
extern const char *const rsp_target_names[RSP_N_TARGETS + 1];

typedef struct RspEmitOptions {
  RspTarget target;
  guint unroll; /* rounds of each loop: an instance that needs more is dropped, like executions of
                 * the model */
  gboolean cas_writeback[RSP_N_LANGUAGES]; /* a failing compare-exchange writes *expected */
} RspEmitOptions;

/* ---- Suite ---------------------------------------------------------------------------------- */

/* Writes the sources of a suite and a Makefile to a folder, which is created if necessary:
 * tests-NNN with some tests each, main, the target's headers. There is one note per program.
 * Programs are of RspProgram, and the target can run each. FALSE after an error. */
gboolean rsp_hardware_emit_suite (const GPtrArray *programs, const GPtrArray *notes,
                                  const RspEmitOptions *options, const char *folder,
                                  GError **error);

/* ---- Fit ------------------------------------------------------------------------------------ */

/* Puts the objects of a test in columns that its instructions call shared, and mbarriers, into the
 * memory of their work-groups. Before all others. */
void rsp_hardware_place_memory (RspProgram *program);

/* Why the test cannot run on the target and what to do, in one line; NULL if it can. Newly
 * allocated. Positions are those of the test's text. */
char *rsp_hardware_refusal (const RspProgram *program, const RspEmitOptions *options);

/* Turns the program's remote operations into ordinary ones of the same scope. Returns their
 * number. */
guint rsp_hardware_make_ordinary (RspProgram *program);

/* ---- Run ------------------------------------------------------------------------------------ */

/* Compiles sources to a program and runs it. No shell is involved: names of tests reach no
 * command. */

typedef struct RspDeviceRun {
  guint64 runs;   /* instances of each test; 0: as many as the seconds allow */
  double seconds; /* for each test; 0: no limit */
  guint64 seed;
  guint jobs;        /* compilers at a time */
  gboolean progress; /* on standard error, which must be a terminal */
} RspDeviceRun;

/* Compiles the sources that rsp_hardware_emit_suite has written in folder, and no others. The
 * compiler and its flags are those of the environment: NVCC and NVCCFLAGS, CC and CFLAGS. FALSE
 * after an error, whose message says what to do, or if cancelled (NULL: never); no compiler is
 * running then. */
gboolean rsp_hardware_build (RspTarget target, guint n_programs, const char *folder, guint jobs,
                             GCancellable *cancellable, GError **error);

/* Runs the program. Returns the log so far, newly allocated, never NULL; *error is set if the
 * program did not finish, or was ended because cancellable (may be NULL) was cancelled. */
char *rsp_hardware_run (const char *folder, const RspDeviceRun *how, GCancellable *cancellable,
                        GError **error);
