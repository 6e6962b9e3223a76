#pragma once

#include "parser/c/c.h"
#include "parser/resolve/resolve.h"

/* ---- Expr ----------------------------------------------------------------------------------- */

/* The program's expression; void ones are allowed. */
RspExpr *litmus_resolve_expr (LitmusResolver *resolver, const CExpr *syntax);

/* An expression whose value is used (not void). */
RspExpr *litmus_resolve_value (LitmusResolver *resolver, const CExpr *syntax);

/* A value that is compared with zero. */
RspExpr *litmus_resolve_test (LitmusResolver *resolver, const CExpr *syntax);

/* Is it a call of `barrier` or `work_group_barrier`? */
gboolean litmus_is_barrier (const CExpr *syntax);
void litmus_resolve_barrier (LitmusResolver *resolver, const CExpr *syntax,
                             RspStatement *statement);
gboolean litmus_may_store (const RspExpr *expr, RspType type);

/* Checks that an expression's value may be stored as `type`; `where` begins the second part of the
 * message ("`r0` is"). */
void litmus_check_conversion (LitmusResolver *resolver, const RspExpr *expr, RspType type,
                              const char *where);

/* "did you mean `*x`?" where expr is a parameter used as if it were its content; or NULL. */
char *litmus_content_hint (const RspExpr *expr);

/* ---- Objects -------------------------------------------------------------------------------- */

void litmus_resolve_objects (LitmusResolver *resolver);

/* The type in the program: the attributes of a pointer are those of what it points to in the end.
 */
RspType litmus_type_of (const CType *type);

/* Reports a type that tests do not have. */
void litmus_check_type (LitmusResolver *resolver, const CType *type, RspSpan span);
LitmusObject *litmus_find_object (const LitmusResolver *resolver, const char *name);

/* ---- Observed ------------------------------------------------------------------------------- */

/* The registers and locations that a question observes, by the names in it. */

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

/* The location or register that the name denotes. An undeclared one becomes an implicit register of
 * type `like`. */
RspExpr *litmus_resolve_name (LitmusResolver *resolver, const CExpr *name, RspType like);
