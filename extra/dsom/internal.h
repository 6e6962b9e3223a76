#pragma once

#include "extra/dsom/scanner.h"
#include "extra/dsom/program.h"
#include "parser/errors.h"
#include "parser/litmus/litmus.h"

/* ---- Build ---------------------------------------------------------------------------------- */

/* Building the syntax of a program of commands: functions for the grammar's actions, and the syntax
 * that resolve.h takes. Private to this front end. */

/* A list of numbers with their places. */
typedef struct DsomNumber DsomNumber;

struct DsomNumber {
  gint64 value;
  RspSpan span;
  DsomNumber *next, *last; /* last: of a list's first item, the last one */
};

/* An element of a buffer at a constant index. */
typedef struct DsomPlace DsomPlace;

struct DsomPlace {
  const char *name;
  gint64 index;
  RspSpan span;
  const char *reg; /* the target of `read r = b[0]` */
  RspSpan reg_span;
  DsomPlace *next, *last;
};

typedef struct DsomClause DsomClause;

struct DsomClause {
  gboolean is_write, is_none;
  RspDsomAccessKind kind;
  const char *buffer;
  DsomNumber *numbers; /* RSP_DSOM_RANGES: offset and size, in turn */
  RspDsomExpr *index;  /* RSP_DSOM_AFFINE */
  RspDsomVariable *variables;
  RspDsomExpr *constraints; /* comparisons, linked by && */
  RspSpan span;
  DsomClause *next, *last;
};

typedef struct DsomKernel DsomKernel;

struct DsomKernel {
  const char *name;
  DsomClause *clauses;
  RspDsomStatement *body;
  RspSpan span;
  DsomKernel *next, *last;
};

typedef struct DsomBuffer DsomBuffer;

struct DsomBuffer {
  const char *name;
  guint element;
  DsomNumber *size, *initial;
  RspSpan span;
  DsomBuffer *next, *last;
};

typedef struct DsomRegister DsomRegister;

struct DsomRegister {
  const char *name;
  DsomNumber *initial;
  RspSpan span;
  DsomRegister *next, *last;
};

typedef enum DsomCommandKind {
  DSOM_COMMAND_RUN,
  DSOM_COMMAND_WRITE,
  DSOM_COMMAND_READ,
  DSOM_COMMAND_SEQUENCE, /* of `first` */
  DSOM_COMMAND_PARALLEL, /* of `first`, each a sequence */
  DSOM_COMMAND_REPEAT    /* `first`, number times */
} DsomCommandKind;

typedef struct DsomCommand DsomCommand;

struct DsomCommand {
  DsomCommandKind kind;
  gboolean blocking;
  const char *kernel;
  DsomNumber *number;  /* the device, how many times */
  DsomPlace *places;   /* DSOM_COMMAND_READ: all; DSOM_COMMAND_WRITE: the first element */
  DsomNumber *numbers; /* DSOM_COMMAND_WRITE */
  DsomCommand *first, *next, *last;
  RspSpan span, name_span; /* the whole command, and the kernel's name */
};

typedef struct DsomParser {
  TokenScan scan;
  RspArena *arena;
  RspDiagnostics *diagnostics;
  const char *name, *doc;
  DsomBuffer *buffers;
  DsomRegister *registers;
  DsomKernel *kernels;
  DsomNumber *devices;
  DsomCommand *host;
  guint end;                /* of the host's commands: locations and question follow */
  GHashTable *names;        /* of buffers and registers -> their declaration */
  GHashTable *kernel_names; /* -> DsomKernel */
  GPtrArray *assigned;      /* names of registers that are assigned to */
  gboolean too_deep;        /* reported */
} DsomParser;

RspSpan dsom_span (const DsomParser *parser, TokenRange range);
DsomNumber *dsom_number (DsomParser *parser, TokenRange range, gint64 value);
DsomPlace *dsom_element (DsomParser *parser, TokenRange range, const char *name, gint64 index);
RspDsomVariable *dsom_variable (DsomParser *parser, TokenRange range, const char *name, gint64 low,
                                gint64 high);

/* Each appends one to the end of a list, which may be NULL, and returns the list. */
DsomNumber *dsom_add_number (DsomNumber *list, DsomNumber *one);
DsomPlace *dsom_add_place (DsomPlace *list, DsomPlace *one);
RspDsomVariable *dsom_add_variable (RspDsomVariable *list, RspDsomVariable *one);
DsomClause *dsom_add_clause (DsomClause *list, DsomClause *one);
DsomCommand *dsom_add_command (DsomCommand *list, DsomCommand *one);
RspDsomStatement *dsom_add_statement (RspDsomStatement *list, RspDsomStatement *one);

/* ---- Declarations ---- */
void dsom_buffer (DsomParser *parser, TokenRange range, const char *name, guint element,
                  DsomNumber *size, DsomNumber *initial);
void dsom_register (DsomParser *parser, TokenRange range, const char *name, DsomNumber *initial);
void dsom_devices (DsomParser *parser, TokenRange range, DsomNumber *number);
void dsom_kernel (DsomParser *parser, TokenRange range, const char *name, DsomClause *clauses,
                  RspDsomStatement *body);
DsomClause *dsom_clause (DsomParser *parser, TokenRange range, RspDsomAccessKind kind,
                         const char *buffer);

/* ---- Bodies ---- */
enum {
  DSOM_MOST_HEIGHT
  = 1000 /* limit of the depth of an expression or condition, and so of recursion */
};

RspDsomStatement *dsom_statement (DsomParser *parser, TokenRange range, RspDsomStatementKind kind,
                                  RspDsomExpr *value, RspDsomStatement *body);
RspDsomStatement *dsom_assign (DsomParser *parser, TokenRange range, RspDsomExpr *target,
                               RspDsomExpr *value);
RspDsomExpr *dsom_constant (DsomParser *parser, TokenRange range, gint64 value);

/* A name, or with an index an element. */
RspDsomExpr *dsom_name (DsomParser *parser, TokenRange range, const char *name, RspDsomExpr *index);
RspDsomExpr *dsom_operation (DsomParser *parser, TokenRange range, RspOperator op, RspDsomExpr *a,
                             RspDsomExpr *b);

/* ---- Commands ---- */
DsomCommand *dsom_command (DsomParser *parser, TokenRange range, DsomCommandKind kind);

/* ---- Errors --------------------------------------------------------------------------------- */

extern const SyntaxLanguage dsom_syntax;

/* ---- Names ---------------------------------------------------------------------------------- */

/* What the parts of a program of commands share while its names are resolved. Private to this front
 * end. */

typedef struct DsomResolver {
  DsomParser *parser;
  const LitmusTest *question; /* only the end of it: locations and condition */
  RspDsomProgram *program;
  RspDiagnostics *diagnostics;
  GHashTable *buffers;   /* name -> number + 1 */
  GHashTable *registers; /* likewise */
  GHashTable *kernels;
  GPtrArray *register_list; /* of RspDsomRegister, in the order of their numbers */
} DsomResolver;

/* The buffer's number; -1 after an error. */
int dsom_find_buffer (DsomResolver *resolver, RspSpan span, const char *name);

/* The number of a register, which a write to it declares. */
guint dsom_declare_register (DsomResolver *resolver, const char *name);

/* ---- Resolve -------------------------------------------------------------------------------- */

/* From the syntax of a program of commands to the program. Private to this front end. */

/* Fills program; errors go to diagnostics. */
void dsom_resolve (RspDsomProgram *program, DsomParser *parser, const LitmusTest *question);
