/* Cores: per combination of paths, sets of plain axioms that no execution of it with the outcome in
 * question satisfies together, whatever the other axioms. A question that demands all axioms of a
 * core has no answer there and needs no search. (Unsatisfiable cores: Liffiton, Sakallah 2008,
 * section 2.) */
#pragma once

#include "enumerator/search/query/question.h"
#include "model/stage/stage.h"

typedef struct Cores Cores;

Cores *cores_new (guint n_combinations);
void cores_free (Cores *cores);
/* Forgets all cores, since the outcome changes. */
void cores_clear (Cores *cores);

/* A set of axioms: a GArray of RspStagedAxiom, of which id and name count, each id once. */
GArray *rsp_core_new (void);
void rsp_core_add (GArray *core, const RspStagedAxiom *axiom);
/* Adds the axioms of the staged models that pruned a branch of a search or forced a pair. */
void core_add_used (GArray *core, const RspStaging *staging, const GArray *prunings);

/* Copies the set. */
void cores_add (Cores *cores, guint combination, const GArray *core);
/* Is it known that no execution of the combination answers the question? */
gboolean cores_refute (const Cores *cores, guint combination, const RspQuestion *question,
                       RspcheckThrough through);
