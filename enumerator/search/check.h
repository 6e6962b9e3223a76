/* Checking one program under one model: paths, pre-executions, staging, search, and what comes out.
 */
#ifndef RSP_ENUMERATOR_SEARCH_CHECK_H
#define RSP_ENUMERATOR_SEARCH_CHECK_H

#include "enumerator/outcome.h"
#include "enumerator/pre_execution.h"
#include "model/model.h"

typedef enum RspEngine
{
  RSP_ENGINE_BOUNDED,
  RSP_ENGINE_NAIVE
} RspEngine;

/* Which executions count although a plain check fails (herd's -through). */
typedef enum RspThrough
{
  RSP_THROUGH_NONE,
  RSP_THROUGH_INVALID, /* those that fail a named check */
  RSP_THROUGH_ALL
} RspThrough;

/* -speedcheck: stop when the answer is known. */
typedef enum RspSpeedCheck
{
  RSP_SPEED_FALSE, /* every execution is counted */
  RSP_SPEED_TRUE,  /* only executions that satisfy the condition (refute it, for forall) are looked
                      for */
  RSP_SPEED_FAST   /* the first of them ends the search */
} RspSpeedCheck;

/* Features that can be switched off (RspCheckOptions.disabled): every combination must agree. */
typedef enum RspFeature
{
  RSP_FEATURE_FORCE = 1,     /* forced pairs from lower bounds */
  RSP_FEATURE_MEMO = 2,      /* memo of residual problems */
  RSP_FEATURE_COUNT = 4,     /* settled completions are counted, not enumerated */
  RSP_FEATURE_BRANCH = 8,    /* branch on the next write in co before open reads */
  RSP_FEATURE_VALUES = 16,   /* candidates that no constraint allows are removed early */
  RSP_FEATURE_SYMMETRY = 32, /* exchangeable threads are searched once */
  RSP_FEATURE_SHARE = 128,   /* combinations share their residual problems */
  RSP_FEATURE_FEASIBLE = 64  /* combinations of paths that no values allow are left out */
} RspFeature;

/* Does a failing compare-exchange write *expected? */
typedef enum RspCasWriteback
{
  RSP_CAS_WRITEBACK_DEFAULT, /* in C tests, as the standard says; not in OpenCL tests */
  RSP_CAS_WRITEBACK_ALWAYS,  /* -variant cas-writeback */
  RSP_CAS_WRITEBACK_NEVER    /* -variant no-cas-writeback */
} RspCasWriteback;

/* -spin: which rounds are kept of a loop that waits (paths/wait.h). */
typedef enum RspSpinning
{
  RSP_SPIN_ALL, /* as many as unrolling gives */
  RSP_SPIN_LAST /* the last, where the model bears it */
} RspSpinning;

typedef struct RspCheckOptions
{
  RspEngine engine;
  RspSpeedCheck speedcheck;
  RspThrough through;
  guint unroll; /* rounds per loop; 2 by default */
  RspCasWriteback cas_writeback;
  RspSpinning spin;
  gboolean outcome_reads; /* states also show what every read returned */
  double timeout;         /* seconds; 0: none */
  guint64 max_executions; /* 0: no limit */
  gsize max_memory;       /* bytes for the search's memo and states; 0: the default, 512 MiB */
  guint jobs;             /* threads inside this one check; 1 by default */
  guint help_after;       /* nodes of a search before other threads join it; 0: the default */
  RspStageOptions stage;
  guint disabled; /* bits of RspFeature switched off, for differential tests */
} RspCheckOptions;

void rsp_check_options_init (RspCheckOptions *options);
/* The same for a search that goes on with the same test, `spent` seconds of its time later. */
RspCheckOptions rsp_check_options_rest (const RspCheckOptions *options, double spent);

/* Never NULL. Diagnostics receive warnings (cut loops) and errors (RSP_STOP_ERROR, failed paths).
 */
RspOutcome *rsp_check (const RspProgram *program, const RspModel *model,
                       const RspCheckOptions *options, RspDiagnostics *diagnostics);

#endif
