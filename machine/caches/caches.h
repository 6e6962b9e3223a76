/* Machines made of caches, running one test: a transition system (see framework/system.h). */
#ifndef RSP_MACHINE_CACHES_CACHES_H
#define RSP_MACHINE_CACHES_CACHES_H

#include "machine/caches/shape.h"
#include "machine/framework/system.h"
#include "machine/program/threads.h"
#include "parser/map/tree.h"

typedef struct Caches RspCaches;

typedef struct RspCachesOptions
{
  const RspMachine *machine;
  const RspMap *map;
  RspReadings readings;
  RspThreadsOptions threads;
  gboolean tracing;  /* steps will be described */
  gboolean counting; /* bills count waiting at locks, too */
} RspCachesOptions;

/* NULL, with a diagnostic, when the machine cannot run the test or has not the mapping's levels.
 * program and the mapping must outlive it. */
RspCaches *rsp_caches_new (const RspProgram *program, const RspCachesOptions *options,
                           RspDiagnostics *diagnostics);
void rsp_caches_free (RspCaches *caches);
const RspSystem *rsp_caches_system (const RspCaches *caches);

/* Calls visit with the final state that a state (RSP_END_FINAL) is: a value for each observable. Mostly once; several times
 * where paths of a thread differ in nothing that the machine does. */
typedef void (*RspFinalVisit) (gpointer user, const RspValue *values);
void rsp_caches_finals (RspCaches *caches, RspBytes state, RspFinalVisit visit, gpointer user);

/* What the search met so far. */
gboolean rsp_caches_is_truncated (const RspCaches *caches);    /* a loop that needs more rounds */
gboolean rsp_caches_too_many_values (const RspCaches *caches); /* states were left out */
/* Reports what stops the run: an operation that the mapping has no row for (FALSE then), an
 * execution that divides by zero or similar (*failed). */
gboolean rsp_caches_report (const RspCaches *caches, gboolean *failed, RspDiagnostics *diagnostics);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspCaches, rsp_caches_free)

#endif
