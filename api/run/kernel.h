/* Kernels before they are checked: their arrays get the sizes that their accesses need, and what
 * only one work-item accesses, or nothing writes, costs no event. */
#pragma once

#include "enumerator/search/check.h"
#include "parser/kernel/kernel.h"

/* Reads the kernel, explores the paths of its work-items, and reads it again with the sizes found.
 * Sizes that a check found are in facts (of RspObjectFacts), to which more are added. NULL after an
 * error. */
RspKernel *rsp_kernel_explore (const char *path, RspKernelOptions *options, GPtrArray *facts,
                               const RspCheckOptions *check, RspDiagnostics *diagnostics);
/* Some executions access elements that an array does not have: does it grow? The facts say so then.
 */
gboolean rsp_kernel_grow (const RspKernel *kernel, const RspOutcome *outcome, GPtrArray *facts);
/* Does an execution access an element beyond those to which arrays grow? Then that is an error, not
 * a finding. */
gboolean rsp_kernel_is_cut (const RspKernel *kernel, const RspOutcome *outcome,
                            RspDiagnostics *diagnostics);
GPtrArray *rsp_kernel_facts_new (void);
/* All paths of a work-item, as rsp_paths_enumerate finds them: those of a check, and those on which
 * it never ends. */
gboolean rsp_kernel_paths (const RspKernel *kernel, guint thread, const RspCheckOptions *check,
                           RspTerms *terms, RspArena *arena, RspBudget *budget, GPtrArray *paths,
                           RspDiagnostics *diagnostics);
