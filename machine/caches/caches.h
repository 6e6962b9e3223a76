/* Machines made of caches, running one test: a transition system (see framework/system.h). */
#pragma once

#include "machine/caches/shape.h"
#include "machine/framework/system.h"
#include "machine/program/threads.h"
#include "parser/map/tree.h"

typedef struct Caches RspCaches;

typedef struct RspCachesOptions {
  const RspMachine *machine;
  const RspMap *map;
  RspReadings readings;
  RspThreadsOptions threads;
  gboolean tracing;  /* will steps be described? */
  gboolean counting; /* do bills also count waiting at locks? */
} RspCachesOptions;

/* Has the machine what the mapping's rows name? If not, that is reported. */
gboolean rsp_machine_takes (const RspMachine *machine, const RspReadings *readings,
                            const RspMap *map, RspDiagnostics *diagnostics);

/* NULL, with a diagnostic, if the machine cannot run the test or lacks the mapping's levels.
 * program and the mapping must outlive it. */
RspCaches *rsp_caches_new (const RspProgram *program, const RspCachesOptions *options,
                           RspDiagnostics *diagnostics);
void rsp_caches_free (RspCaches *caches);
const RspSystem *rsp_caches_system (const RspCaches *caches);

/* Calls visit with the final state (a value per observable) of a state that is RSP_END_FINAL.
 * Usually once; several times if paths of a thread differ in nothing that the machine does. */
typedef void (*RspFinalVisit) (gpointer user, const RspValue *values);
void rsp_caches_finals (RspCaches *caches, RspBytes state, RspFinalVisit visit, gpointer user);

/* What the search has met so far. */
gboolean rsp_caches_is_truncated (const RspCaches *caches);    /* has a loop needed more rounds? */
gboolean rsp_caches_too_many_values (const RspCaches *caches); /* have states been left out? */
/* Reports what stops the run: an operation for which the mapping has no row (FALSE), or an
 * execution that divides by zero or fails similarly (*failure, the caches' text; else NULL). */
gboolean rsp_caches_report (const RspCaches *caches, const char **failure,
                            RspDiagnostics *diagnostics);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspCaches, rsp_caches_free)
