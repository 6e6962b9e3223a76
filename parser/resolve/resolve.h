/* Resolution of the litmus syntax, from names to the tables of an RspProgram. Private to parser/.
 *
 *   resolve.c    the order of the steps; the threads' names
 *   objects.c    objects in memory: initial state and parameters
 *   initial.c    initial values, and the layout of objects
 *   scope.c      the scope tree
 *   thread.c     scoping: names to registers and parameters; statements
 *   expr.c       expressions and their types
 *   call.c       atomic operations, fences and barriers
 *   observed.c   the registers and locations that a question names
 *   condition.c  the question                                                     */
#pragma once

#include "parser/litmus/syntax.h"

/* An array or scalar in memory, before its cells are laid out as locations. */
typedef struct LitmusObject {
  const char *name;
  RspType type;         /* of a cell */
  gboolean typed;       /* a declaration gives the type, rather than `x=0` alone */
  gboolean space_given; /* a declaration gives the address space */
  gboolean atomic;
  gboolean is_array;
  gboolean sized;  /* does the initial state or a parameter determine n_elements? */
  gboolean passed; /* does a thread have it as a parameter? */
  gboolean in_initial;
  gboolean warned; /* has an atomic operation on it been reported? */
  guint n_elements;
  LitmusPlace **values; /* per element: as written, NULL for 0; LITMUS_MAX_ELEMENTS at most */
  guint index;          /* index among the objects */
  guint first;          /* index of its first location */
  RspSpan span;
} LitmusObject;

/* `1:r7=3` */
typedef struct LitmusRegisterInit {
  guint thread;
  const char *name;
  const LitmusInit *init;
  gint64 value;
  RspType type;
  gboolean used;
} LitmusRegisterInit;

/* The meaning of a name in a thread while its scope is open. */
typedef struct LitmusBinding {
  const char *name;
  gboolean is_register;
  guint index; /* index into the thread's registers or parameters */
  guint block; /* number of the block that declared it */
  guint hides; /* the binding of the same name around it, + 1; 0: none */
  RspSpan span;
} LitmusBinding;

typedef struct LitmusResolver {
  RspProgram *program;
  LitmusTest *test;
  RspArena *arena;
  RspDiagnostics *diagnostics;
  gboolean strict;

  GPtrArray *objects;        /* of LitmusObject, in order of appearance */
  GHashTable *object_names;  /* name → LitmusObject */
  GPtrArray *register_inits; /* of LitmusRegisterInit */

  /* The thread being resolved. */
  RspThread *thread;
  guint thread_index;
  GArray *registers;    /* of RspRegister */
  GArray *bindings;     /* of LitmusBinding; inner ones later */
  GHashTable *names;    /* name -> its innermost binding, + 1 */
  GHashTable *named;    /* names of registers, a set */
  GHashTable *implicit; /* name → register index + 1 */
  guint block;          /* number of the innermost open block */
  guint loops;          /* open loops */
  guint depth;          /* of the expression being resolved */
  gboolean too_deep;    /* and an error has been reported */
} LitmusResolver;

#define litmus_error(resolver, span, hint, ...)                                                    \
  rsp_error ((resolver)->diagnostics, (span), (hint), __VA_ARGS__)
#define litmus_warning(resolver, span, hint, ...)                                                  \
  rsp_warning ((resolver)->diagnostics, (span), (hint), __VA_ARGS__)

/* "the test has the threads P0 to P3". Newly allocated. */
char *rsp_litmus_threads_hint (const LitmusResolver *resolver);

/* ---- Objects and initial values ---- */

/* ---- Scope tree ---- */

/* ---- Bodies ---- */

/* ---- Expressions ---- */

/* ---- Calls ---- */

/* ---- Condition ---- */

/* Completes program (its arena, source and language set) from the syntax. Errors go to
 * diagnostics. */
void rsp_litmus_resolve (RspProgram *program, LitmusTest *test, gboolean strict,
                         RspDiagnostics *diagnostics);
