#pragma once

#include "parser/program.h"

/* ---- Affine --------------------------------------------------------------------------------- */

/* Affine functions of loop variables: c + A1·X1 + … + AN·XN, each Xi from its low to its high, with
 * linear constraints (the DSOM paper, section 4.3). */

enum { RSP_AFFINE_VARIABLES = 8 };

typedef struct RspLinear {
  gint64 constant;
  gint64 coefficients[RSP_AFFINE_VARIABLES];
} RspLinear;

/* `linear op 0`: op is RSP_OP_EQ, NE, LT, LE, GT or GE. */
typedef struct RspLinearConstraint {
  RspLinear linear;
  RspOperator op;
} RspLinearConstraint;

typedef struct RspAffine {
  RspLinear value;
  guint n; /* variables */
  gint64 low[RSP_AFFINE_VARIABLES], high[RSP_AFFINE_VARIABLES];
  RspLinearConstraint *constraints;
  guint n_constraints;
} RspAffine;

/* The value at a point: x has one value per variable. */
gint64 rsp_linear_at (const RspLinear *linear, guint n, const gint64 *x);

/* All constraints hold at x. */
gboolean rsp_affine_allows (const RspAffine *affine, const gint64 *x);

/* ---- Program -------------------------------------------------------------------------------- */

/* Programs of commands on shared buffers (head DSOM): a host that writes, reads and launches
 * kernels on devices, in the order of a queue or unordered.
 *
 * Language: docs/dsom.md. The parser resolves names, expands repetitions into commands with their
 * predecessors, and gives every kernel the references whose ranges the runtime knows before it
 * runs. */

typedef struct RspDsomBuffer {
  const char *name;
  guint element;   /* bytes of an element: 1, 2, 4 or 8 */
  guint n;         /* elements */
  guint first;     /* offset of its first byte if all buffers lie one after another */
  gint64 *initial; /* per element */
  RspSpan span;
} RspDsomBuffer;

typedef struct RspDsomRegister {
  const char *name;
  gint64 initial;
} RspDsomRegister;

/* ---- Kernels ---- */
typedef enum RspDsomExprKind {
  RSP_DSOM_CONSTANT,
  RSP_DSOM_NAME,     /* only before names are resolved */
  RSP_DSOM_REGISTER, /* `index` into the program's registers */
  RSP_DSOM_VARIABLE, /* of a loop; `index`: its depth */
  RSP_DSOM_ELEMENT,  /* of buffer `index`, at a */
  RSP_DSOM_OPERATION /* op of a, or of a and b; signed, 64 bits */
} RspDsomExprKind;

typedef struct RspDsomExpr RspDsomExpr;

struct RspDsomExpr {
  RspDsomExprKind kind;
  RspSpan span;
  const char *name; /* of a name or element, as written */
  gint64 constant;
  guint index;
  RspOperator op;
  RspDsomExpr *a, *b;
  guint height; /* of the tree below it */
};

/* `i in 0..3`: one variable of a loop, bounds included. */
typedef struct RspDsomVariable RspDsomVariable;

struct RspDsomVariable {
  const char *name;
  gint64 low, high;
  RspSpan span;
  RspDsomVariable *next, *last; /* last: of a list's first item, the last one */
};

typedef enum RspDsomStatementKind {
  RSP_DSOM_ASSIGN, /* target = value */
  RSP_DSOM_IF,     /* value, body, otherwise (or NULL) */
  RSP_DSOM_FOR,    /* variables, the first outermost, and body */
  RSP_DSOM_BLOCK   /* body: a list */
} RspDsomStatementKind;

typedef struct RspDsomStatement RspDsomStatement;

struct RspDsomStatement {
  RspDsomStatementKind kind;
  RspSpan span;
  RspDsomExpr *target, *value; /* a target is a register or an element */
  RspDsomVariable *variables;
  guint depth; /* of the first variable */
  RspDsomStatement *body, *otherwise, *next, *last;
};

/* Bytes offset … offset + size - 1 of a buffer. */
typedef struct RspDsomRange {
  gint64 offset, size;
} RspDsomRange;

