#pragma once

#include "base/base.h"
#include "model/dag/dag.h"
#include "model/model.h"
#include "model/trace_op.h"

/* ---- Trace ---------------------------------------------------------------------------------- */

/* Traces: a model evaluated on one execution, together with how every set and relation was
 * computed.
 *
 * The terms of a trace are the model's own expressions with their values: names as the author wrote
 * them, functions with their arguments, recursive definitions round by round. Explanations walk
 * down these terms; nothing is simplified. */

typedef struct RspTraceTerm RspTraceTerm;

struct RspTraceTerm {
  RspTraceOp op;
  gboolean is_set;
  const char *name; /* the author's name: "hb", "ra_sw(G)"; NULL for an expression without one */
  const RspMatrix *value;
  const RspTraceTerm *operands[2]; /* the operator's operands; the rest are NULL */
  /* Of a recursive definition: the same name one round earlier; NULL in the first round, and for
   * everything else. Values grow from round to round if the definition is monotone. */
  const RspTraceTerm *before;
};

typedef struct RspTracedAxiom {
  const char *id; /* see RspStagedAxiom */
  RspcheckAxiomRole role;
  RspcheckAxiomKind kind;
  gboolean negated, holds;
  RspSpan span;
  const RspTraceTerm *term;
} RspTracedAxiom;

typedef struct RspTrace {
  const RspTraceTerm **names; /* defined sets and relations, in order of definition */
  guint n_names;
  const RspTracedAxiom *axioms; /* all axioms, including those of flags, in the model's order */
  guint n_axioms;
  const RspTraceTerm **shown; /* `show`: in order; each has a name */
  guint n_shown;
  const char **hidden; /* `unshow`: its names */
  guint n_hidden;
  const RspMatrix *unseen_co; /* pairs of co that the execution does not choose; NULL: none */
} RspTrace;

/* Appends the term to out as the author might write it, using names where there are any: "[rel & G]
 * ; po". */
void rsp_trace_term_format (const RspTraceTerm *term, GString *out);

/* ---- Stage ---------------------------------------------------------------------------------- */

/* Staging, private part: the evaluator of cat over one pre-execution.
 *
 * It evaluates the syntax tree; the values that matter are nodes of a DAG, which computes what is
 * known and keeps the rest as expressions. Inspecting a value that is not known ends the staging
 * with STAGE_NEEDS_EXECUTION. A `with` that chooses among known values is made exhaustive by
 * replay: the model is evaluated once for each sequence of choices (choices.c). */

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
  guint walk;               /* limit of environments from here on without an index: see value.c */
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
  RspMatrix *seen_co;     /* pairs of co that the model has chosen; NULL: none. See choices.c */
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
  StageTrace *trace;            /* NULL if no trace is kept */
} Stage;

static inline gboolean stage_has_failed (const Stage *stage) {
  return stage->status == STAGE_FAILED || stage->status == STAGE_NEEDS_ORDER;
}

extern const StageValue stage_empty, stage_universe;

/* Evaluates the model's text on base, as far as base determines it. NULL after an error, which is
 * reported in diagnostics (endless recursion, a failed assertion, …), and, silently, if the budget
 * is exhausted. Everything lives in arena except the DAGs' tables, which rsp_staging_clear frees.
 */
RspStaging *stage_text (const RspModel *model, const RspBase *base, const RspStageOptions *options,
                        RspArena *arena, RspDiagnostics *diagnostics);
void rsp_staging_clear (RspStaging *staging);

/* TRUE if value (a set or relation) passes the axiom. */
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

/* ---- Choice --------------------------------------------------------------------------------- */

/* `with pattern from value`. */
gboolean stage_with (Stage *stage, const RspCatStatement *statement, const StageValue *value,
                     const StageEnv **env);

/* A chosen order that no `with` of the model makes, as the base determines it. */
RspStagedOrder rsp_stage_predefined_order (RspChosenKind kind, const RspBase *base,
                                           RspArena *arena);

/* S as a model with `withsc` sees it, on the seq_cst events. */
RspNodeId rsp_stage_sc_order (RspDag *dag, const RspBase *base);

/* sync_fence, which is an order of the model from its first use on. */
RspNodeId rsp_stage_sync_fence (Stage *stage);

/* The index-th chosen order: the given one, or the search's. */
RspNodeId rsp_stage_chosen_order (Stage *stage, guint index);

/* ---- Template ------------------------------------------------------------------------------- */

/* Templates: a model evaluated once, independently of any pre-execution, with every base set and
 * relation left open. The result is the expressions of its axioms; each pre-execution only fills in
 * its own sets and relations, in one pass over some hundred operators instead of an evaluation of
 * the text.
 *
 * Tests need not be similar for this. A model that inspects values (match, forall, classes,
 * choices) has no template and is evaluated on every base; for `if` see stage_undecided_if. */

/* Where a model keeps its template, which is made at its first use. */
typedef struct RspTemplateSlot RspTemplateSlot;

RspTemplateSlot *template_slot_new (void);
void template_slot_free (RspTemplateSlot *slot);

/* The same as evaluating the text on base, except for nodes that no axiom needs. NULL if the text
 * has to be evaluated: there is no template, the options require more than it has, part of the
 * model is an error on this base, or the budget is exhausted. Reports only a recursive definition
 * that does not converge, since that exhausts the budget; several threads may call it at once. */
RspStaging *stage_from_template (const RspModel *model, const RspBase *base,
                                 const RspStageOptions *options, RspArena *arena,
                                 RspDiagnostics *diagnostics);

/* Evaluates the model on base, from its template if it has one for such a base; otherwise its text
 * (see stage_text). */
RspStaging *rsp_model_stage (const RspModel *model, const RspBase *base,
                             const RspStageOptions *options, RspArena *arena,
                             RspDiagnostics *diagnostics);

/* The model evaluated with nothing known, not even the number of events (two at least): all base
 * sets and relations are OPEN. NULL after an error, which is reported, and silently if something
 * has to be known or the budget is exhausted. The caller frees the dag. */
const RspStagedModel *rsp_model_stage_open (const RspModel *model, const RspLanguage *language,
                                            const RspStageOptions *options, RspArena *arena,
                                            RspDiagnostics *diagnostics);

/* The same, as the model keeps it: made at its first use, with all axioms, and it belongs to the
 * model. NULL if something has to be known or the budget is exhausted. */
const RspStagedModel *rsp_model_opened (const RspModel *model, RspBudget *budget);
