#pragma once

#include "model/stage/stage.h"

/* ---- Coherence ------------------------------------------------------------------------------ */

/* At the beginning of a replay: the next choice of the final writes of observed locations, which
 * the replay assumes. */
void stage_assume_finals (Stage *stage);

/* Has each execution only one final write per location? Not if coherence is partial and the model
 * sees all of it. */
gboolean stage_has_one_final (const Stage *stage);

/* The number of such choices, at most `limit`. */
guint stage_count_finals (Stage *stage, guint limit);

/* The axioms that the end of a replay adds to the model's. */
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
                                    const RspMatrix *seen, RspAddedAxioms *added);

/* Pairs of an execution's co (of the base) that it does not choose: the convention decides them,
 * and they do not lead to the final write of an observed location. NULL: there are none. sees_co:
 * does the model see all of co? The rest as above. */
RspMatrix *rsp_stage_unseen_coherence (const RspBase *base, gboolean sees_co, const RspMatrix *seen,
                                       RspArena *arena);

/* ---- Orders --------------------------------------------------------------------------------- */

/* Turns linearisations and products of choices into sets of values; returns other values unchanged.
 * NULL after an error or STAGE_NEEDS_EXECUTION. */
const StageValue *stage_spell_out (Stage *stage, RspSpan span, const StageValue *value);

/* ---- Env ------------------------------------------------------------------------------------ */

const StageEnv *stage_bind (Stage *stage, const StageEnv *env, const char *name,
                            const StageValue *value);

/* Binds a pattern to a value; FALSE after an error. */
gboolean stage_bind_pattern (Stage *stage, const StageEnv **env, const RspCatPattern *pattern,
                             const StageValue *value);

/* Binds every name of a pattern to a value that is unknown. */
void stage_bind_unknown (Stage *stage, const StageEnv **env, const RspCatPattern *pattern);

/* NULL if unbound. *own: is it bound by the model rather than predefined? */
const StageValue *stage_look_up (Stage *stage, const StageEnv *env, const char *name,
                                 gboolean *own);

/* ---- Expr ----------------------------------------------------------------------------------- */

/* Counts work. FALSE if the budget is exhausted or, with an error, if the model does more work than
 * any sensible one. */
gboolean stage_spend (Stage *stage, RspSpan span, guint64 steps);

/* Counts one step and checks the machine's stack, which stops endless recursion. */
gboolean stage_may_go_on (Stage *stage, RspSpan span);

/* NULL if the status is no longer STAGE_OK; likewise for all functions that return values. */
const StageValue *stage_eval (Stage *stage, const RspCatExpr *expr, const StageEnv *env);
const StageValue *stage_apply (Stage *stage, RspSpan span, const StageValue *function,
                               const StageValue *argument);

/* ---- Let ------------------------------------------------------------------------------------ */

gboolean stage_let (Stage *stage, const RspCatBinding *bindings, gboolean recursive,
                    const StageEnv **env);

/* ---- Match ---------------------------------------------------------------------------------- */

/* The clause that fits the value; env is extended with what it binds. NULL after an error. */
const RspCatClause *stage_choose_clause (Stage *stage, RspSpan span, const StageValue *value,
                                         const RspCatClause *clauses, const StageEnv **env);
gboolean stage_condition (Stage *stage, const RspCatCondition *condition, const StageEnv *env,
                          gboolean *truth);

/* ---- Operator ------------------------------------------------------------------------------- */

const StageValue *stage_unary (Stage *stage, RspSpan span, RspCatExprKind op, const StageValue *a);
const StageValue *stage_binary (Stage *stage, RspSpan span, RspCatExprKind op, const StageValue *a,
                                const StageValue *b);

/* ---- Functions ------------------------------------------------------------------------------ */

/* The order that a relation imposes on a set: its paths between events of the set, including those
 * through other events. */
RspNodeId rsp_stage_order_within (Stage *stage, RspNodeId relation, RspNodeId set);
const StageValue *stage_call_builtin (Stage *stage, RspSpan span, const StageValue *function,
                                      const StageValue *argument);