typedef enum RspDsomAccessKind {
  RSP_DSOM_RANGES,  /* declared as ranges */
  RSP_DSOM_AFFINE,  /* an affine reference */
  RSP_DSOM_INDIRECT /* the whole buffer; comparison finds what is written */
} RspDsomAccessKind;

/* The accesses of a kernel, as the runtime knows them before the launch. */
typedef struct RspDsomAccess RspDsomAccess;

struct RspDsomAccess {
  RspDsomAccessKind kind;
  gboolean is_write;
  gboolean derived; /* from the body, not declared */
  guint buffer;
  RspDsomRange *ranges; /* RSP_DSOM_RANGES: in bytes */
  guint n_ranges;
  RspAffine affine; /* RSP_DSOM_AFFINE: in elements */
  RspSpan span;
  RspDsomAccess *next;
};

typedef struct RspDsomKernel {
  const char *name;
  RspSpan span;
  RspDsomStatement *body;
  RspDsomAccess *accesses; /* declared, or derived from the body */
  guint depth;             /* number of variables of its deepest loop */
} RspDsomKernel;

/* ---- Commands ---- */
typedef enum RspDsomCommandKind {
  RSP_DSOM_RUN, /* kernel on device */
  RSP_DSOM_HOST_WRITE,
  RSP_DSOM_HOST_READ
} RspDsomCommandKind;

/* One element that the host writes, or reads into a register. */
typedef struct RspDsomItem {
  guint buffer, element;
  guint reg;    /* RSP_DSOM_HOST_READ */
  gint64 value; /* RSP_DSOM_HOST_WRITE */
} RspDsomItem;

typedef struct RspDsomCommand {
  RspDsomCommandKind kind;
  gboolean blocking; /* its transfers and its effect are one step */
  guint kernel, device;
  RspDsomItem *items;
  guint n_items;
  guint *after; /* commands that must be complete before it starts, each before it in the list */
  guint n_after;
  const char
      *label; /* "K0 on 0", "write b[0]"; followed by "#2" in the second round of a repetition */
  RspSpan span;
} RspDsomCommand;

/* ---- The question ---- */
typedef enum RspDsomObservableKind {
  RSP_DSOM_OBSERVE_REGISTER,
  RSP_DSOM_OBSERVE_ELEMENT,
  RSP_DSOM_OBSERVE_MOVED /* bytes moved by WB and UP */
} RspDsomObservableKind;

typedef struct RspDsomObservable {
  RspDsomObservableKind kind;
  guint index;   /* register, or buffer */
  guint element; /* of the buffer */
  const char *name;
} RspDsomObservable;

typedef struct RspDsomProgram {
  RspArena *arena; /* owns everything but the source */
  RspSource *source;
  const char *name, *doc; /* doc may be NULL */
  RspDsomBuffer *buffers;
  guint n_buffers;
  guint n_bytes; /* of all buffers */
  RspDsomRegister *registers;
  guint n_registers;
  RspDsomKernel *kernels;
  guint n_kernels;
  guint n_devices;
  RspDsomCommand *commands;
  guint n_commands;
  RspDsomObservable *observables; /* sorted: registers, elements, moved */
  guint n_observables;
  RspQuantifier quantifier;
  RspProp *condition; /* its observables are those above */
} RspDsomProgram;

enum { RSP_DSOM_MOST_DEVICES = 7, RSP_DSOM_MOST_BYTES = 4096, RSP_DSOM_MOST_COMMANDS = 255 };

/* ---- Parse ---------------------------------------------------------------------------------- */

/* Is this a program of commands: is its head `DSOM`? */
gboolean rsp_dsom_recognises (const RspSource *source);

/* Parses and resolves a program of commands. Errors go to diagnostics; NULL if there was one. The
 * program holds a reference to source. */
RspDsomProgram *rsp_dsom_parse (RspSource *source, RspDiagnostics *diagnostics);
void rsp_dsom_program_free (RspDsomProgram *program);

/* The hexadecimal MD5 of the program's tokens, so that blanks and comments do not count. Newly
 * allocated. */
char *rsp_dsom_hash (const RspDsomProgram *program);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspDsomProgram, rsp_dsom_program_free)
