/* Models: cat files loaded and type-checked, and their staging on a pre-execution. */
#pragma once

#include "model/dag/dag.h"
#include "parser/cat/tree.h"

typedef struct RspModelUse {
  const char *name;
  guint languages; /* that have it, as bits 1 << RspLanguageId */
  gboolean judges; /* is it used for anything but pictures? */
  RspSpan span;
} RspModelUse;

typedef struct RspModel {
  RspArena *arena;
  char *path;        /* of the file that was found */
  char *name;        /* the model's own name, or else the file's */
  RspSpan processor; /* the word of its first line that names a processor whose tests it is for; or
                      * nowhere */
  GPtrArray
      *sources; /* of RspSource: the file and all it includes, in order of reading; the prelude */
  RspCatStatement *prelude; /* definitions that every model may use: they precede its statements */
  RspCatStatement *statements;
  char **variants;        /* the variants that are on, NULL-terminated */
  gboolean with_sc;       /* option withsc: the search chooses S */
  gboolean wide_barriers; /* option withwidebarriers: a test's `barrier (flags, scope)` joins its
                             scope */
  gboolean sees_co; /* is all of coherence a choice: by the option withco, or since the model names
                       it? */
  gboolean sees_finals;     /* does the model name final writes, FW or co0? */
  gboolean rmw_is_relation; /* how this model uses `rmw`: decided by the type checker */
  GArray *uses;             /* of RspModelUse: predefined names, each where it is first used */
  GPtrArray
      *plain_axioms; /* of const char *: names of axioms that forbid executions; NULL: not known */
  char *digest;      /* hex SHA-256 of the texts read */
  struct RspTemplateSlot *template; /* see model/stage/template/template.h; NULL: none is kept */
} RspModel;

/* The name of the flag that an unnamed `undefined_unless` raises. */
#define RSP_UNNAMED_UNDEFINED "undefined"

/* An axiom on one pre-execution. */
typedef struct RspStagedAxiom {
  RspcheckAxiomRole role;
  RspcheckAxiomKind kind;
  gboolean negated;
  RspNodeId node;
  RspNodeId root;   /* the node of the pairs that must not be: see rsp_axiom_root */
  const char *name; /* what `as` names, else NULL; without id, what statistics say */
  const char *id;   /* its name for -skipcheck: the name, else "line 7 of my.cat"; NULL if it is
                     * part of a choice (`with`), which cannot be skipped */
  guint flag;       /* UNDEFINED_UNLESS and FLAG: index into RspStagedModel.flags */
  RspSpan span;
} RspStagedAxiom;

/* A strict order on a set of events that the search chooses: total (S; `with x from
 * linearisations`), or partial (sync_fence). A further axiom, of role REQUIRE_CONSISTENT, gives the
 * relation that it must extend. */
typedef enum RspChosenKind {
  RSP_CHOSEN_WITH, /* by a `with` of the model */
  RSP_CHOSEN_S,
  RSP_CHOSEN_SYNC_FENCE
} RspChosenKind;

typedef struct RspStagedOrder {
  RspChosenKind kind;
  const char *name;
  RspMatrix *set;     /* if the base leaves the set open: all events that it may contain */
  RspMatrix *related; /* a partial order: the pairs that must be related, one way or the other
                       * (symmetric); NULL: a total order */
} RspStagedOrder;

/* A set or relation that the model defines at its top level (`let x = …`). */
typedef struct RspStagedName {
  const char *name;
  RspNodeId node;
} RspStagedName;

typedef struct RspStagedModel {
  RspDag *dag;
  RspStagedAxiom *axioms;
  guint n_axioms;
  RspStagedOrder *orders;
  guint n_orders;
  const char **flags; /* distinct names, in order of appearance in the model */
  guint n_flags;
  const RspStagedName *names; /* in order of definition; none unless RspStageOptions.keep_names */
  guint n_names;
  const guint *script; /* the known value that each `with` chose, in order */
  guint n_script;
  gboolean sees_co, sees_finals; /* as the model's */
  RspMatrix *
      by_convention; /* pairs of writes whose order is no choice of an execution, those against the
                      * convention that orders them (model/stage/choices/coherence.h); NULL: none */
} RspStagedModel;

/* Events that violate an axiom of role WARN_UNLESS. */
typedef struct RspStagedWarning {
  const char *message; /* what `as` names */
  const RspMatrix *events;
} RspStagedWarning;

/* A model on one pre-execution. There are several staged models if the model chooses (`with x from
 * e`) among values known now; the choice is then part of an execution. */
typedef struct RspStaging {
  RspStagedModel **models;
  guint n_models;
  /* The model inspects values that only a complete execution determines (classes, match or if on
   * what depends on rf or co). Then models is empty; stage again with base->rf and base->co
   * given. */
  gboolean needs_execution;
  /* With needs_execution: the plain axioms that could be staged nevertheless, for pruning.
   * Executions that pass them must still be judged. NULL if there are none. */
  RspStagedModel *known;
  /* With needs_execution, when the base assumes values: a model without checks, whose one axiom has
   * the node that must be known next. NULL if an execution is needed all the same. */
  RspStagedModel *needed;
  const RspStagedWarning *warnings;
  guint n_warnings;
  gboolean from_text; /* the text was evaluated: the model has no template, or it may not be used */
} RspStaging;

typedef struct RspStageOptions {
  const char *const *skipped_checks; /* axioms to skip (-skipcheck), NULL-terminated; or NULL */
  RspBudget *budget;                 /* NULL: no limits */
  const RspExtent *rf, *co; /* what they contain in the executions on which the staged model will be
                             * evaluated: what follows from that is decided, and axioms that always
                             * hold or fail lose their relations. NULL: not known */
  gboolean keep_names;      /* fill RspStagedModel.names */
  gboolean direct; /* evaluate the text on the base itself, value by value, without a template
                    * (model/stage/template/template.h); inspecting unknown values then needs an
                    * execution. For the naive engine, with which others are compared */
} RspStageOptions;

/* model/base_names.def lists every name that a model can use without defining it. */
