/* Evidence: the events that show why a flag is raised, the two accesses of a data race for
 * instance. */
#pragma once

#include "enumerator/search/search.h"

/* An event and its position in the test's text. */
typedef struct RspEvidenceEvent {
  gboolean initial; /* an initial write, which belongs to no thread */
  guint thread;     /* its number, as in P0 */
  guint line, column;
  RspSource *file; /* that these are of; NULL: the program's */
  gboolean reads, writes, atomic;
  const char *location; /* the name of what it accesses, in the program; NULL: nothing */
  char *text;           /* "*x = 1"; each sequence of blanks and line ends becomes one blank */
} RspEvidenceEvent;

typedef struct RspEvidence {
  char *flag;
  GArray *events;   /* of RspEvidenceEvent */
  GArray *steps;    /* the same: what the events' threads do up to them, one thread after
                     * another; none unless evidence on every line is asked for */
  gboolean guessed; /* do its executions depend on values that are not known, as branches on what an
                     * uninterpreted function gives? */
  gboolean same_value; /* on every line: do all such pairs on its two lines write one value,
                        * plainly? */
} RspEvidence;

/* Evidence for each flag that the outcome raises, in its order, if there is any: an array of
 * RspEvidence, never NULL. The axiom determines the events:
 *
 *   empty r        (a, b), the least pair of r that some execution has
 *   empty s        the least event of s
 *   irreflexive r  the least event that r relates to itself
 *   acyclic r      a cycle, from the least event that is on one
 *
 * Pairs are ordered by thread, and within a thread by program order. Among combinations of paths,
 * the first in the order of the check that has such an execution is used. So evidence does not
 * depend on how the engine searches. There is no evidence for an axiom that fails because its
 * relation is empty, nor for models that inspect complete executions. stop: COMPLETE, or why some
 * may be missing. */
GPtrArray *rsp_evidence_find (const RspModel *model, const RspCheckOptions *options,
                              const RspOutcome *outcome, RspcheckStop *stop);

/* The same for each two lines of the text on which such pairs are, and each line with such an
 * element, of the first combination or, if there are many, the least one of an execution that the
 * solver finds. Flags that cycles raise have one. */
GPtrArray *rsp_evidence_find_every_line (const RspModel *model, const RspCheckOptions *options,
                                         const RspOutcome *outcome, RspcheckStop *stop);

/* Is it evidence of the flag, and are its first and last event on the lines of these, in whatever
 * order? It must have events. */
gboolean rsp_evidence_is_on (const RspEvidence *evidence, const char *flag,
                             const RspEvidenceEvent *a, const RspEvidenceEvent *b);

/* Are both plain writes of one value, whatever is read? */
gboolean rsp_evidence_is_same_value (const RspEvent *a, const RspEvent *b);
