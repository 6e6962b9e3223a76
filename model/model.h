/* Models: cat files loaded and type-checked, and their staging on a pre-execution. */
#ifndef RSP_MODEL_MODEL_H
#define RSP_MODEL_MODEL_H

#include "model/dag/dag.h"
#include "parser/cat/tree.h"

typedef struct RspModel
{
  RspArena *arena;
  char *path; /* of the file that was found */
  char *name; /* the model's own name, else the file's */
  GPtrArray
      *sources; /* of RspSource: the file and all it includes, in order of reading; the prelude */
  RspCatStatement *prelude; /* what every model may use: comes before its statements */
  RspCatStatement *statements;
  char **variants;          /* those switched on, NULL-terminated */
  gboolean with_sc;         /* option withsc: S is a choice of the search */
  gboolean rmw_is_relation; /* how this model uses `rmw`: decided by the type checker */
  GPtrArray
      *plain_axioms; /* of const char *: ids of axioms that forbid executions; NULL: not known */
  char *digest;      /* hex SHA-256 over the texts read */
  struct RspTemplateSlot *template; /* model/stage/template/template.h; NULL: none is kept */
} RspModel;

/* What flags are called that an axiom without a name raises. */
#define RSP_UNNAMED_FLAG      "flag"
#define RSP_UNNAMED_UNDEFINED "undefined"

/* An axiom on one pre-execution. */
typedef struct RspStagedAxiom
{
  RspcheckAxiomRole role;
  RspcheckAxiomKind kind;
  gboolean negated;
  RspNodeId node;
  RspNodeId root;   /* the node of the pairs that must not be: see rsp_axiom_root */
  const char *name; /* what `as` says, else NULL; for flags "flag" */
  const char *id;   /* what -skipcheck calls it: the name, else "line 7 of my.cat"; NULL when it is
                       part of a choice (`with`), which cannot be skipped */
  guint flag;       /* UNDEFINED_UNLESS and FLAG: index into RspStagedModel.flags */
  RspSpan span;
} RspStagedAxiom;

/* A strict total order on a set of events that the search chooses (S; `with x from
 * linearisations`); what it must extend is one more axiom of role REQUIRE_CONSISTENT. */
typedef struct RspStagedOrder
{
  const char *name;
  RspMatrix *set; /* where the base leaves it open: all that it may hold */
} RspStagedOrder;

/* A set or relation that the model defines at its top level (`let x = …`). */
typedef struct RspStagedName
{
  const char *name;
  RspNodeId node;
} RspStagedName;

typedef struct RspStagedModel
{
  RspDag *dag;
  RspStagedAxiom *axioms;
  guint n_axioms;
  RspStagedOrder *orders;
  guint n_orders;
  const char **flags; /* distinct names, in order of appearance in the model */
  guint n_flags;
  const RspStagedName *names; /* in order of definition; none unless RspStageOptions.keep_names */
  guint n_names;
  const guint *script; /* which of the known values each `with` chose, in order: see RspStaging */
  guint n_script;
} RspStagedModel;

/* Events that break an axiom of role WARN_UNLESS. */
typedef struct RspStagedWarning
{
  const char *message; /* what `as` says */
  const RspMatrix *events;
} RspStagedWarning;

/* A model on one pre-execution: several staged models where the model chooses (`with x from e`)
 * among values known now; an execution is then one choice more. */
typedef struct RspStaging
{
  RspStagedModel **models;
  guint n_models;
  /* The model looks into values that only a complete execution has (classes, match or if on what
   * depends on rf or co): models is empty; stage again with base->rf and base->co given. */
  gboolean needs_execution;
  /* With needs_execution: the plain axioms that could be staged all the same, for pruning; each
   * execution that passes them must still be judged. NULL when there are none. */
  RspStagedModel *known;
  const RspStagedWarning *warnings;
  guint n_warnings;
} RspStaging;

typedef struct RspStageOptions
{
  const char *const *skipped_checks; /* -skipcheck: their names, NULL-terminated; or NULL */
  RspBudget *budget;                 /* NULL: no limits */
  gboolean keep_names;               /* fill RspStagedModel.names */
  gboolean direct; /* the text is evaluated on the base itself, value by value: no template
                      (model/stage/template/template.h), and what looks into values that are not known
                      needs an execution. For the naive engine, which others are compared with */
} RspStageOptions;

/* Every name a model uses without defining it is in model/base_names.def. */

#endif
