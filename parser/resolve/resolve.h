#pragma once

#include "parser/litmus/litmus.h"

/* ---- Resolve -------------------------------------------------------------------------------- */

/* Resolution of a test's syntax, from names to the tables of an RspProgram. Private to parser/. */

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
  struct LitmusRegisterInit *same; /* of the same name, in another thread */
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
  GHashTable *inits_of;      /* name → LitmusRegisterInit, and those of the same name */

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
} LitmusResolver;

#define litmus_error(resolver, span, hint, ...)                                                    \
  rsp_error ((resolver)->diagnostics, (span), (hint), __VA_ARGS__)
#define litmus_warning(resolver, span, hint, ...)                                                  \
  rsp_warning ((resolver)->diagnostics, (span), (hint), __VA_ARGS__)

/* The level of the i-th word of a thread's place: one of the language, or else a model's, which is
 * outside those that the place names further inside; FALSE, with an error, if there is no room. */
gboolean rsp_litmus_position_level (LitmusResolver *resolver, const LitmusList *positions, guint i,
                                    RspLevel *level);

/* "the test has the threads P0 to P3". Newly allocated. */
char *rsp_litmus_threads_hint (const LitmusResolver *resolver);

/* Completes program (its arena, source and language set) from the syntax. Errors go to
 * diagnostics. */
void rsp_litmus_resolve (RspProgram *program, LitmusTest *test, gboolean strict,
                         RspDiagnostics *diagnostics);

/* ---- Condition ------------------------------------------------------------------------------ */

void rsp_litmus_resolve_condition (LitmusResolver *resolver);

/* ---- Initial -------------------------------------------------------------------------------- */

/* Lays out the objects as locations, and sets the initial values of cells and registers. */
void litmus_resolve_initial (LitmusResolver *resolver);

/* Keeps the initial state as text, with room for `more` entries after it. */
void rsp_litmus_keep_initial (LitmusResolver *resolver, guint more);

/* The address that `x`, `&x` or `a[1]` denotes; FALSE with an error. target receives the object. */
gboolean rsp_litmus_resolve_address (LitmusResolver *resolver, const LitmusPlace *place,
                                     gint64 *address, LitmusObject **target);
LitmusRegisterInit *litmus_find_register_init (const LitmusResolver *resolver, guint thread,
                                               const char *name);

/* An error if the number, as a pointer, would be taken for the address of an object. */
void litmus_check_pointer_number (LitmusResolver *resolver, RspSpan span, gint64 number);

/* The value that an object of the type holds after storing `value`. */
gint64 litmus_convert (gint64 value, RspType type);

/* Is the number 2^63 or more, and the type smaller? */
gboolean litmus_is_beyond (const LitmusPlace *place, RspType type);

/* ---- Registers ------------------------------------------------------------------------------ */

/* Warns, once per register, about registers of a resolved thread that are read before any statement
 * can have assigned them. Exceptions are registers of the initial state, parameters and implicit
 * registers. Sets `receives` of those that a statement sets when it reads memory. */
void rsp_litmus_look_at_registers (LitmusResolver *resolver, const RspThread *thread);
