#pragma once

#include "model/stage/stage.h"

/* Coherence as a choice of an execution.
 *
 * The search orders all writes of each location. A model sees all of that if it names co (or fr,
 * coe, …), and otherwise the pairs that its own choices take (`with co from generate_cos(co0)`) and
 * the final writes of the observed locations. What it does not see is no choice: of the coherence
 * orders that look alike to the model only one, by convention, is an execution. */

/* Is the choice from this cross one of the search's coherence between some writes? Then its value;
 * else NULL. */
const StageValue *stage_coherence_of_cross (Stage *stage, RspSpan span, const StageValue *cross);
/* The same for a choice from listed values. */
const StageValue *stage_coherence_of_list (Stage *stage, StageItems items, guint n);

/* At the beginning of a replay: the next choice of the final writes of observed locations, which
 * the replay assumes. */
void stage_assume_finals (Stage *stage);
/* Is only one write of a location final in each execution? Not where coherence is partial and the
 * model sees all of it. */
gboolean stage_has_one_final (const Stage *stage);
/* How many such choices are there? `limit` if there are as many or more. */
guint stage_count_finals (Stage *stage, guint limit);

/* What the end of a replay adds to a model's axioms. */
typedef struct RspAddedAxioms {
  RspStagedAxiom axioms[2];
  guint n;
} RspAddedAxioms;

/* At the end of a replay: what is added is that one write is final, where a model that does not see
 * all of a partial coherence needs that, and the convention or, where threads wait for ever, that
 * they read co-last writes; these look at all of co, so that nothing of it is by convention.
 * Returns the pairs that the convention decides, NULL if there are none. model: what it sees of co;
 * seen: the pairs that it sees otherwise. */
RspMatrix *rsp_stage_fix_coherence (RspDag *dag, const RspBase *base, const RspStagedModel *model,
                                    const RspMatrix *seen, RspAddedAxioms *added, RspArena *arena);

/* Pairs of an execution's co (of the base) that are no choice of it: the convention decides them,
 * and they do not lead to the final write of an observed location. NULL: there are none. sees_co:
 * does the model see all of co? The rest as above. */
RspMatrix *rsp_stage_unseen_coherence (const RspBase *base, gboolean sees_co, const RspMatrix *seen,
                                       RspArena *arena);
