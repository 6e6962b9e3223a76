/* Certain: what a model says of a part of an execution and of every execution that it is part of.
 *
 * A part has some of the execution's events with all base sets and relations between them, and of rf and
 * co pairs that the execution has (not all, perhaps). Names are followed down to the base: what is
 * there is there in the whole. A union, intersection, sequence, closure, … of what is certain is
 * certain. From a set or relation only what is exact may be taken away: known whole between these
 * events, such as `loc`, `~na * ~na` or `wg \ wi`, but not `po ; po`, which may run through events that
 * the part lacks. Of all else nothing is certain. */
#ifndef RSP_ENUMERATOR_SEARCH_SCREEN_CERTAIN_H
#define RSP_ENUMERATOR_SEARCH_SCREEN_CERTAIN_H

#include "model/model.h"
#include "model/trace.h"

/* Is the model's text the same whatever the execution? Not where it looks into values (match, forall,
 * if, fold, …) or chooses among orders. */
gboolean certain_may_ask (const RspModel *model);

/* trace: of the model on a part. Does a plain check fail in every execution that it is part of? */
gboolean certain_failure (const RspTrace *trace, RspArena *arena);

#endif
