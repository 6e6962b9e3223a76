/* Resolution of tests in columns. Private to this folder.
 *
 *   resolve.c  the order of the steps: threads and their places, ssw, the question
 *   initial.c  the initial state: locations, arrays, aliases, registers
 *   names.c    locations and registers by name
 *   code.c     cells to statements
 *   doubts.c   what is doubtful though it could be run                                   */
#pragma once

#include "parser/columns/syntax.h"
#include "parser/resolve/resolve.h"

typedef struct ColumnsResolver {
  LitmusResolver base; /* program, objects, diagnostics */
  ColumnsParser *parser;
  GArray *locations;   /* of RspLocation, an object each */
  gboolean has_errors; /* before the question */
  GHashTable *first_words,
      *met; /* of doubts.c: what instructions said first; how often threads came to barriers */

  /* The thread being resolved. */
  guint thread;
  GArray *registers;  /* of RspRegister */
  GHashTable *labels; /* name → the statement that it stands before */
  GPtrArray *jumps;   /* of ColumnsJump */
  GString *raw;       /* its instructions as text, for the hash */
} ColumnsResolver;

/* A jump whose label may come later. */
typedef struct ColumnsJump {
  RspStatement *statement;
  const LitmusPlace *label;
} ColumnsJump;

#define ERROR(r, span, hint, ...) rsp_error ((r)->base.diagnostics, (span), (hint), __VA_ARGS__)

/* Values are 64 bits. */
static inline RspType columns_value_type (void) {
  return (RspType){ .bits = 64, .is_signed = TRUE, .space = RSP_SPACE_GLOBAL };
}

/* Declares the locations of the initial state and their aliases, and sets their values. */
void columns_initialise_memory (ColumnsResolver *r);
void columns_initialise_registers (ColumnsResolver *r, guint thread);
/* The body of the thread with that index. */
RspStatement *columns_code (ColumnsResolver *r, guint thread);
/* Completes program (its arena and source set). Errors go to diagnostics. */
void columns_resolve (RspProgram *program, ColumnsParser *parser, RspDiagnostics *diagnostics);
