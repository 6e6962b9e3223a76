/* From the syntax of a kernel to the threads of a program: shared by the files behind kernel.h.
 *
 *   type.c       types: their cells and sizes; fold.c: constants
 *   place.c      what names, members, elements and pointers denote
 *   value.c      making expressions of the program; temporary registers
 *   operator.c   operators on scalars and vectors
 *   expr.c       expressions; assign.c, cast.c, constant.c, initialise.c
 *   statement.c  statements and calls
 *
 * parser/kernel/functions/ has OpenCL's built-in functions; parser/kernel/program/ makes the rest
 * of the program: the grid, objects in memory, assertions. */
#pragma once

#include "parser/kernel/kernel.h"
#include "parser/kernel/syntax.h"

enum {
  KERNEL_MAX_THREADS = 256,
  KERNEL_MAX_REGISTERS = 8192, /* of one thread */
  KERNEL_MAX_LOCATIONS = 1 << 18,
  KERNEL_MAX_DEPTH = 200,        /* of expressions, statements and calls within each other */
  KERNEL_MAX_STATEMENTS = 200000 /* of one thread */
};

/* An expression's value: the program's expressions for its cells. */
typedef struct KernelValue {
  const KernelType *type;
  RspExpr **cells;
  guint n;
} KernelValue;

/* An object, or part of one: registers from `base` on, or memory at the address. */
typedef struct KernelPlace {
  const KernelType *type;
  gboolean in_registers;
  guint base;
  RspExpr *address;
  const guint8 *lanes; /* a vector's lanes `v.zx`, relative to the rest; NULL: it is whole */
} KernelPlace;

/* What a name denotes while its scope is open. */
typedef struct KernelBinding {
  const char *name;
  KernelPlace place;
  gboolean by_value; /* place.address is the value of a pointer that nothing assigns to */
  guint frame;       /* the call that it belongs to; 0: all */
} KernelBinding;

/* A list of statements that grows. */
typedef struct KernelCode {
  RspStatement *first, *last;
} KernelCode;

/* A call that is being inlined. */
typedef struct KernelFrame {
  const KernelFunction *function;
  guint result; /* first register of the result */
  guint number;
  const struct KernelFrame *caller;
  const char *place; /* the calls' lines, for the labels of barriers */
} KernelFrame;

typedef struct KernelLowerer {
  RspKernel *kernel;
  RspProgram *program;
  KernelUnit *unit;
  RspArena *arena;
  RspDiagnostics *diagnostics;
  const RspKernelOptions *options;
  const KernelFunction *entry;
  GArray *locations;    /* of RspLocation */
  GHashTable *local;    /* "variable, work-group" -> first location + 1 */
  GHashTable *built_in; /* "abs int" -> KernelFunction */
  GArray *asserts;      /* of RspKernelAssert */
  GArray *bindings;     /* of KernelBinding; inner ones later */

  /* The thread whose body is made. */
  guint thread, group, item; /* item: local id */
  GArray *registers;         /* of RspRegister */
  GString *identity;         /* what the body depends on, besides the kernel */
  KernelCode *code;          /* statements go here */
  const KernelFrame *frame;
  guint n_frames, depth, n_statements;
  guint n_loops, n_leavable; /* around the statement: loops; loops and switches */
  guint scope;               /* the innermost block's first binding */
  gboolean at_end;  /* is an assertion about memory at the end resolved, of no work-item? */
  gboolean gave_up; /* an error that would be repeated has been reported */
} KernelLowerer;

#define kernel_error(l, span, hint, ...) rsp_error ((l)->diagnostics, (span), (hint), __VA_ARGS__)

/* An error for a construct that is not supported, and what to write instead (or NULL). */
void rsp_kernel_refuse (KernelLowerer *l, RspSpan span, const char *instead, const char *format,
                        ...) G_GNUC_PRINTF (4, 5);
