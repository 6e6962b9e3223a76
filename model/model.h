#pragma once

#include "base/base.h"
#include "model/dag/dag.h"
#include "parser/cat/cat.h"
#include "parser/language.h"

/* ---- Model ---------------------------------------------------------------------------------- */

/* Models: cat files loaded and type-checked, and their staging on a pre-execution. */

typedef struct RspModelUse {
  const char *name;
  guint languages; /* that have it, as bits 1 << RspLanguageId */
  gboolean judges; /* is it used for anything but pictures? */
  RspSpan span;
} RspModelUse;

/* A word that the model declares by bell's statements, and tests may say: `enum weight = 'heavy ||
 * 'light` and `instructions F[weight]`. The set of operations that have it has its name. */
typedef struct RspModelWord {
  const char *name;
  const char *kind;  /* the enum's name: an operation has one of its words */
  guint places;      /* RspWordPlaces */
  const char *scope; /* of a level: "memory_scope_cluster" */
  gboolean own;      /* does the model declare it? FALSE: the prelude alone does */
} RspModelWord;

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
  char **directories;       /* where its includes were searched for, NULL-terminated */
  GArray *words;            /* of RspModelWord, at most RSP_MAX_WORDS */
  GPtrArray
      *plain_axioms; /* of const char *: names of axioms that forbid executions; NULL: not known */
  char *digest;      /* hex SHA-256 of the texts read */
  struct RspTemplateSlot *template; /* see model/stage/stage.h; NULL: none is kept */
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
  RspNodeId of;       /* WITH, if nothing is known: the node of the set */
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
  RspMatrix *by_convention; /* pairs of writes that a convention orders (model/stage/internal.h),
                               not the execution: those against it; NULL: none */
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
  gboolean open_orders;     /* if nothing is known: orders that the model chooses on sets that are
                             * not known either, as RspStagedOrder.of says */
  gboolean direct; /* evaluate the text on the base itself, value by value, without a template
                    * (model/stage/stage.h); inspecting unknown values then needs an
                    * execution. For the naive engine, with which others are compared */
} RspStageOptions;

/* model/base_names.def lists every name that a model can use without defining it. */

/* ---- Axioms --------------------------------------------------------------------------------- */

/* The axioms of a model as they appear in its text. */

typedef struct RspModelAxiom {
  char *id;         /* its name for -skipcheck: what `as` names, else "line 7 of my.cat" */
  const char *flag; /* the flag that it raises, a string of the model's; NULL if none */
  RspcheckAxiomKind kind;
  RspcheckAxiomRole role;
  gboolean negated;
  char *expression; /* on one line */
  char *file;
  guint line;
} RspModelAxiom;

/* The axioms of the model and of the files that it includes, in order, except those under an `if`
 * that the model's variants rule out (GArray of RspModelAxiom, which owns them). */
GArray *rsp_model_axioms (const RspModel *model);

/* Makes each `flag` of the model undefined behaviour of the executions that raise it; before the
 * model is staged. */
void rsp_model_take_flags_as_undefined (RspModel *model);

/* ---- Condition ------------------------------------------------------------------------------ */

/* Conditions of `if` in models. */

gboolean rsp_model_has_variant (const RspModel *model, const char *variant);

/* The truth of a comparison of values (`=`, `subset`, `in`, …). */
typedef RspTruth ModelCompare (const RspCatCondition *condition, gpointer data);

/* The text at a span, with each sequence of blanks replaced by one. Newly allocated. */
char *model_text_of (RspSpan span);

/* The truth of a condition by that of its comparisons, from the left, as far as they matter.
 * compare NULL: they are open, so only variants decide. */
RspTruth model_condition (const RspModel *model, const RspCatCondition *condition,
                          ModelCompare *compare, gpointer data);

/* ---- Language ------------------------------------------------------------------------------- */

/* The predefined name of which `name` is another spelling, or else itself. */
const char *rsp_base_name (const char *name);

/* Is it a predefined set, relation or function? Words of models are not. */
gboolean rsp_base_defines (const char *name);

/* The number of a word in model->words, or its length. */
guint rsp_model_word (const RspModel *model, const char *name);

