/* Resolution of the litmus syntax, from names to the tables of an RspProgram. Private to parser/.
 *
 *   resolve.c            the order of it all; the threads' names
 *   objects.c    what memory there is: initial state and parameters
 *   initial.c    initial values, and the locations they lie in
 *   scope.c      the scope tree
 *   thread.c     scoping: names to registers and parameters; statements
 *   expr.c       expressions and their types
 *   call.c       atomic operations, fences and barriers
 *   condition.c  the question                                                     */
#ifndef RSP_LITMUS_RESOLVE_H
#define RSP_LITMUS_RESOLVE_H

#include "parser/litmus/syntax.h"

/* An array or scalar in memory, before its cells have their places among the locations. */
typedef struct LitmusObject
{
  const char *name;
  RspType type;         /* of a cell */
  gboolean typed;       /* some declaration gave the type, rather than a bare `x=0` */
  gboolean space_given; /* and some the address space */
  gboolean atomic;
  gboolean is_array;
  gboolean sized;  /* the initial state or a parameter tells n_elements */
  gboolean passed; /* some thread has it as a parameter */
  gboolean in_initial;
  gboolean warned; /* about atomic operations on it */
  guint n_elements;
  LitmusPlace **values; /* per element: as written, NULL for 0; LITMUS_MAX_ELEMENTS at most */
  guint index;          /* among the objects */
  guint first;          /* index of its first location */
  RspSpan span;
} LitmusObject;

/* `1:r7=3` */
typedef struct LitmusRegisterInit
{
  guint thread;
  const char *name;
  const LitmusInit *init;
  gint64 value;
  RspType type;
  gboolean used;
} LitmusRegisterInit;

/* What a name of a thread means, while its scope is open. */
typedef struct LitmusBinding
{
  const char *name;
  gboolean is_register;
  guint index; /* into the thread's registers, or its parameters */
  guint block; /* number of the block that declared it */
  RspSpan span;
} LitmusBinding;

typedef struct LitmusResolver
{
  RspProgram *program;
  LitmusTest *test;
  RspArena *arena;
  RspDiagnostics *diagnostics;
  gboolean strict;

  GPtrArray *objects;        /* of LitmusObject, in order of appearance */
  GHashTable *object_names;  /* name → LitmusObject */
  GPtrArray *register_inits; /* of LitmusRegisterInit */

  /* The thread at work. */
  RspThread *thread;
  guint thread_index;
  GArray *registers;    /* of RspRegister */
  GArray *bindings;     /* of LitmusBinding; inner ones later */
  GHashTable *implicit; /* name → register index + 1 */
  guint block;          /* number of the innermost open block */
  guint loops;          /* open loops */
  guint depth;          /* of the expression at work */
  gboolean too_deep;    /* and an error has said so */
} LitmusResolver;

#define litmus_error(resolver, span, hint, ...)                                                    \
  rsp_error ((resolver)->diagnostics, (span), (hint), __VA_ARGS__)
#define litmus_warning(resolver, span, hint, ...)                                                  \
  rsp_warning ((resolver)->diagnostics, (span), (hint), __VA_ARGS__)

/* "the test has the threads P0 to P3". Newly allocated. */
char *litmus_threads_hint (const LitmusResolver *resolver);

/* ---- Objects and initial values ---- */

void litmus_resolve_objects (LitmusResolver *resolver);
LitmusObject *litmus_find_object (const LitmusResolver *resolver, const char *name);
/* "did you mean `…`?" among the objects' names, newly allocated, or NULL. */
char *litmus_object_hint (const LitmusResolver *resolver, const char *name);

/* Lays the objects out as locations and gives cells and registers their initial values. */
void litmus_resolve_initial (LitmusResolver *resolver);
/* The address that `x`, `&x` or `a[1]` stands for; FALSE with an error. target gets the object. */
gboolean litmus_resolve_address (LitmusResolver *resolver, const LitmusPlace *place,
                                 gint64 *address, LitmusObject **target);
LitmusRegisterInit *litmus_find_register_init (const LitmusResolver *resolver, guint thread,
                                               const char *name);
/* The value that an object of the type has after `value` was stored in it. */
gint64 litmus_convert (gint64 value, RspType type);

/* ---- Scope tree ---- */

void litmus_resolve_scopes (LitmusResolver *resolver);

/* ---- Bodies ---- */

void litmus_resolve_thread (LitmusResolver *resolver, guint index);
/* Does the name mean something, so that using it declares no implicit register? */
gboolean litmus_is_declared (const LitmusResolver *resolver, const char *name);
/* What an undeclared name was meant to be, newly allocated, or NULL. */
char *litmus_name_hint (const LitmusResolver *resolver, const char *name);
/* Makes a name an RSP_EXPR_LOCATION or RSP_EXPR_REGISTER, with its type. An undeclared one becomes
 * an implicit register of type `like`. */
void litmus_resolve_name (LitmusResolver *resolver, RspExpr *expr, RspType like);

/* ---- Expressions ---- */

/* Completes an expression; void ones are allowed. */
void litmus_resolve_expr (LitmusResolver *resolver, RspExpr *expr);
/* Completes an expression whose value is used. */
void litmus_resolve_value (LitmusResolver *resolver, RspExpr *expr);
/* A value that is compared with zero. */
void litmus_resolve_test (LitmusResolver *resolver, RspExpr *expr);
/* Checks that an expression's value may be stored as `type`; `where` tells what for ("`r0` is"). */
void litmus_check_conversion (LitmusResolver *resolver, const RspExpr *expr, RspType type,
                              const char *where);
/* The type of a value read from an object of the type. */
RspType litmus_value_type (RspType type);
RspType litmus_pointed_type (RspType pointer);
gboolean litmus_is_void (RspType type);
/* "did you mean `*x`?" where expr is a parameter used as if it were its content; or NULL. */
char *litmus_content_hint (const RspExpr *expr);

/* ---- Calls ---- */

void litmus_resolve_call (LitmusResolver *resolver, RspExpr *expr);
void litmus_resolve_barrier (LitmusResolver *resolver, RspStatement *statement);

/* ---- Condition ---- */

void litmus_resolve_condition (LitmusResolver *resolver);

#endif
