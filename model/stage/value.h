#pragma once

#include "model/stage/stage.h"

static inline RspNodeId stage_binary_node (Stage *stage, RspNodeOp op, RspNodeId a, RspNodeId b) {
  return rsp_dag_binary (stage->dag, op, a, b);
}

const StageValue *stage_node (Stage *stage, RspNodeId node);
const StageValue *stage_event (Stage *stage, guint event);
const StageValue *stage_pair (Stage *stage, guint a, guint b);
const StageValue *stage_tag (Stage *stage, const char *tag);
const StageValue *stage_list (Stage *stage, StageKind kind, StageItems items, guint n);

/* Reports an error and sets the status. stage_fail returns NULL instead of a value, stage_refuse
 * FALSE. */
const StageValue *stage_fail (Stage *stage, RspSpan span, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
gboolean stage_refuse (Stage *stage, RspSpan span, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* Sets STAGE_NEEDS_EXECUTION. If a complete execution is already given, it is an error, since only
 * a chosen order can then be unknown. stage_await_execution returns NULL, stage_postpone FALSE. */
const StageValue *stage_await_execution (Stage *stage, RspSpan span);
gboolean stage_postpone (Stage *stage, RspSpan span);

/* The kind of a value, for messages: "a set of events", "a function", … */
const char *stage_describe (const Stage *stage, const StageValue *value);

gboolean stage_is_set (const Stage *stage, const StageValue *value);
gboolean stage_is_relation (const Stage *stage, const StageValue *value);
/* 0 or unv; values that are listed, or could be. */
gboolean stage_is_literal (const StageValue *value);
gboolean stage_is_collection (const StageValue *value);
gboolean stage_is_function (const StageValue *value);
gboolean stage_is_constant (const Stage *stage, RspNodeId node);

/* The node of a set or relation value; FALSE after an error. */
gboolean stage_to_set (Stage *stage, const StageValue *value, RspSpan span, RspNodeId *node);
gboolean stage_to_relation (Stage *stage, const StageValue *value, RspSpan span, RspNodeId *node);
gboolean stage_to_node (Stage *stage, const StageValue *value, RspSpan span, RspNodeId *node);
/* The matrix of a node, or what is assumed of it; NULL if it is not known (STAGE_NEEDS_EXECUTION,
 * STAGE_NEEDS_VALUE). */
const RspMatrix *stage_constant (Stage *stage, RspNodeId node, RspSpan span);

/* Is the value independent of what the search decides? */
gboolean stage_is_known (const Stage *stage, const StageValue *value);
/* A total order on values, by which sets of values are sorted. */
int stage_compare (const Stage *stage, const StageValue *a, const StageValue *b);
RspTruth stage_equal (const Stage *stage, const StageValue *a, const StageValue *b);
