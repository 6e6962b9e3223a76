#pragma once

#include "extra/hardware/hardware.h"
#include "parser/program.h"

/* ---- Layout --------------------------------------------------------------------------------- */

/* The layout of a test's objects, results and threads on a device. An instance of the test has an
 * object of every name, in units of memory; a work-group of the test is one of the device. */

/* Bytes of a unit of memory: 8 if some location needs them, else 4. */
guint layout_unit (const RspProgram *program);

/* Units of the object that begins at a location, of all objects in that space before it, and of
 * all. */
guint layout_units (const RspProgram *program, guint object);
guint layout_before (const RspProgram *program, guint object);
guint layout_total (const RspProgram *program, RspSpace space);

/* Local or global memory; constants are global. */
RspSpace layout_space (const RspProgram *program, guint object);

/* The word of the result in which the observable is reported, G_MAXUINT if it is read from memory;
 * and the number of words. */
guint layout_result (const RspProgram *program, guint observable);
guint layout_n_results (const RspProgram *program);

/* Work-groups are in the order of their devices. The number of work-groups and devices; a thread's
 * group, a group's device, a thread's number in its group. */
guint layout_n_groups (const RspProgram *program);
guint layout_n_devices (const RspProgram *program);
guint layout_group (const RspProgram *program, const RspThread *thread);
guint layout_device (const RspProgram *program, guint group);
guint layout_member (const RspProgram *program, const RspThread *thread);

/* The most work-groups of a cluster, and a group's slot on its device: clusters have as many slots
 * each, some of them empty. Languages without clusters have clusters of one. */
guint layout_cluster (const RspProgram *program);
guint layout_slot (const RspProgram *program, guint group);

/* ---- Target --------------------------------------------------------------------------------- */

/* Targets as data: the text of each operation.
 *
 * Texts have places to fill in: $T the object's type, $Q its address space, $P its address,
 * $V the value, $E the expected value, $O the order, $F the order on failure, $S the scope, $X
 * where a failing compare-exchange writes what it found. */

typedef enum Operation {
#define OPERATION(id, cuda, c11, opencl) OPERATION_##id,
#include "extra/hardware/operations.def"
  N_OPERATIONS
} Operation;

/* How sources become a program. */
typedef struct Build {
  const char *variable, *compiler; /* of the environment; without it, this one */
  const char *flags_variable, *flags;
  const char *always; /* flags that stay whatever the variable says */
  const char *libraries;
  const char *missing; /* what to do if the compiler is missing */
} Build;

typedef struct Target {
  const char *operations[N_OPERATIONS]; /* texts with $T and so on */
  const char *orders[RSP_ORDER_SEQ_CST + 1];
  const char *scopes[RSP_N_SCOPES];
  const char *spaces[RSP_SPACE_PRIVATE + 1];
  const char *nowhere;   /* $X of a compare-exchange that writes nothing */
  const char *extension; /* of the files of tests and of main */
  const char *head;      /* what a file of tests begins with */
  Build build;
  const struct TargetFile *files; /* in addition to the tests, ended by a NULL name */
  guint least_bits;               /* of an atomic object */
  gboolean quoted;                /* the device's code is a string of the host's */
} Target;

typedef struct TargetFile {
  const char *name, *text;
  const char
      *string; /* the file defines a string of that name with the text; NULL: it is the text */
} TargetFile;

const Target *target_get (RspTarget target);

/* The names of the sources of a suite of so many tests; free with g_ptr_array_unref. */
GPtrArray *suite_sources (const Target *target, guint n_programs);

/* The operation of a fetch call. */
Operation target_fetch (RspOperator op);

/* The order that the operation takes: without the part that a load or store cannot have, and with
 * acquire instead of consume. */
RspOrder target_order (Operation operation, RspOrder order);

/* ---- Files of templates/, made part of the program by the Makefile ---- */
extern const char template_suite_h[], template_parameters_h[], template_cuda_h[], template_c11_h[],
    template_opencl_h[], template_opencl_kernel_h[];

/* ---- Emit ----------------------------------------------------------------------------------- */