/* The own level of the scope tree that a word of the model names; RSP_N_LEVELS: none. */
guint rsp_model_level (const RspModel *model, guint word);

/* The word that the model declares as this level; NULL: it declares none. */
const RspModelWord *rsp_model_word_of_level (const RspModel *model, guint level);

/* Gives the models the words of all of them, in one order. A model then accepts the words of the
 * others, which mean nothing to it. Before anything is staged. FALSE after an error: they are too
 * many, or their levels differ. */
gboolean rsp_models_share_words (RspModel *const *models, guint n, RspDiagnostics *diagnostics);

/* "loads, stores and fences". Newly allocated. */
char *rsp_word_places_format (guint places);

/* Another model in the folders of this one that has the word at one of these places, "did you
 * mean", or NULL. Newly allocated. */
char *rsp_model_word_hint (const RspModel *model, const char *word, guint places);

/* "this file is a part of `opencl.cat`": the models beside it that include it and are not parts of
 * others; NULL if there are none. Newly allocated. */
char *rsp_model_whole_hint (const RspModel *part);

/* The languages that have a predefined name, as bits 1 << RspLanguageId. */
guint model_languages_of (const char *name);

/* May the model judge tests of a language? Not if it is for a processor, or uses names that the
 * language does not have; rsp_model_fits reports the first of these as an error. */
gboolean rsp_model_is_for (const RspModel *model, const RspLanguage *language);
gboolean rsp_model_fits (const RspModel *model, const RspLanguage *language,
                         RspDiagnostics *diagnostics);

/* The languages that have all names that the model uses, as bits 1 << RspLanguageId. */
guint rsp_model_languages (const RspModel *model);

/* Does the model use a predefined name? */
gboolean rsp_model_names (const RspModel *model, const char *name);

/* TRUE if the model uses names of a language whose events have tags. */
gboolean model_uses_tags (const RspModel *model);

/* ---- Load ----------------------------------------------------------------------------------- */

/* Loading models, private part: finding and reading the files. */

typedef struct Loader {
  RspModel *model;
  const char *const *directories; /* NULL-terminated, or NULL */
  GHashTable *texts; /* absolute path → RspSource, read instead of the file; or NULL */
  RspDiagnostics *diagnostics;
  GChecksum *digest;
  GPtrArray
      *open; /* of char *: the absolute paths of the files whose includes are being followed */
  guint n_files;
} Loader;

/* Finds the model (as given, with ".cat" added, then in the NULL-terminated directories) and reads
 * it with its includes, from texts (absolute path → RspSource; may be NULL) where they have the
 * file. NULL if it is not found. Other errors are reported in diagnostics; then the model is
 * incomplete. */
RspModel *rsp_model_read (const char *path, const char *const *directories, GHashTable *texts,
                          const char *const *variants, RspDiagnostics *diagnostics);

/* The absolute path of a file, without links; of one that does not exist, the path itself. Newly
 * allocated. */
char *rsp_model_resolve (const char *path);

/* Reads the model likewise, and type-checks it. NULL after an error, reported in diagnostics. */
RspModel *rsp_model_load_with (const char *path, const char *const *directories, GHashTable *texts,
                               const char *const *variants, RspDiagnostics *diagnostics);
RspModel *rsp_model_load (const char *path, const char *const *directories,
                          const char *const *variants, RspDiagnostics *diagnostics);
void rsp_model_free (RspModel *model);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspModel, rsp_model_free)

/* ---- Names ---------------------------------------------------------------------------------- */

/* Adds, without duplicates, the names of the model's axioms (their places if they are unnamed) and
 * of the variants that it tests for. The model owns the strings. */
void rsp_model_collect_names (const RspModel *model, GPtrArray *axioms, GPtrArray *variants);

/* Adds the names of the axioms that forbid executions. */
void rsp_model_collect_plain_axioms (const RspModel *model, GPtrArray *axioms);

/* "line 7 of my.cat": the identifier of an unnamed axiom. Newly allocated. */
char *rsp_model_place (RspSpan span);

/* TRUE if the model defines undefined behaviour anywhere, or (flags) has flags of another kind. */
gboolean rsp_model_has_undefined (const RspModel *model, gboolean flags);
