/* Staging, private part: the evaluator of cat over one pre-execution.
 *
 * It walks the syntax tree with values; the values that matter are nodes of a DAG, which computes
 * what is known and keeps the rest as expressions. What looks into a value that is not known ends
 * the staging with STAGE_NEEDS_EXECUTION. A `with` that chooses among known values is made exhaustive by
 * replay: the model is evaluated once for each sequence of choices (choice.c). */
#ifndef RSP_MODEL_STAGE_STAGE_H
#define RSP_MODEL_STAGE_STAGE_H

#include "base/bindings.h"
#include "model/dag/dag.h"
#include "model/model.h"
#include "model/trace.h"

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
  const RspTraceTerm *term; /* NODE: where it came from, in a trace; else NULL */
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
      RspNodeId set, relation; /* relation: on the set, paths through other events included */
    } orders;
    struct
    {
      const RspCatPattern *pattern;
      const RspCatExpr *body;
      const StageEnv *env;
      const char *name; /* in a trace: what `let` calls it; NULL while it has no name */
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
  const RspBindings *names; /* symbol → the innermost StageEnv that binds it, from this one on; or
                             * NULL: see the next */
  guint number;             /* of the symbol */
  guint walk;               /* at most so many from here on have no names: see env.c */
};

typedef enum StageStatus
{
  STAGE_OK,
  STAGE_FAILED,          /* an error, reported in diagnostics */
  STAGE_EXHAUSTED,       /* the budget is exhausted: its owner reports it */
  STAGE_NEEDS_EXECUTION, /* needs a complete execution */
  STAGE_NO_MODEL         /* a `with` had nothing to choose from */
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

typedef struct StageTrace StageTrace;

typedef struct Stage
{
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
  GArray *ties;           /* of StageTie */
  GArray *names;          /* of RspStagedName: those of the outermost scope */
  gboolean names_co;      /* the model names co, fr or a part of them */
  guint next_choice;      /* how many choices this replay has made */
  const char *renamed;    /* `call … as`: the name of all axioms inside; else NULL */
  gboolean needs_order;   /* why it failed: a chosen order was looked into */
  gboolean missed;        /* a statement was left out, since it needs an execution */
  gboolean looked;        /* something looked into a value that is not known */
  guint n_undecided;      /* conditions that are not known, around what is evaluated now */
  guint n_diagnostics;    /* diagnostics before that */
  guintptr stack_limit;   /* of the machine's stack: recursion ends there */
  guint64 steps;
  gsize size_before; /* of the arena */

  /* All replays. */
  RspStagedModel *known; /* see RspStaging */
  GPtrArray *flags;      /* of const char * */
  GArray *choices;       /* of StageChoice: the replay's script */
  StageTrace *trace;     /* see trace.c; NULL when no trace is kept */
} Stage;

extern const StageValue stage_empty, stage_universe, stage_unknown;

/* Evaluates the model on base as far as base goes. NULL after an error reported in
 * diagnostics (recursion that does not end, an assertion that fails, …) and, silently, when the
 * budget is exhausted. Everything lives in arena but the DAGs' tables: rsp_staging_clear frees those. */
RspStaging *rsp_model_stage (const RspModel *model, const RspBase *base,
                             const RspStageOptions *options, RspArena *arena,
                             RspDiagnostics *diagnostics);
void rsp_staging_clear (RspStaging *staging);
/* The same by evaluating the model's text, without its template (template.h). */
RspStaging *stage_text (const RspModel *model, const RspBase *base, const RspStageOptions *options,
                        RspArena *arena, RspDiagnostics *diagnostics);

/* Does value (a set or relation) pass the axiom? */
gboolean rsp_axiom_holds (const RspStagedAxiom *axiom, const RspMatrix *value);

/* The node whose pairs an axiom of the kind forbids (if it is negated, requires): of acyclic r the
 * closure of r, which is added to the DAG, of the others r itself. Every axiom of a staged model has
 * it, so that searches only read the DAG. */
RspNodeId rsp_axiom_root (RspDag *dag, RspcheckAxiomKind kind, RspNodeId node);
/* Fills in the roots of axioms whose nodes are known. */
void stage_find_roots (RspDag *dag, RspStagedAxiom *axioms, guint n);

/* Evaluates the model on an execution: base with rf, co and, in orders, the chosen orders; script
 * is that of the staged model which the execution belongs to (see RspStagedModel). NULL after an
 * error reported in diagnostics, and, silently, when the budget is exhausted. Everything lives in
 * arena. */
RspTrace *rsp_model_trace (const RspModel *model, const RspBase *base, const guint *script,
                           guint n_script, const RspStageOptions *options, RspArena *arena,
                           RspDiagnostics *diagnostics);

#endif