/* ---- Names ---------------------------------------------------------------------------------- */

/* NULL if there is none of that name. */
const StageValue *rsp_stage_predefined (Stage *stage, const char *name);

/* rf or co: what the search decides, or the given relation. */
RspNodeId stage_decided (RspDag *dag, RspNodeOp op, const RspMatrix *given);

/* The search's coherence, for what does not make it a choice of the model's executions. */
RspNodeId rsp_stage_coherence (Stage *stage);

/* Can the name be applied as a filter although it is not a function: `WW`, `RM`, `ext`? */
gboolean stage_is_filter (const char *name);
const StageValue *stage_filter (Stage *stage, RspSpan span, const char *name,
                                const StageValue *argument);

/* ---- Set ------------------------------------------------------------------------------------ */

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

/* ---- Statement ------------------------------------------------------------------------------ */

void stage_add_axiom (Stage *stage, const RspStagedAxiom *axiom);

/* Does a plain axiom hold whatever the search decides? value: the value of its node, or NULL if
 * that is open. */
gboolean stage_is_settled (const RspStagedAxiom *axiom, const RspMatrix *value);
gboolean stage_has_open_sets (const RspBase *base);

/* ---- Undecided ------------------------------------------------------------------------------ */

/* Conditions that are not known yet, as relations: all pairs if the condition holds, none
 * otherwise. So `if a subset b then x else y` is one expression over what the search decides,
 *
 *   (when & x) | (y \ when)      when = unv \ (unv * (a \ b) ; (a \ b) * unv)
 *
 * and the model need not inspect an execution. */

/* The value of an `if` whose condition is not known; both sides are evaluated. NULL, with the
 * status STAGE_NEEDS_EXECUTION, if the sides are not both sets or both relations, or if one
 * fails. */
const StageValue *stage_undecided_if (Stage *stage, const RspCatExpr *expr, const StageEnv *env);

/* ---- Trace ---------------------------------------------------------------------------------- */

/* Records how values are computed. Values are returned unchanged if no trace is kept. */

/* The result with its operator and operands (NULL for those it lacks). */
const StageValue *stage_traced (Stage *stage, const StageValue *result, RspTraceOp op,
                                const StageValue *a, const StageValue *b);
const StageValue *stage_traced_base (Stage *stage, const StageValue *value, const char *name);

/* The result of a function under the name of its call. */
const StageValue *stage_traced_call (Stage *stage, const StageValue *result, const RspCatExpr *call,
                                     const StageEnv *env);

/* A recursive definition's value after one more round; before: NULL in the first. */
const StageValue *stage_traced_round (Stage *stage, const StageValue *value, const char *name,
                                      const StageValue *before);

/* Records what env binds beyond outer: as named; as chosen; as a definition of the model. */
void stage_trace_names (Stage *stage, const StageEnv *env, const StageEnv *outer);
void stage_trace_chosen (Stage *stage, const StageEnv *env, const StageEnv *outer);

/* ---- Value ---------------------------------------------------------------------------------- */

/* A new value of that kind; the caller fills in the rest. */
StageValue *stage_value (Stage *stage, StageKind kind);
const StageValue *stage_node (Stage *stage, RspNodeId node);
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
gboolean stage_to_kind (Stage *stage, const StageValue *value, gboolean is_set, RspSpan span,
                        RspNodeId *node);

/* Both as sets if one of them is a set, and otherwise as relations. */
gboolean stage_both_to_nodes (Stage *stage, const StageValue *a, const StageValue *b, RspSpan span,
                              RspNodeId *x, RspNodeId *y);

/* The matrix of a node, or what is assumed of it; NULL if it is not known (STAGE_NEEDS_EXECUTION,
 * STAGE_NEEDS_VALUE). */
const RspMatrix *stage_constant (Stage *stage, RspNodeId node, RspSpan span);

/* Is the value independent of what the search decides? */
gboolean stage_is_known (const Stage *stage, const StageValue *value);
RspTruth stage_equal (const Stage *stage, const StageValue *a, const StageValue *b);
