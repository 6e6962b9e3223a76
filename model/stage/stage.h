/* Staging, private part: the evaluator of cat over one pre-execution.
 *
 * It evaluates the syntax tree; the values that matter are nodes of a DAG, which computes what is
 * known and keeps the rest as expressions. Inspecting a value that is not known ends the staging
 * with STAGE_NEEDS_EXECUTION. A `with` that chooses among known values is made exhaustive by
 * replay: the model is evaluated once for each sequence of choices (choice.c). */
#pragma once

#include "base/structures/bindings.h"
#include "base/truth.h"
#include "model/dag/dag.h"
#include "model/model.h"
#include "model/trace/trace.h"

typedef enum StageKind {
  STAGE_EMPTY,    /* 0: an empty set, relation or set of values, as the context requires */
  STAGE_UNIVERSE, /* unv: all events or all pairs */
  STAGE_NODE,     /* a set or a relation */
  STAGE_EVENT,    /* one event; also the set of that event */
  STAGE_PAIR,     /* two events; also the relation of that pair */
  STAGE_TAG,
  STAGE_VALUES, /* a set of values */
  STAGE_TUPLE,
  STAGE_ORDERS, /* linearisations (set, relation), not listed */
  STAGE_CROSS,  /* cross (items), not listed */
  STAGE_CLOSURE,
  STAGE_BUILTIN, /* a predefined function with the arguments so far */
  STAGE_PROCEDURE,
  STAGE_UNKNOWN /* cannot be evaluated until a complete execution is known */
} StageKind;

typedef struct StageValue StageValue;
typedef struct StageEnv StageEnv;
typedef struct StageFunction StageFunction;

typedef const StageValue *const *StageItems;

struct StageValue {
  StageKind kind;
  const RspTraceTerm *term; /* NODE: where it came from, in a trace; else NULL */
  union {
    RspNodeId node;
    guint events[2];
    const char *tag;
    struct {
      const StageValue **items; /* VALUES: is it sorted, without known duplicates? */
      guint n;
    } list; /* VALUES, TUPLE, CROSS */
    struct {
      RspNodeId set, relation; /* relation: on the set, including paths through other events */
    } orders;
    struct {
      const RspCatPattern *pattern;
      const RspCatExpr *body;
      const StageEnv *env;
      const char *name; /* in a trace: the name that `let` gives it; NULL while it has none */
    } closure;
    struct {
      const StageFunction *function;
      const StageValue **arguments;
      guint n;
    } builtin;
    struct {
      const RspCatStatement *statement;
      const StageEnv *env;
    } procedure;
  } u;
};

/* Bindings, innermost first. Names are symbols: equal names are one pointer. */
struct StageEnv {
  const char *symbol;
  const StageValue *value;
  const StageEnv *next;
  const RspBindings *names; /* symbol → the innermost StageEnv that binds it, from this one on; or
                             * NULL: see the next */
  guint number;             /* of the symbol */
  guint walk;               /* limit of environments from here on without an index: see env.c */
};

typedef enum StageStatus {
  STAGE_OK,
  STAGE_FAILED,          /* an error, which is reported in diagnostics */
  STAGE_NEEDS_ORDER,     /* the same: the value of a chosen order was needed */
  STAGE_EXHAUSTED,       /* the budget is exhausted, which its owner reports */
  STAGE_NEEDS_EXECUTION, /* needs a complete execution */
  STAGE_NEEDS_VALUE,     /* needs one more value that can be assumed: see RspBase.assumes */
  STAGE_NO_MODEL         /* a `with` had nothing to choose from */
} StageStatus;

typedef struct StageChoice {
  guint chosen, n;
  gboolean is_note; /* says how something was done; there is nothing to choose */
} StageChoice;

typedef struct StageTrace StageTrace;

typedef struct Stage {
  const RspModel *model;
  const RspBase *base;
  const RspStageOptions *options;
  RspArena *arena;
  RspDiagnostics *diagnostics;
  StageStatus status;
  GHashTable *symbols; /* see rsp_symbol */

  /* One replay. */
  RspDag *dag;
  GHashTable *predefined; /* symbol → StageValue */
  GArray *axioms;         /* of RspStagedAxiom */
  GArray *orders;         /* of RspStagedOrder */
  GArray *warnings;       /* of RspStagedWarning */
  GArray *names;          /* of RspStagedName: those of the outermost scope */
  gboolean names_finals;  /* does it use FW or co0? */
  RspMatrix *seen_co;     /* pairs of co that the model has chosen; NULL: none. See coherence.h */
  RspMatrix *finals;      /* FW, if this replay assumes it; else NULL */
  guint n_assumed_finals; /* how many of the first choices are of these */
  guint next_choice;      /* number of choices that this replay has made */
  guint next_assumed;     /* how many assumed values this replay has looked into */
  RspNodeId needed;       /* NEEDS_VALUE: whose */
  const char *renamed;    /* `call … as`: the name of all axioms in the procedure; else NULL */
  gboolean missed;        /* has a statement been left out because it needs an execution? */
  gboolean looked;        /* has a value that is not known been inspected? */
  guint n_undecided;      /* number of unknown conditions around what is being evaluated */
  guint n_diagnostics;    /* diagnostics before that */
  guintptr stack_limit;   /* address in the machine's stack at which recursion ends */
  guint64 steps;
  gsize size_before; /* of the arena */

  /* All replays. */
  gboolean assumes_finals;      /* is there a replay for each choice of final writes? */
  RspStagedModel *known;        /* see RspStaging */
  RspStagedModel *needed_model; /* RspStaging.needed */
  GPtrArray *flags;             /* of const char * */
  GArray *choices;              /* of StageChoice: the replay's script */
  StageTrace *trace;            /* see trace.c; NULL if no trace is kept */
} Stage;

static inline gboolean stage_has_failed (const Stage *stage) {
  return stage->status == STAGE_FAILED || stage->status == STAGE_NEEDS_ORDER;
}

extern const StageValue stage_empty, stage_universe, stage_unknown;

/* Evaluates the model's text on base, as far as base determines it. NULL after an error, which is
 * reported in diagnostics (endless recursion, a failed assertion, …), and, silently, if the budget
 * is exhausted. Everything lives in arena except the DAGs' tables, which rsp_staging_clear frees.
 */
RspStaging *stage_text (const RspModel *model, const RspBase *base, const RspStageOptions *options,
                        RspArena *arena, RspDiagnostics *diagnostics);
void rsp_staging_clear (RspStaging *staging);

/* Does value (a set or relation) pass the axiom? */
gboolean rsp_axiom_holds (const RspStagedAxiom *axiom, const RspMatrix *value);

/* The node whose pairs an axiom of the kind forbids (if it is negated, requires): of acyclic r the
 * closure of r, which is added to the DAG, of the others r itself. Every axiom of a staged model
 * has it, so that searches only read the DAG. */
RspNodeId rsp_axiom_root (RspDag *dag, RspcheckAxiomKind kind, RspNodeId node);
/* Fills in the roots of axioms whose nodes are known. */
void stage_find_roots (RspDag *dag, RspStagedAxiom *axioms, guint n);

/* Evaluates the model on an execution: base with rf, co and, in orders, the chosen orders; script
 * is that of the staged model to which the execution belongs (see RspStagedModel). NULL after an
 * error, which is reported in diagnostics, and, silently, if the budget is exhausted. Everything
 * lives in arena. */
RspTrace *rsp_model_trace (const RspModel *model, const RspBase *base, const guint *script,
                           guint n_script, const RspStageOptions *options, RspArena *arena,
                           RspDiagnostics *diagnostics);
