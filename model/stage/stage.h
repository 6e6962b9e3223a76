/* Staging, private part: the evaluator of cat over one pre-execution.
 *
 * It walks the syntax tree with values; the values that matter are nodes of a DAG, which computes
 * what is known and keeps the rest as expressions. What looks into a value that is not known ends
 * the staging with STAGE_LATER. A `with` that chooses among known values is made exhaustive by
 * replay: the model is evaluated once for each sequence of choices (choice.c). */
#ifndef RSP_STAGE_H
#define RSP_STAGE_H

#include "model/dag/dag.h"
#include "model/model.h"

typedef enum StageKind
{
  STAGE_EMPTY,    /* 0: an empty set, relation or set of values, as the place demands */
  STAGE_UNIVERSE, /* unv: all events or all pairs */
  STAGE_NODE,     /* a set or a relation */
  STAGE_EVENT,    /* one event: also the set of it */
  STAGE_PAIR,     /* two events: also the relation of them */
  STAGE_TAG,
  STAGE_VALUES, /* a set of values */
  STAGE_TUPLE,
  STAGE_ORDERS, /* linearisations (set, relation), not spelt out */
  STAGE_CROSS,  /* cross (items), not spelt out */
  STAGE_CLOSURE,
  STAGE_BUILTIN, /* a predefined function with the arguments so far */
  STAGE_PROCEDURE,
  STAGE_UNKNOWN /* could not be evaluated before a complete execution is known */
} StageKind;

typedef struct StageValue StageValue;
typedef struct StageEnv StageEnv;
typedef struct StageFunction StageFunction;

typedef const StageValue *const *StageItems;

struct StageValue
{
  StageKind kind;
  union
  {
    RspNodeId node;
    guint events[2];
    const char *tag;
    struct
    {
      const StageValue **items; /* VALUES: sorted, without duplicates that are known to be */
      guint n;
    } list; /* VALUES, TUPLE, CROSS */
    struct
    {
      RspNodeId set, relation;
    } orders;
    struct
    {
      const RspCatPattern *pattern;
      const RspCatExpr *body;
      const StageEnv *env;
    } closure;
    struct
    {
      const StageFunction *function;
      const StageValue **arguments;
      guint n;
    } builtin;
    struct
    {
      const RspCatStatement *statement;
      const StageEnv *env;
    } procedure;
  } u;
};

/* Bindings, innermost first. Names are symbols: equal names are one pointer. */
struct StageEnv
{
  const char *symbol;
  const StageValue *value;
  const StageEnv *next;
};

typedef enum StageStatus
{
  STAGE_OK,
  STAGE_FAILED,  /* an error, told in diagnostics */
  STAGE_OVER,    /* the budget is over: nobody is told here */
  STAGE_LATER,   /* needs a complete execution */
  STAGE_NO_MODEL /* a `with` had nothing to choose from */
} StageStatus;

typedef enum StageTruth
{
  STAGE_NO,
  STAGE_YES,
  STAGE_MAYBE /* depends on what the search decides */
} StageTruth;

typedef struct StageChoice
{
  guint chosen, n;
} StageChoice;

/* A chosen order of all writes that extends co0: the final values come from it. */
typedef struct StageTie
{
  RspNodeId order;
  RspSpan span;
} StageTie;

typedef struct Stage
{
  const RspModel *model;
  const RspBase *base;
  const RspStageOptions *options;
  RspArena *arena;
  RspDiagnostics *diagnostics;
  StageStatus status;
  GHashTable *symbols;

  /* One replay. */
  RspDag *dag;
  GHashTable *predefined; /* symbol → StageValue */
  GArray *checks;         /* of RspStagedCheck */
  GArray *orders;         /* of RspStagedOrder */
  GArray *warnings;       /* of RspStagedWarning */
  GArray *ties;           /* of StageTie */
  GArray *names;          /* of RspStagedName: those of the outermost scope */
  gboolean asked_for_co;  /* the model names co, fr or a part of them */
  guint next_choice;      /* how many choices this replay has made */
  const char *renamed;    /* `call … as`: the name of all checks inside; else NULL */
  gboolean missed;        /* a statement was left out, since it needs an execution */
  guint told;             /* diagnostics before that */
  guintptr stack_limit;   /* of the machine's stack: recursion ends there */
  guint64 steps;

  /* All replays. */
  RspStagedModel *known; /* see RspStaging */
  GPtrArray *flags;      /* of const char * */
  GArray *choices;       /* of StageChoice: the replay's script */
} Stage;

