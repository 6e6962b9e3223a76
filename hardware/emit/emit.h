/* One test as source text, part by part. Every name in the text is made here: `x<object>_x` is a
 * location's address, `r<register>_r` a register, test<number>_… a function of the test; what the
 * test calls them is only there for the reader. */
#ifndef EMIT_H
#define EMIT_H

#include "hardware/layout.h"
#include "hardware/target.h"

typedef struct Emitter
{
  const RspProgram *program;
  const RspEmitOptions *options;
  const Target *target;
  const RspThread *thread; /* that is being written */
  guint number;            /* of the test */
  guint n_loops;           /* of the thread */
  gboolean ends_early;     /* the thread has jumps to its end */
  guint indent;
  GString *out;
} Emitter;

/* ---- Text ---- */

/* "int32_t", "global int32_t *" */
void emit_type (const Emitter *e, const RspType *type, GString *out);
char *emit_type_text (const Emitter *e, const RspType *type);
/* A name of letters, digits and `_`, from any text: for comments and the ends of names. */
char *emit_plain_name (const char *name);
/* A string of C, in quotes: anything in it is data. */
void emit_string (const char *text, GString *out);
/* "x3_x", "r0_r0" */
char *emit_location_name (const Emitter *e, guint object);
char *emit_register_name (const Emitter *e, guint reg);
/* The address of an object, by the target's macros. */
char *emit_object (const Emitter *e, guint object);
/* A value of a location or register in the initial state. */
char *emit_initial (const Emitter *e, const RspType *type, gint64 value);

/* What stands for $T and so on, by letter; NULL for what the text does not have. */
typedef struct Filling
{
  char letter;
  const char *text;
} Filling;

/* Newly allocated. */
char *emit_fill (const char *text, const Filling *fillings, guint n);

/* ---- Parts ---- */

/* The value of an expression, and the address of the place that it names. Newly allocated. */
char *emit_expression (Emitter *e, const RspExpr *expr);
char *emit_address (Emitter *e, const RspExpr *expr);
/* A plain load from an address of the type. */
char *emit_plain_load (const Emitter *e, const RspType *type, const char *address);
char *emit_call (Emitter *e, const RspExpr *expr);
/* text as a value of the type, as an assignment converts it. */
char *emit_convert (const Emitter *e, const RspType *type, const char *text);
void emit_statement (Emitter *e, const RspStatement *statement);
/* The barrier's text. */
char *emit_barrier (const Emitter *e, const RspStatement *statement);
/* Lines, with what goes before them. */
void emit_line (Emitter *e, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* The functions that run a thread, all threads, and work on an instance's memory; those of the
 * question; the test itself. */
void emit_threads (Emitter *e);
void emit_memory (Emitter *e);
void emit_question (Emitter *e);
void emit_table (Emitter *e, const char *note);

#endif
