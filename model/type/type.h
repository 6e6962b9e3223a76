#pragma once

#include "base/base.h"
#include "model/model.h"

/* ---- Type ----------------------------------------------------------------------------------- */

/* Types of cat, private part: the model is evaluated once on types instead of values.
 *
 *   UNKNOWN    anything: a parameter while a function is checked by itself, or a recursive result
 *   EMPTY      0, {}, emptyset: an empty set, relation or set of anything
 *   UNIVERSE   unv: all events or all pairs
 *   SET, RELATION, EVENT (also a set of one), TAG, SET_OF (type), TUPLE
 *   CLOSURE    a function of the model: its body is checked once per type of argument
 *   BUILTIN    a predefined function with its arguments so far
 *   PROCEDURE
 *
 * Types are interned: equal types are one pointer. An event pair is the TUPLE of two events, and
 * may stand for a relation; a set of events is SET and a set of event pairs RELATION, never
 * SET_OF. */

typedef enum TypeKind {
  TYPE_UNKNOWN,
  TYPE_EMPTY,
  TYPE_UNIVERSE,
  TYPE_SET,
  TYPE_RELATION,
  TYPE_EVENT,
  TYPE_TAG,
  TYPE_SET_OF,
  TYPE_TUPLE,
  TYPE_CLOSURE,
  TYPE_BUILTIN,
  TYPE_PROCEDURE
} TypeKind;

typedef enum TypeBuiltin {
#define RSP_BASE_FUNCTION(id, name, signature, meaning) TYPE_BUILTIN_##id,
#include "model/base_names.def"
  TYPE_BUILTIN_FILTER, /* WW, RM, …; and the relations ext and int when applied */
  TYPE_N_BUILTINS
} TypeBuiltin;

typedef struct Type Type;

typedef struct TypeEnv TypeEnv;

struct Type {
  TypeKind kind;
  TypeBuiltin builtin; /* BUILTIN */
  gboolean filter;     /* SET, RELATION: can it also be applied as a filter? */
  guint n;
  const Type *const *items; /* SET_OF: one; TUPLE: all; BUILTIN: the arguments so far */
  const char *name;         /* TAG: its enum, or NULL for any; BUILTIN: the function's name */
  const void *code;         /* CLOSURE: the RSP_CAT_FUN; PROCEDURE: the statement */
  const TypeEnv *env;       /* CLOSURE, PROCEDURE: where it was defined */
};

/* Bindings, innermost first. */
struct TypeEnv {
  const char *name; /* a symbol: equal names are one pointer */
  const Type *type;
  const TypeEnv *next;
  const RspBindings *scope; /* name → the innermost TypeEnv that binds it, from this one */
};

typedef struct TypeChecker {
  const RspModel *model;
  RspDiagnostics *diagnostics;
  RspArena *arena;
  GArray *uses;             /* of RspModelUse */
  gboolean rmw_is_relation; /* the reading of `rmw` that is being tried */
  GHashTable *types;        /* of Type, interned */
  GHashTable *symbols;      /* see rsp_symbol */
  GHashTable *predefined;   /* symbol → Type */
  GHashTable *definitions;  /* name → RspCatBinding: the first of that name on the top level */
  GHashTable *tags;         /* tag → Type of its enum */
  GHashTable *unbound;      /* names that have been reported */
  GHashTable *described;    /* see rsp_model_describe_types; NULL: not requested */
  gboolean shows;           /* is this what pictures show? */
  guint tries;              /* `try` around the expression: errors in it are not shown */
  GHashTable *idle; /* the patterns of definitions whose errors are warnings, since nothing uses
                     * them; NULL: none */
  GHashTable *ill_typed;    /* those of them that have errors */
  gboolean is_idle;         /* is such a definition being typed? */
  GHashTable *complaints;   /* place and message of reported errors */
  GHashTable *applications; /* TypeApplication → its result; UNKNOWN while it is being found */
  GHashTable *active;       /* code → the number of its applications that are being checked */
  guint depth;
  guint64 steps;
  guint n_errors, n_idle; /* n_idle: errors that are warnings, since nothing uses the definition */
  gboolean exhausted;     /* has it given up, and reported that? */
} TypeChecker;

extern const Type type_unknown, type_empty, type_universe, type_set, type_relation, type_event;

const Type *type_tag (TypeChecker *checker, const char *enumeration);

/* The set of elements of the type: SET for events, RELATION for pairs of them. */
const Type *type_set_of (TypeChecker *checker, const Type *element);
const Type *type_tuple (TypeChecker *checker, const Type *const *items, guint n);
const Type *type_closure (TypeChecker *checker, const RspCatExpr *fun, const TypeEnv *env);
const Type *type_builtin (TypeChecker *checker, TypeBuiltin builtin, const char *name,
                          const Type *const *arguments, guint n);
const Type *type_procedure (TypeChecker *checker, const RspCatStatement *statement,
                            const TypeEnv *env);

/* May a value of the type be used where a set, or a relation, is required? */
gboolean type_is_set (const Type *type);
gboolean type_is_relation (const Type *type);

/* The type of the elements, or NULL if the type has no elements in this sense. */
const Type *type_element (TypeChecker *checker, const Type *type);

/* The type of a value of either type; NULL if no type includes both. */
const Type *type_join (TypeChecker *checker, const Type *a, const Type *b);

/* Describes a type: "a set of relations". In the checker's arena. */
const char *type_describe (TypeChecker *checker, const Type *type);

/* "the relation `po`" for a name, "a relation" for another expression. */
const char *type_describe_operand (TypeChecker *checker, const RspCatExpr *expr, const Type *type);

/* One application of a function or procedure to an argument of some type. */
typedef struct TypeApplication {
  const Type *function, *argument;
} TypeApplication;

/* ---- Check ---------------------------------------------------------------------------------- */

void rsp_type_error (TypeChecker *checker, RspSpan span, const char *hint, const char *format, ...)
    G_GNUC_PRINTF (4, 5);
guint rsp_type_count_errors (const TypeChecker *checker);

/* Types a model whose files have been read; sets rmw_is_relation. FALSE after errors, reported in
 * diagnostics. */
gboolean rsp_model_check_types (RspModel *model, RspDiagnostics *diagnostics);

/* What each name is that a `let` defines: RspCatPattern → "a relation". The model must have been
 * read, but may have errors. For the caller to unref. */
GHashTable *rsp_model_describe_types (const RspModel *model);
