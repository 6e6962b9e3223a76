/* Models: cat files loaded and type-checked, and their staging on a pre-execution. */
#ifndef RSP_MODEL_H
#define RSP_MODEL_H

#include "model/dag/dag.h"
#include "parser/cat/tree.h"

typedef struct RspModel
{
  RspArena *arena;
  char *path;         /* of the file that was found */
  char *name;         /* the model's own name, else the file's */
  GPtrArray *sources; /* of RspSource: the file and all it includes, in order of reading */
  RspCatStatement *statements;
  char **variants;          /* those switched on, NULL-terminated */
  gboolean with_sc;         /* option withsc: S is a choice of the search */
  gboolean rmw_is_relation; /* how this model uses `rmw`: decided by the type checker */
  char *digest;             /* hex SHA-256 over the texts read */
} RspModel;

/* Finds the model (as given, with ".cat" added, then in the NULL-terminated directories), reads it
 * with its includes, and type-checks it. NULL after an error, told in diagnostics. */
RspModel *rsp_model_load (const char *path, const char *const *directories,
                          const char *const *variants, RspDiagnostics *diagnostics);
void rsp_model_free (RspModel *model);
gboolean rsp_model_has_variant (const RspModel *model, const char *variant);
/* Adds, each once, the names of the model's checks (their places, where they have none) and of the
 * variants it asks for. The strings are
 * the model's. */
void rsp_model_collect_names (const RspModel *model, GPtrArray *checks, GPtrArray *variants);
/* "line 7 of my.cat": what a check without a name is called. Newly allocated. */
char *rsp_model_place (RspSpan span);
/* Does the model say anywhere what is undefined? */
gboolean rsp_model_has_undefined (const RspModel *model);

/* A check on one pre-execution. */
typedef struct RspStagedCheck
{
  RspCatCheckRole role;
  RspCatCheckKind kind;
  gboolean negated;
  RspNodeId node;
  const char *name; /* what `as` says, else NULL; for flags "flag" */
  const char *id;   /* what -skipcheck calls it: the name, else "line 7 of my.cat"; NULL when it is
                       part of a choice (`with`), which cannot be skipped */
  guint flag;       /* UNDEFINED_UNLESS and FLAG: index into RspStagedModel.flags */
  RspSpan span;
} RspStagedCheck;

/* A strict total order on a set of events that the search chooses (S; `with x from
 * linearisations`); what it must extend is one more check of role REQUIRE_CONSISTENT. */
typedef struct RspStagedOrder
{
  const char *name;
  RspMatrix *set;
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
  RspStagedCheck *checks;
  guint n_checks;
  RspStagedOrder *orders;
  guint n_orders;
  const char **flags; /* distinct names, in order of appearance in the model */
  guint n_flags;
  const RspStagedName *names; /* in order of definition; none unless RspStageOptions.keep_names */
  guint n_names;
  const guint *script; /* which of the known values each `with` chose, in order: see RspStaging */
  guint n_script;
} RspStagedModel;

/* Events that break a check of role WARN_UNLESS. */
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
  /* With needs_execution: the plain checks that could be staged all the same, for cutting; each
   * execution that passes them must still be asked. NULL when there are none. */
  RspStagedModel *known;
  const RspStagedWarning *warnings;
  guint n_warnings;
} RspStaging;

typedef struct RspStageOptions
{
  const char *const *skipped_checks; /* -skipcheck: their names, NULL-terminated; or NULL */
  RspBudget *budget;                 /* NULL: no limits */
  gboolean keep_names;               /* fill RspStagedModel.names */
} RspStageOptions;

/* Evaluates the model on base as far as base goes. NULL after an error told in diagnostics
 * (recursion that does not end, an assertion that fails, …) and, without a word, when the budget is
 * over. Everything lives in arena but the DAGs' tables: rsp_staging_clear frees those. */
RspStaging *rsp_model_stage (const RspModel *model, const RspBase *base,
                             const RspStageOptions *options, RspArena *arena,
                             RspDiagnostics *diagnostics);
void rsp_staging_clear (RspStaging *staging);

/* Does value (a set or relation) pass the check? */
gboolean rsp_check_holds (const RspStagedCheck *check, const RspMatrix *value);

/* Every name a model uses without defining it is in model/base_names.def. */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspModel, rsp_model_free)

#endif