/* One test as source text, part by part. Every name in the text is generated here: `x<object>_x` is
 * a location's address, `r<register>_r` a register, test<number>_… a function of the test; the
 * test's own names are included only for readers. */

typedef struct Emitter {
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
/* The replacements for $T and so on, by letter; NULL for letters that the text does not use. */
typedef struct Filling {
  char letter;
  const char *text;
} Filling;

/* ---- Assembly ------------------------------------------------------------------------------- */

/* Tests of languages with tags, whose instructions a target may lack. */

typedef struct Assembly {
  char *(*refusal) (const RspStatement *statement); /* why the target lacks it, or NULL */
  void (*body) (Emitter *e);                        /* writes the thread's statements */
  void (*end) (Emitter *e); /* and what comes after them, however the thread ends */
} Assembly;

/* NULL if the target has no form for tests of the language. */
const Assembly *rsp_assembly_find (RspTarget target, RspLanguageId language);

extern const Assembly ptx_assembly;

enum {
  COPIED_BYTES = 16 /* of a location that is copied: bulk copies have a multiple of them */
};

/* `x = call` or `call`; NULL for other statements. */
static inline const RspCall *rsp_statement_call (const RspStatement *s) {
  const RspExpr *e = s->expr && s->expr->kind == RSP_EXPR_ASSIGN ? s->expr->u.node.b : s->expr;
  return e && e->kind == RSP_EXPR_CALL ? e->u.call : NULL;
}

/* Is it an operation on an mbarrier? */
static inline gboolean rsp_call_is_on_mbarrier (const RspCall *call) {
  return call->kind == RSP_CALL_PHASE || call->kind == RSP_CALL_TEST
         || (call->kind == RSP_CALL_STORE && (call->tags & RSP_TAG_BIT (MBINIT)));
}

/* The group in whose local memory the object is; G_MAXUINT: no thread names it. */
guint fit_owner (const RspProgram *program, guint object);

/* Is the object in the local memory of another group than that of the thread being written? Its
 * addresses are those in the thread's own group, passed to REMOTE (…, rank). */
gboolean emit_is_remote (const Emitter *e, guint object);

/* The number of that group in its cluster. */
guint emit_rank (const Emitter *e, guint object);
char *emit_object (const Emitter *e, guint object);

/* ---- Expression ----------------------------------------------------------------------------- */

/* The value of an expression, and the address of the place that it names. Newly allocated. */
char *emit_expression (Emitter *e, const RspExpr *expr);

/* ---- Memory --------------------------------------------------------------------------------- */

void emit_memory (Emitter *e);

/* ---- Text ----------------------------------------------------------------------------------- */

/* A name of letters, digits and `_`, from any text: for comments and the ends of names. */
char *emit_plain_name (const char *name);

/* A string of C, in quotes: anything in it is data. */
void emit_string (const char *text, GString *out);
char *emit_register_name (const Emitter *e, guint reg);

/* A line with its indentation. */
void emit_line (Emitter *e, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* The block that follows an `if`: the instance is dropped, and the thread ends. */
void emit_end_early (Emitter *e);

/* ---- Thread --------------------------------------------------------------------------------- */

/* The functions that run the threads. */
void emit_threads (Emitter *e);

/* ---- Reason --------------------------------------------------------------------------------- */

/* Why a test does not run on a target: the first reason found. */

typedef struct Fit {
  const RspProgram *program;
  const RspEmitOptions *options;
  char *reason; /* the first reason; NULL: none so far */
} Fit;

/* ---- Named barriers ------------------------------------------------------------------------- */

/* Barriers of languages with tags on a device: each place where threads meet has its own barrier,
 * so no thread comes to one twice. */

enum {
  MAX_NAMED_BARRIERS = 15 /* of a block: barrier 0 is the template's */
};

/* The number of the device's barrier, from 1, for a statement of a thread without jumps. Its name
 * is a constant. */
guint named_barrier_number (const RspProgram *program, const RspThread *thread,
                            const RspStatement *statement);

/* The number of threads of the work-group that come to it. */
guint named_barrier_arrivals (const RspProgram *program, const RspThread *thread,
                              const RspStatement *statement);
gboolean has_named_barriers (const RspThread *thread);
