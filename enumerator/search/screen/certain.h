/* Certainty: what holds of a part of an execution and so of every execution that contains the part.
 *
 * A part has some of the execution's events, with all base sets and relations between them, and
 * pairs of rf and co that the execution has (perhaps not all). Names are followed down to the base,
 * whose pairs are pairs of the whole. Unions, intersections, sequences, closures, … of certain
 * relations are certain. Only exact sets and relations may be subtracted: those that are completely
 * known between these events, such as `loc`, `~na * ~na` or `wg \ wi`, but not `po ; po`, which may
 * run through events that the part lacks. Nothing else is certain. */
#pragma once

#include "model/model.h"
#include "model/trace/trace.h"

/* Is the evaluation of the model's text the same for every execution? Not if it inspects values
 * (match, forall, if, fold, …) or chooses among orders. */
gboolean certain_may_ask (const RspModel *model);

/* trace: of the model on a part. Does a plain axiom fail in every execution that contains the
 * part? */
gboolean certain_failure (const RspTrace *trace, RspArena *arena);
