/* Tests as programs for real devices: sources in C for a target, their runs, and logs in litmus7's
 * format. Independent of models: the states seen are compared with those that a model allows
 * through records. docs/hardware.md is the guide. */
#pragma once

#include "parser/program.h"

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
