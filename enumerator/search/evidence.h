/* Evidence: the events that show why a flag is raised, the two accesses of a data race for
 * instance. */
#ifndef RSP_ENUMERATOR_SEARCH_EVIDENCE_H
#define RSP_ENUMERATOR_SEARCH_EVIDENCE_H

#include "enumerator/search/check.h"

/* An event, where the test's text has it. */
typedef struct RspEvidenceEvent
{
  gboolean initial; /* an initial write: of no thread */
  guint thread;     /* its number, as in P0 */
  guint line, column;
  char *text; /* "*x = 1"; blanks and line ends in it are one blank */
} RspEvidenceEvent;

typedef struct RspEvidence
{
  char *flag;
  GArray *events; /* of RspEvidenceEvent */
} RspEvidence;

/* Evidence of each flag that the outcome raises, in its order, as far as there is one: an array of
 * RspEvidence, never NULL. The axiom determines what the events are:
 *
 *   empty r        (a, b), the least pair of r that some execution has
 *   empty s        the least event of s
 *   irreflexive r  the least event that r relates to itself
 *   acyclic r      a cycle, from the least event that is on one
 *
 * Pairs are ordered by thread, and in a thread as the events are in the text (program order); of
 * all combinations of paths, in the order of the check, the first that has such an execution
 * counts. So evidence does not depend on how the engine searches. An axiom that failed because
 * nothing is in the relation has no evidence, nor has a model that looks into complete
 * executions. */
GPtrArray *rsp_evidence_find (const RspModel *model, const RspCheckOptions *options,
                              const RspOutcome *outcome);

#endif