/* ---- value.c: making, comparing and converting values ---- */

const StageValue *stage_node (Stage *stage, RspNodeId node);
const StageValue *stage_event (Stage *stage, guint event);
const StageValue *stage_pair (Stage *stage, guint a, guint b);
const StageValue *stage_tag (Stage *stage, const char *tag);
const StageValue *stage_list (Stage *stage, StageKind kind, StageItems items, guint n);
extern const StageValue stage_empty, stage_universe, stage_unknown;

/* Error, or STAGE_LATER: set the status and give NULL. `later` is itself an error when a complete
 * execution is given already: then only a chosen order can be what is not known. */
const StageValue *stage_fail (Stage *stage, RspSpan span, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
const StageValue *stage_later (Stage *stage, RspSpan span);

/* expr.c: has the budget come to its end? Then the status says so. */
gboolean stage_is_over (Stage *stage);
/* Counts work done; FALSE when the budget is over, and, with an error, when a model does more than
 * any sane one would. */
gboolean stage_spend (Stage *stage, RspSpan span, guint64 steps);
/* One step, with a look at the machine's stack: a recursion without end stops here. */
gboolean stage_may_go_on (Stage *stage, RspSpan span);

/* What a value is, for messages: "a set of events", "a function", … */
const char *stage_describe (const Stage *stage, const StageValue *value);

gboolean stage_is_set (const Stage *stage, const StageValue *value);
gboolean stage_is_relation (const Stage *stage, const StageValue *value);
gboolean stage_is_function (const StageValue *value);
gboolean stage_is_constant (const Stage *stage, RspNodeId node);

/* The node of a set or relation value; FALSE after an error. */
gboolean stage_to_set (Stage *stage, const StageValue *value, RspSpan span, RspNodeId *node);
gboolean stage_to_relation (Stage *stage, const StageValue *value, RspSpan span, RspNodeId *node);
gboolean stage_to_node (Stage *stage, const StageValue *value, RspSpan span, RspNodeId *node);
/* The matrix of a node; NULL when it is not known (STAGE_LATER). */
const RspMatrix *stage_constant (Stage *stage, RspNodeId node, RspSpan span);

/* Whether the value is what it is whatever the search decides. */
gboolean stage_is_known (const Stage *stage, const StageValue *value);
/* A total order on values, by which sets of values are sorted. */
int stage_compare (const Stage *stage, const StageValue *a, const StageValue *b);
StageTruth stage_equal (const Stage *stage, const StageValue *a, const StageValue *b);

/* ---- set.c: sets whose elements are looked at ---- */

/* `{items}`: of events a set, of pairs of events a relation, of anything else a set of values. */
const StageValue *stage_set_of (Stage *stage, StageItems items, guint n);
const StageValue *stage_add (Stage *stage, RspSpan span, const StageValue *element,
                             const StageValue *set);
/* The elements in order, in the arena. FALSE after an error or STAGE_LATER. */
gboolean stage_elements (Stage *stage, const StageValue *set, RspSpan span, StageItems *items,
                         guint *n);
/* Whether there are elements; then the first and the others. FALSE after an error or
 * STAGE_LATER. */
gboolean stage_split_first (Stage *stage, const StageValue *set, RspSpan span, gboolean *any,
                            const StageValue **first, const StageValue **rest);
/* The same around an element in the middle. */
gboolean stage_split_middle (Stage *stage, const StageValue *set, RspSpan span, gboolean *any,
                             const StageValue **before, const StageValue **middle,
                             const StageValue **after);
StageTruth stage_contains (Stage *stage, const StageValue *set, const StageValue *element,
                           RspSpan span);
StageTruth stage_subset (Stage *stage, const StageValue *a, const StageValue *b, RspSpan span);
/* a | b, a & b, a \\ b, of which one is a set of values. */
const StageValue *stage_combine_values (Stage *stage, RspSpan span, RspCatExprKind op,
                                        const StageValue *a, const StageValue *b);

/* ---- orders.c: linearisations ---- */

/* Spells out linearisations and products of choices as a set of values; other values as they are.
 * NULL after an error or STAGE_LATER. */
const StageValue *stage_spell_out (Stage *stage, RspSpan span, const StageValue *value);

/* ---- env.c: names ---- */

const StageEnv *stage_bind (Stage *stage, const StageEnv *env, const char *name,
                            const StageValue *value);
/* Binds a pattern to a value; FALSE after an error. */
gboolean stage_bind_pattern (Stage *stage, const StageEnv **env, const RspCatPattern *pattern,
                             const StageValue *value);
/* Binds every name of a pattern to a value that is unknown. */
void stage_bind_unknown (Stage *stage, const StageEnv **env, const RspCatPattern *pattern);
/* NULL when unbound. *own: bound by the model, not predefined. */
const StageValue *stage_look_up (Stage *stage, const StageEnv *env, const char *name,
                                 gboolean *own);

/* ---- predefined.c, builtin.c: what a model may name without defining it ---- */

/* NULL when there is none of that name. */
const StageValue *stage_predefined (Stage *stage, const char *name);
/* A name that may be called as a filter although it is none: `WW`, `RM`, `ext`. */
gboolean stage_is_filter (const char *name);
const StageValue *stage_filter (Stage *stage, RspSpan span, const char *name,
                                const StageValue *argument);
/* The predefined function of a name, or NULL. */
const StageFunction *stage_function (const char *name);
const StageValue *stage_call_builtin (Stage *stage, RspSpan span, const StageValue *function,
                                      const StageValue *argument);

/* ---- expr.c, operator.c, match.c, let.c: expressions ---- */

/* NULL when the status is no longer STAGE_OK; so for all that give values. */
const StageValue *stage_eval (Stage *stage, const RspCatExpr *expr, const StageEnv *env);
const StageValue *stage_apply (Stage *stage, RspSpan span, const StageValue *function,
                               const StageValue *argument);
const StageValue *stage_unary (Stage *stage, RspSpan span, RspCatExprKind op, const StageValue *a);
const StageValue *stage_binary (Stage *stage, RspSpan span, RspCatExprKind op, const StageValue *a,
                                const StageValue *b);
/* The clause that fits the value, and env with what it binds; NULL after an error. */
const RspCatClause *stage_choose_clause (Stage *stage, RspSpan span, const StageValue *value,
                                         const RspCatClause *clauses, const StageEnv **env);
gboolean stage_condition (Stage *stage, const RspCatCondition *condition, const StageEnv *env,
                          gboolean *truth);
gboolean stage_let (Stage *stage, const RspCatBinding *bindings, gboolean recursive,
                    const StageEnv **env);

/* ---- statement.c; choice.c: `with` ---- */

gboolean stage_statements (Stage *stage, const RspCatStatement *statement, const StageEnv **env);
void stage_add_check (Stage *stage, const RspStagedCheck *check);
/* `with pattern from value`. */
gboolean stage_with (Stage *stage, const RspCatStatement *statement, const StageValue *value,
                     const StageEnv **env);
/* At the end of a replay: what ties chosen orders of all writes to the search's co. */
void stage_tie_orders (Stage *stage);

#endif
