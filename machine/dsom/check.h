/* Running a program of commands on the machine dsom, and comparing with the flat buffer. */
#pragma once

#include "machine/dsom/plan/config.h"
#include "parser/dsom/program.h"
#include "report/record.h"

typedef struct RspDsomOptions {
  RspDsomConfig config;
  guint64 max_states; /* of either search; 0: no limit */
  double timeout;     /* seconds; 0: none */
  gsize max_memory;   /* bytes of states; 0: 1 GiB */
  gboolean traces;    /* shortest traces to wrong states */
  gboolean cost;
} RspDsomOptions;

/* Fills the parts of the record that describe the program and the machine before anything runs. */
void rsp_dsom_describe (const RspDsomProgram *program, const RspDsomOptions *options,
                        RspRecord *record);

/* Fills the described record: the machine's final states, each counted once; its verdict, whether
 * the flat buffer has all of them; flags `unsound`, `race` (which leaves the behaviour undefined),
 * and `I1` … `I5` for an invariant that fails in some state. Errors go to diagnostics. */
void rsp_dsom_check (const RspDsomProgram *program, const RspDsomOptions *options,
                     RspRecord *record, RspDiagnostics *diagnostics);
