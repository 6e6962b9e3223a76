#pragma once

#include "model/model.h"

/* ---- Uses ----------------------------------------------------------------------------------- */

/* The definition that each name of a model refers to. */

typedef struct RspDefinition RspDefinition;

struct RspDefinition {
  const char *name;
  RspSpan span;
  const RspCatPattern *pattern; /* of a `let`, a `with` or a function; else NULL */
  RspDefinition *outer;         /* the next of the same name in scope, or NULL */
  gboolean is_global;           /* by a `let` that is a statement */
  gboolean maybe;               /* is it in a branch? */
  gboolean hidden;              /* is its own value being walked? That does not use it */
  gboolean used;
};

typedef struct RspUse {
  RspSpan span;
  const char *name;
  const RspDefinition *definition; /* the innermost; NULL if the model defines no such name here */
} RspUse;

typedef struct RspUses {
  RspArena *arena;
  GPtrArray *definitions; /* of RspDefinition, in order */
  GArray *uses;           /* of RspUse, in order */
  gboolean unread;        /* was an include not read? It may use anything */
  /* While the model is walked: */
  GPtrArray *scope;      /* of RspDefinition: innermost last */
  GHashTable *innermost; /* name → the innermost definition of it in scope */
  GArray *scopes;        /* of guint: lengths of `scope` where the surrounding ones begin */
  guint branches;        /* number of surrounding branches */
} RspUses;

/* The model must have been read, but may have errors; it must outlive the result. shown: names that
 * are used at the end because pictures show them, NULL-terminated, or NULL. */
RspUses *rsp_uses_find (const RspModel *model, const char *const *shown);
void rsp_uses_free (RspUses *uses);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspUses, rsp_uses_free)

/* ---- Warn ----------------------------------------------------------------------------------- */

/* Warnings about models that are well-typed but hardly what their author means. */

typedef enum RspModelWarning {
  RSP_WARN_UNCHECKED,  /* no axiom at all */
  RSP_WARN_SAME_NAME,  /* two axioms with the same name */
  RSP_WARN_UNUSED,     /* a `let` that nothing uses */
  RSP_WARN_EMPTY,      /* a definition that is empty on every event type */
  RSP_WARN_PRECEDENCE, /* `a ; [S] & r` */
  RSP_N_MODEL_WARNINGS
} RspModelWarning;

/* "unchecked", …: as in -Wno-unchecked; NULL-terminated. */
extern const char *const rsp_model_warning_names[RSP_N_MODEL_WARNINGS + 1];

/* Warns about what is in the model's own file; about axioms, also in the files that it includes.
 * off: bits (1 << RspModelWarning) of warnings to suppress. shown: names that are used because
 * pictures show them, NULL-terminated, or NULL. */
void rsp_model_warn (const RspModel *model, guint off, const char *const *shown,
                     RspDiagnostics *diagnostics);
