#pragma once

#include "parser/resolve/resolve.h"

/* ---- Expr ----------------------------------------------------------------------------------- */

/* Completes an expression; void ones are allowed. */
void litmus_resolve_expr (LitmusResolver *resolver, RspExpr *expr);

/* Completes an expression whose value is used (not void). */
void litmus_resolve_value (LitmusResolver *resolver, RspExpr *expr);

/* A value that is compared with zero. */
void litmus_resolve_test (LitmusResolver *resolver, RspExpr *expr);
gboolean litmus_may_store (const RspExpr *expr, RspType type);

/* Checks that an expression's value may be stored as `type`; `where` begins the second part of the
 * message ("`r0` is"). */
void litmus_check_conversion (LitmusResolver *resolver, const RspExpr *expr, RspType type,
                              const char *where);

/* "did you mean `*x`?" where expr is a parameter used as if it were its content; or NULL. */
char *litmus_content_hint (const RspExpr *expr);

/* ---- Objects -------------------------------------------------------------------------------- */

void litmus_resolve_objects (LitmusResolver *resolver);
LitmusObject *litmus_find_object (const LitmusResolver *resolver, const char *name);

/* ---- Observed ------------------------------------------------------------------------------- */

/* What a question observes: registers and locations, by the names in it. */

/* An observable during collection; its index in the sorted table is set last. */
typedef struct Seen {
  RspObservable observable;
  gboolean printed; /* named by the condition or `locations`, not just the filter */
  guint id;         /* index in order of appearance */
  guint index;      /* index in the sorted table */
} Seen;

typedef struct Question {
  LitmusResolver *resolver;
  RspProgram *program;
  GPtrArray *seen; /* of Seen, in the arena */
  GHashTable *by_name;
  gboolean printed; /* is what is named now printed? */
  guint depth;
} Question;

/* The register or location that the place names; FALSE with an error. *id: its index in q->seen. */
gboolean question_observe_place (Question *q, const LitmusPlace *place, guint *id);

/* All elements of an array. */
void question_observe_array (Question *q, const LitmusObject *array);

/* `0:x` is the location that the parameter x of P0 points to, unless P0 also has a register x; the
 * place as a location then, with a warning, or the place itself. */
const LitmusPlace *question_follow_parameter (const Question *q, const LitmusPlace *place);

/* If the name is not a location but a thread's register: TRUE with an error, whose hint shows how
 * to write that. */
gboolean question_report_bare_register (Question *q, const LitmusPlace *place);

/* ---- Thread --------------------------------------------------------------------------------- */

void litmus_resolve_thread (LitmusResolver *resolver, guint index);

/* Is the name known, so that using it declares no implicit register? */
gboolean litmus_is_declared (const LitmusResolver *resolver, const char *name);

/* A hint at what an undeclared name was meant to be: newly allocated, or NULL. */
char *litmus_name_hint (const LitmusResolver *resolver, const char *name);

/* Turns a name into an RSP_EXPR_LOCATION or RSP_EXPR_REGISTER, with its type. An undeclared one
 * becomes an implicit register of type `like`. */
void litmus_resolve_name (LitmusResolver *resolver, RspExpr *expr, RspType like);
