#pragma once

#include "model/stage/stage.h"

/* `{items}`: of events a set, of pairs of events a relation, of anything else a set of values. */
const StageValue *stage_set_of (Stage *stage, StageItems items, guint n);
const StageValue *stage_add (Stage *stage, RspSpan span, const StageValue *element,
                             const StageValue *set);
/* The elements in order, in the arena. FALSE after an error or STAGE_NEEDS_EXECUTION. */
gboolean stage_elements (Stage *stage, const StageValue *set, RspSpan span, StageItems *items,
                         guint *n);
/* Are there elements? If so, the first one and the rest. FALSE after an error or
 * STAGE_NEEDS_EXECUTION. */
gboolean stage_split_first (Stage *stage, const StageValue *set, RspSpan span, gboolean *any,
                            const StageValue **first, const StageValue **rest);
/* The same with an element in the middle, and the rest on both sides. */
gboolean stage_split_middle (Stage *stage, const StageValue *set, RspSpan span, gboolean *any,
                             const StageValue **before, const StageValue **middle,
                             const StageValue **after);
RspTruth stage_contains (Stage *stage, const StageValue *set, const StageValue *element,
                         RspSpan span);
RspTruth stage_subset (Stage *stage, const StageValue *a, const StageValue *b, RspSpan span);
/* a | b, a & b, a \\ b, where at least one is a set of values. */
const StageValue *stage_combine_values (Stage *stage, RspSpan span, RspCatExprKind op,
                                        const StageValue *a, const StageValue *b);
