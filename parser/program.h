#pragma once

#include "base/base.h"
#include "parser/language.h"

/* ---- Program -------------------------------------------------------------------------------- */

/* The resolved program: a small program in any of the languages, its scope tree, and a question
 * about its final states. Built by the parser, then completed by rsp_litmus_resolve (names, types,
 * location table, scope tree). The rest of the program reads only the resolved form, never the
 * source text.
 *
 * Format: docs/litmus.md. */

typedef enum RspOrder {
  RSP_ORDER_NA, /* plain accesses and initial writes */
  RSP_ORDER_RELAXED,
  RSP_ORDER_CONSUME,
  RSP_ORDER_ACQUIRE,
  RSP_ORDER_RELEASE,
  RSP_ORDER_ACQ_REL,
  RSP_ORDER_SEQ_CST
} RspOrder;

/* Memory scopes, from inside out; then those of own levels. */
typedef enum RspScope {
#define RSP_SCOPE(id, level, word, text, short_word, set, relation) RSP_SCOPE_##id,
#include "parser/scopes.def"
  RSP_N_SCOPES,
  RSP_LAST_SCOPE = RSP_N_SCOPES - 1,
#define RSP_OWN_LEVEL(id) RSP_SCOPE_##id,
#include "parser/scopes.def"
  RSP_N_ALL_SCOPES
} RspScope;

typedef enum RspSpace {
  RSP_SPACE_GLOBAL,
  RSP_SPACE_LOCAL,
  RSP_SPACE_CONSTANT,
  RSP_SPACE_PRIVATE
} RspSpace;

/* Bits of a fence's or barrier's flags. */
enum { RSP_FENCE_GLOBAL = 1, RSP_FENCE_LOCAL = 2, RSP_FENCE_IMAGE = 4 };

/* An integer type, or with pointers > 0 a pointer to one. `bits` is 8, 16, 32 or 64; 1 is bool;
 * 0 is void. `space` and `fine_grained` are the (innermost) pointee's address space. */
typedef struct RspType {
  guint8 bits;
  guint8 pointers;
  gboolean is_signed;
  gboolean is_atomic;
  gboolean fine_grained; /* global_fga */
  gboolean is_float;     /* of kernels: a value is its bits */
  gboolean is_mbarrier;  /* of PTX: a value is the state of one */
  RspSpace space;
} RspType;

/* ---- Values ----------------------------------------------------------------------------------
 *
 * A value is 64 bits. An address is a value too, so that pointers can be stored, compared and
 * stepped:
 *
 *    63 62 61 …           32 31                 0
 *   ┌──┬──┬─────────────────┬────────────────────┐
 *   │ 0│ 1│ object          │ element (signed)   │   object = index of an array's or scalar's
 *   └──┴──┴─────────────────┴────────────────────┘   first location, see RspLocation.object
 *
 * A negative element borrows from the object, so that stepping a pointer is adding to it. NULL is
 * 0. A register of a thread whose address is taken is an object too: they are numbered after all
 * locations, through all threads. */
#define RSP_ADDRESS_TAG (G_GINT64_CONSTANT (1) << 62)

static inline gint64 rsp_address (guint object, gint32 element) {
  return RSP_ADDRESS_TAG + ((gint64) object << 32) + element;
}

/* The number of an element that leads to none, whatever is added to it: of an address within one.
 */
#define RSP_NO_ELEMENT (-(1 << 29))

static inline gboolean rsp_is_address (gint64 value) {
  return ((guint64) value + G_MAXINT32 + 1) >> 62 == 1;
}

static inline gint32 rsp_address_element (gint64 address) { return (gint32) (guint32) address; }

static inline guint rsp_address_object (gint64 address) {
  const gint64 element = rsp_address_element (address);
  return (guint) (((guint64) address - (guint64) element - (guint64) RSP_ADDRESS_TAG) >> 32);
}

/* ---- Words ----------------------------------------------------------------------------------
 *
 * What a test says of an operation in words of the author's own, which models declare: `[[heavy]]`,
 * `atomic_load_explicit_lazy`, `ld.weak.lazy`. A test is read without a model; which words exist,
 * and where, is checked when they meet (rsp_words_bind). Sets of words are bits 1 << number. */

/* Where a test says a word. */
typedef struct RspWordUse {
  guint word;
  guint places; /* what it stands at: of several, some may have it */
  guint32 with; /* other words that these have */
  RspSpan span;
  /* What is wrong if no model declares it, since it resembles a word of the language: "found a call
   * to …"; and a hint, or NULL. Else NULL. */
  const char *wrong, *hint;
} RspWordUse;

typedef struct RspWords {
  guint n, n_uses;
  const char *names[RSP_MAX_WORDS];
  RspWordUse *uses;
  /* Once bound to a model: what may have the word, and its number in the model. */
  guint8 places[RSP_MAX_WORDS], bound[RSP_MAX_WORDS];
  const char *scopes[RSP_N_LEVELS]; /* of the own levels that it names: "memory_scope_cluster" */

  /* While the program is read. */
  guint32 around;    /* words that the surrounding statements say */
  guint places_read; /* of the operations read so far */
} RspWords;
/* ---- Mbarriers -------------------------------------------------------------------------------
 *
 * The state of a PTX mbarrier is a value too. All are numbers of arrivals, but for the phase, the
 * number of phases that are complete, and the tx-count in bytes, which may be negative. 0 is not
 * an mbarrier.
 *
 *    60       45 44       33 32               12 11      0
 *   ┌───────────┬───────────┬───────────────────┬─────────┐
 *   │ phase     │ expected  │ tx-count + 2^20   │ pending │
 *   └───────────┴───────────┴───────────────────┴─────────┘
 *
 * A phase completes when pending and tx-count are both 0. Source: PTX ISA 9.0, "mbarrier". */
enum {
  RSP_MBARRIER_MOST_ARRIVALS = (1 << 12) - 1,
  RSP_MBARRIER_TX_SHIFT = 12,
  RSP_MBARRIER_MOST_TX = (1 << 20) - 1,
  RSP_MBARRIER_EXPECTED_SHIFT = 33,
  RSP_MBARRIER_PHASE_SHIFT = 45
};

#define RSP_MBARRIER_EXPECTED (G_GINT64_CONSTANT (1) << RSP_MBARRIER_EXPECTED_SHIFT)
#define RSP_MBARRIER_PHASE    (G_GINT64_CONSTANT (1) << RSP_MBARRIER_PHASE_SHIFT)
/* Nothing is pending. */
#define RSP_MBARRIER_COMPLETE ((gint64) (RSP_MBARRIER_MOST_TX + 1) << RSP_MBARRIER_TX_SHIFT)

/* ---- Expressions ---- */
typedef enum RspExprKind {
  RSP_EXPR_CONSTANT,
  RSP_EXPR_LOCATION, /* a parameter: its value is the address of a location (or array) */
  RSP_EXPR_REGISTER,
  RSP_EXPR_UNARY,
  RSP_EXPR_BINARY,      /* including && || and the comma: see RspOperator */
  RSP_EXPR_ASSIGN,      /* a = b; with op != RSP_OP_NONE, a op= b */
  RSP_EXPR_STEP,        /* ++ and --, before the operand or after it (`post`); op is RSP_OP_ADD or
                           RSP_OP_SUB */
  RSP_EXPR_CONDITIONAL, /* a ? b : c */
  RSP_EXPR_CAST,
  RSP_EXPR_DEREF,   /* *a */
  RSP_EXPR_INDEX,   /* a[b] */
  RSP_EXPR_ADDRESS, /* &a */
  RSP_EXPR_CALL,    /* an atomic operation or fence */
  RSP_EXPR_BLOCK    /* only in kernels: a value after statements */
} RspExprKind;

typedef enum RspOperator {
  RSP_OP_NONE,
  RSP_OP_ADD,
  RSP_OP_SUB,
  RSP_OP_MUL,
  RSP_OP_DIV,
  RSP_OP_MOD,
  RSP_OP_SHL,
  RSP_OP_SHR,
  RSP_OP_AND,
  RSP_OP_OR,
  RSP_OP_XOR,
  RSP_OP_MIN, /* only in fetch operations and kernels */
  RSP_OP_MAX,
  RSP_OP_EXCHANGE, /* only in fetch operations: the new value is the operand */
  RSP_OP_EQ,
  RSP_OP_NE,
  RSP_OP_LT,
  RSP_OP_LE,
  RSP_OP_GT,
  RSP_OP_GE,
  RSP_OP_LOGICAL_AND,
  RSP_OP_LOGICAL_OR,
  RSP_OP_COMMA,
  RSP_OP_NEGATE,      /* unary - */
  RSP_OP_COMPLEMENT,  /* unary ~ */
  RSP_OP_LOGICAL_NOT, /* unary ! */
  RSP_OP_PLUS,        /* unary + (promotes) */
  RSP_OP_APPLY        /* only in kernels: an uninterpreted function (its name, or its application to
                         some arguments) applied to one more */
} RspOperator;

/* Names of uninterpreted functions that no text has; those of a text are greater, and those that
 * are calculated greater still (rsp_float_function). */
typedef enum RspFunction {
  RSP_FUNCTION_READ,     /* what is read where values are not known, of what was written there */
  RSP_FUNCTION_NOTHING,  /* what has no value */
  RSP_FUNCTION_ARGUMENT, /* an argument of a kernel, of its number: RspKernelOptions.unknown */
  RSP_FUNCTION_CHOICE    /* what an implementation may choose: each value occurs */
} RspFunction;

/* ---- Floating-point functions ---- */
enum { RSP_FLOAT_MOST_OPERANDS = 3 };

/* A scalar type as these functions see it. */
typedef struct RspNumberType {
  guint8 bits; /* 1 to 64; of a float 16, 32 or 64 */
  gboolean is_float, is_signed;
} RspNumberType;

/* The number of the function, to be applied to its operands one by one with RSP_OP_APPLY: it has
 * the value that IEEE 754 gives it, rounded to nearest. 0: it is not calculated. The name is OpenCL
 * C's or an operator; "convert" also takes integers. */
gint64 rsp_float_function (const char *name, RspNumberType result, const RspNumberType *operands,
                           guint n);

/* How many operands it has; 0: it is not the number of such a function. */
guint rsp_float_operands (gint64 function);

/* The name of a function that the host's mathematical library calculates, whose last digits may
 * differ from a device's; NULL: it is another one. */
const char *rsp_float_host_name (gint64 function);

/* Its value for the bits of its operands. */
gint64 rsp_float_calculate (gint64 function, const gint64 *operands);

typedef enum RspCallKind {
  RSP_CALL_LOAD,
  RSP_CALL_STORE,
  RSP_CALL_FETCH, /* fetch_op and exchange, by `op`; the value is the old one */
  RSP_CALL_CAS,   /* compare_exchange; `weak` */
  RSP_CALL_FENCE, /* atomic_work_item_fence, atomic_thread_fence, fence */
  RSP_CALL_FLAG_TEST_AND_SET,
  RSP_CALL_FLAG_CLEAR,
  RSP_CALL_INIT, /* atomic_init: a plain store */
  RSP_CALL_SWAP, /* compare-and-swap: `expected` is a value; the result is the old value, which a
                   failing one writes back, unless the language's only read */
  RSP_CALL_COPY, /* asynchronously, from `expected`, an address; a reduction by `op`, unless NONE */
  RSP_CALL_WAIT, /* until at most `value` of the last groups of copies are under way; NULL: until
                    no copy is */
  RSP_CALL_REDUCE, /* store_op of C++26 (P3111), by `op`: a read-modify-write without a result */
  RSP_CALL_FETCH_UNLESS, /* as Linux' and herd's __atomic_add_unless: a load if the old value, which
                            is the result, is `expected`; else a fetch_op between seq_cst fences */
  RSP_CALL_UNLESS,       /* the same; the result is 0 if the value is `expected`, else 1 */
  RSP_CALL_PHASE, /* an operation on a PTX mbarrier, which may complete its phase: adds `value` to
                     the  state; `expected`: the arrivals that it counts; the result is the old
                     state
                   */
  RSP_CALL_TEST /* is the phase of an mbarrier complete, so that what is now `expected` (a mask) of
                   the number of its phase differs from `value`? */
} RspCallKind;

static inline gboolean rsp_call_is_unless (RspCallKind kind) {
  return kind == RSP_CALL_UNLESS || kind == RSP_CALL_FETCH_UNLESS;
}

typedef struct RspExpr RspExpr;

/* How an instruction of a language with tags is written, its places in the language's lists
 * (parser/columns/columns.h). */
typedef struct RspSpelling {
  guint form;       /* the first word */
  guint64 suffixes; /* bits; with the order that a missing one means */
} RspSpelling;

typedef struct RspCall {
  RspCallKind kind;
  RspOperator op;      /* RSP_CALL_FETCH, RSP_CALL_REDUCE, RSP_CALL_…UNLESS */
  gint64 function;     /* RSP_CALL_FETCH of a float: in place of `op` (rsp_float_function) */
  gboolean weak;       /* RSP_CALL_CAS */
  guint32 words;       /* RspProgram.words */
  gboolean plain;      /* of kernels, in a language with tags: a LOAD or STORE that is not atomic */
  gboolean other_sign; /* FETCH: the operator is signed if the object is not, and the reverse */
  RspOrder order;      /* success order of a CAS; seq_cst where not given */
  RspOrder failure;    /* RSP_CALL_CAS */
  RspScope scope;      /* device where not given */
  guint flags;         /* RSP_CALL_FENCE: RSP_FENCE_… bits */
  RspExpr *object;     /* the address operated on; NULL for a fence */
  RspExpr *value;      /* stored value, operand, or a CAS's desired value */
  RspExpr *expected;   /* RSP_CALL_CAS: the address of the expected value; RSP_CALL_SWAP,
                          RSP_CALL_…UNLESS: the value; RSP_CALL_PHASE, RSP_CALL_TEST: see there */
  gboolean reads;      /* RSP_CALL_WAIT: until the copies have read */
  gboolean copies;     /* RSP_CALL_PHASE: done by the thread's copies, when they have been done */
  RspExpr *completion; /* RSP_CALL_COPY, RSP_CALL_PHASE: what is done to an mbarrier then, or NULL
                        */
  guint64 tags;        /* in languages with tags: of its event, or of the half that reads */
  guint64 write_tags;  /* of the half of a read-modify-write that writes */
  guint64 failing_tags; /* of RSP_CALL_SWAP that only reads: RspLanguage.failing_reads; of
                           RSP_CALL_TEST whose phase is not complete */
  RspLevel reach; /* in languages with tags: what its scope covers; RSP_LEVEL_THREAD: it has none */
  RspSpelling spelling; /* in languages with tags */
  const char *name;     /* as written, for messages only */
  RspSpan *arguments;
  guint n_arguments;
} RspCall;

struct RspExpr {
  RspExprKind kind;
  gboolean is_copied; /* only in kernels: a value that is only copied, so that it may be none; of an
                              assignment also one that is not used */
  gboolean is_ghost;  /* only in kernels: read for an annotation alone, and so in no data race */
  RspSpan span;
  RspType type; /* C type of the value, after resolution */
  union {
    gint64 constant;
    guint object; /* RSP_EXPR_LOCATION: index into RspProgram.locations of its first element */
    guint reg;    /* RSP_EXPR_REGISTER: index into RspThread.registers */
    RspCall *call;
    struct {
      struct RspStatement *body;
      RspExpr *value;
    } block;
    struct {
      RspOperator op;
      gboolean post;
      RspExpr *a, *b, *c;
    } node;
  } u;
  const char *name; /* RSP_EXPR_LOCATION and RSP_EXPR_REGISTER: as written */
};

/* ---- Statements ---- */
typedef enum RspStatementKind {
  RSP_STATEMENT_EMPTY,
  RSP_STATEMENT_EXPRESSION,
  RSP_STATEMENT_DECLARATION, /* reg, and expr its initialiser or NULL */
  RSP_STATEMENT_BLOCK,
  RSP_STATEMENT_IF,    /* expr, body, otherwise */
  RSP_STATEMENT_WHILE, /* expr, body */
  RSP_STATEMENT_DO,    /* body, expr */
  RSP_STATEMENT_FOR,   /* init (statement or NULL), expr or NULL, step or NULL, body */
  RSP_STATEMENT_BREAK,
  RSP_STATEMENT_CONTINUE,
  RSP_STATEMENT_RETURN,
  RSP_STATEMENT_BARRIER,
  RSP_STATEMENT_CODE, /* a thread's body: statements that a JUMP may leave for another of them */
  RSP_STATEMENT_JUMP, /* in a CODE: to `target`, if expr is NULL or not zero */
  /* Only in kernels: */
  RSP_STATEMENT_SWITCH, /* expr, body: a BLOCK that it enters at a CASE */
  RSP_STATEMENT_CASE,   /* expr, a constant, or NULL: default; step: the last value of a range, or
                           NULL */
  RSP_STATEMENT_FRAME,  /* body: a RETURN in it ends it, or, with a label, a LEAVE */
  RSP_STATEMENT_LEAVE,  /* ends `target`, a FRAME around it with a label; or begins the next round
                           of one, a FOR with a label: its other ends leave that loop, and BREAK and
                           CONTINUE in it are those of a loop around it */
  RSP_STATEMENT_ASSUME, /* expr: executions in which it is 0 are left out */
  RSP_STATEMENT_ASSERT  /* expr: where it is 0, one path fails, and another one goes on; with a
                           label, its message, none goes on */
} RspStatementKind;

typedef struct RspStatement RspStatement;

#define RSP_WARP_BARRIER "warp" /* the id of the barriers of PTX's warps */

/* The barrier of a language with tags: one event. The threads of a work-group meet that execute the
 * same `id` with the same value of `name`. */
typedef struct RspBarrier {
  guint64 tags;
  RspLevel reach; /* as in RspCall */
  RspSpelling spelling;
  const char *id;   /* "0" */
  RspExpr *name;    /* the resource: a constant or register; NULL: none given */
  RspExpr *quorum;  /* arrivals that complete it; NULL: all threads of the work-group that execute
                      it */
  gboolean arrives; /* it counts as an arrival and does not wait */
  gboolean waits;   /* it waits, and its thread has arrived before */
  gboolean reduces; /* its thread changes a location just before it, and reads it just after */
  gboolean whole;   /* without a quorum: all threads must come, and one that has ended holds it */
  RspLevel meeting; /* the threads that share this level meet */
  guint32 words;    /* RspProgram.words */
} RspBarrier;

struct RspStatement {
  RspStatementKind kind;
  RspSpan span;
  RspExpr *expr;
  RspExpr *step;           /* RSP_STATEMENT_FOR */
  RspStatement *init;      /* RSP_STATEMENT_FOR */
  RspStatement *body;      /* loops and if */
  RspStatement *otherwise; /* if; may be NULL */
  RspStatement *first;     /* RSP_STATEMENT_BLOCK and CODE: its statements, linked by `next` */
  RspStatement *next;
  RspStatement *target; /* RSP_STATEMENT_JUMP, in the same CODE; RSP_STATEMENT_LEAVE */
  guint index;          /* of a statement in a CODE */
  RspBarrier *barrier;  /* RSP_STATEMENT_BARRIER in a language with tags; then nothing below */
  guint reg;            /* RSP_STATEMENT_DECLARATION */
  const char *label;    /* RSP_STATEMENT_BARRIER, _ASSERT, _FRAME, _FOR: NULL if unlabelled */
  guint flags;          /* RSP_STATEMENT_BARRIER: RSP_FENCE_… bits */
  guint32 words;        /* RSP_STATEMENT_BARRIER: RspProgram.words */
  RspScope scope;       /* RSP_STATEMENT_BARRIER: work_group where not given */
  gboolean sub_group;   /* RSP_STATEMENT_BARRIER: only the threads of a sub-group meet */
  /* RSP_STATEMENT_BARRIER: `barrier (flags, scope)` of a test with a scope wider than the
   * work-group. It joins its scope under models with the option withwidebarriers, and its
   * work-group under others. */
  gboolean wide;
};

/* ---- Walk ---- */
/* What is called for each statement and expression, outer ones first; NULL: nothing is. */
typedef struct RspWalk {
  void (*statement) (gpointer data, const RspStatement *statement);
  void (*expression) (gpointer data, const RspExpr *expr);
  gpointer data;
} RspWalk;

/* Visits it and all in it; NULL: nothing. */
void rsp_walk_statement (const RspWalk *walk, const RspStatement *statement);
void rsp_walk_expr (const RspWalk *walk, const RspExpr *expr);

/* ---- Program ---- */
/* One shared memory cell. The elements of an array are consecutive locations; `object` is the index
 * of the first (a scalar is an array of one). */
typedef struct RspLocation {
  const char *name; /* "x", "a[1]" */
  RspType type;     /* of the cell: pointers counts those it holds; `space` is where it lies */
  gboolean atomic;  /* declared atomic by some thread, or in the initial state */
  guint object;
  guint n_elements;   /* of the object; the same for all its elements */
  gboolean is_kernel; /* is it an object of a kernel, atomic if an atomic function accesses it? */
  gboolean grows;     /* of kernels: the object is to have as many elements as are accessed */
  guint declared;     /* of one that grows: the number that its type says; 0: none */
  gboolean unset;     /* has no initial value: reading it is an error */
  gboolean fixed;     /* nothing writes it: reading it is no event */
  guint argument;     /* of kernels: the number of its unknown initial value + 1; 0: it is known */
  gboolean any;       /* of kernels: nothing is known of its initial value */
  gboolean open;      /* has any initial value, which nothing reads */
  gboolean opaque; /* its value may come from an uninterpreted function: nothing is known of it */
  guint reg;       /* only one thread accesses it: the register that stands for it there, + 1 */
  gint64 initial;  /* a value of its type, or an address */
  RspSpan span;    /* where it first appears */

  /* An alias (`t @ texture aliases x`) is an object of its own, so that pointers distinguish it,
   * but no memory of its own: accesses to it are events at `physical`. */
  guint physical;  /* its own index, or that of the location whose memory it names */
  RspTag proxy;    /* of an alias in PTX: by which proxy it is accessed */
  guint handle_of; /* of an alias for another proxy than the generic one: the location whose virtual
                      address it has, + 1 */
} RspLocation;

typedef struct RspRegister {
  const char *name;
  RspType type;
  gint64 initial;            /* from the initial state (`1:r7=3`); else 0 */
  gboolean implicit;         /* used without a declaration (reported once) */
  gboolean initialised;      /* by the initial state or as a parameter; or implicit */
  gboolean unset;            /* has no initial value: reading it is an error */
  gboolean receives;         /* of tests: some statement sets it and reads memory for that */
  guint element, n_elements; /* in an array of registers, n_elements > 0: its place there */
  RspSpan span;
} RspRegister;

typedef struct RspParameter {
  const char *name;
  const char *normalised; /* its type as the hash spells it: "__global _Atomic int*" */
  RspType type;           /* pointers ≥ 1 for shared locations */
  guint object;           /* its location; G_MAXUINT for a parameter passed by value, which is a
                             register of that name */
  RspSpan span;
} RspParameter;

#define RSP_NO_THREAD G_MAXUINT /* index of initial writes, which belong to no thread */

typedef struct RspThread {
  const char *name;  /* "P0" */
  const char *title; /* in messages, "work-item (0,1)"; NULL: "thread P0" */
  guint number;      /* 0 */
  RspSpan span;      /* of its name */
  RspParameter *parameters;
  guint n_parameters;
  RspRegister *registers; /* a shadowing declaration is a register of its own; conditions refer to
                           * the first one declared with a name */
  guint n_registers;
  guint spare; /* a register, + 1, that accesses through no address use; 0: they fail */
  RspStatement *body;
  const char *raw; /* the exact text between the body's braces */
  guint8 *kept; /* per event of its only path, which has n_kept: does the path keep it? NULL: all */
  guint n_kept;

  /* Place in the scope tree: per level the number of the node, unique among the level's nodes. */
  guint place[RSP_N_LEVELS];
} RspThread;

/* ---- Conditions ---- */
typedef enum RspQuantifier { RSP_EXISTS, RSP_NOT_EXISTS, RSP_FORALL } RspQuantifier;

/* What a final state shows: a register of a thread, or a location. */
typedef struct RspObservable {
  gboolean is_register;
  guint thread; /* index into RspProgram.threads */
  guint reg;    /* or */
  guint location;
  const char *name; /* as printed in a state: "2:r0", "x", "a[1]" */
  const char
      *array; /* the array of which it is an element, if the question names all of it; or NULL */
} RspObservable;

typedef enum RspPropKind {
  RSP_PROP_TRUE,
  RSP_PROP_FALSE,
  RSP_PROP_ATOM,
  RSP_PROP_NOT, /* a */
  RSP_PROP_AND,
  RSP_PROP_OR,
  RSP_PROP_IMPLIES
} RspPropKind;

typedef struct RspProp RspProp;

/* One side of an atom: an observable, or a constant (a number or an address). */
typedef struct RspOperand {
  gboolean is_observable;
  guint observable; /* index into RspProgram.observables */
  RspType type;     /* the observable's; of 0 bits: not known */
  gint64 constant;
  const char *text; /* as printed in a condition */
} RspOperand;

struct RspProp {
  RspPropKind kind;
  RspSpan span;
  RspProp *a, *b;
  RspOperator op; /* RSP_OP_EQ, RSP_OP_NE or RSP_OP_LT, with left and right */
  RspOperand left, right;
  RspType compared; /* what both are converted to; of 0 bits: nothing */
  const char *text; /* of what is printed otherwise, such as `v={1,2}`; NULL: as its parts say */
};

typedef struct RspInitialText {
  const char *name; /* as the hash sorts it: "x", "1:r7" */
  const char *text; /* as the hash has it: "x=0", in C tests "int *p=y" */
} RspInitialText;

/* `ssw 0 1`: every event of the one thread synchronizes with every event of the other. */
typedef struct RspThreadPair {
  guint from, to; /* indices into RspProgram.threads */
} RspThreadPair;

/* Of kernels: do paths end at the first barrier behind a race (always), or where the values that it
 * leaves open make them too many? */
typedef enum RspPhasesEnd {
  RSP_PHASES_END_NEVER,
  RSP_PHASES_END_IF_MANY,
  RSP_PHASES_END_ALWAYS,
  RSP_PHASES_SCHEDULED /* and more, one for each schedule: threads have only the paths that they
                          take on it */
} RspPhasesEnd;

enum { RSP_N_SCHEDULES = 16 };

typedef struct RspProgram {
  RspArena *arena; /* owns everything below but the source */
  RspSource *source;
  const RspLanguage *language;
  const char *name;
  const char *doc; /* the quoted line under the name, or NULL */
  RspThread *threads;
  guint n_threads;
  RspLocation *locations;
  guint n_locations;
  const char *hash;        /* of a line `Hash=…` in the test; NULL: none */
  RspInitialText *initial; /* the initial state as written, in order, for the hash */
  guint n_initial;
  RspThreadPair *ssw; /* system-synchronizes-with */
  guint n_ssw;

  RspObservable *observables; /* what the condition and `locations` name, without duplicates;
                               * sorted: registers by thread, then by name, then locations by
                               * name */
  guint n_observables;
  RspQuantifier quantifier;
  RspProp *condition;
  RspProp *filter;     /* NULL if there is none */
  guint8 *filter_only; /* per observable: is it named by the filter alone, and so not printed? */

  RspWords words;
  gboolean newer; /* it has words of newer versions of its language, and the model of those */

  gboolean all_placements; /* its question is about all trees of its threads: api/api.h */

  RspSpan wide_barrier; /* the first statement that is `wide`; without a source: there is none */

  /* The statements are those of another language, and what their operations become in this one is
   * decided here (parser/translation.h); else NULL. */
  const struct RspTranslation *translation;
  struct RspPhases *phases;      /* of kernels: enumerator/paths/paths.h; NULL: not looked for */
  const RspLanguage *written_in; /* with a translation: the language of the statements */
} RspProgram;

/* "ptx75.cat" */
const char *rsp_program_default_model (const RspProgram *program);

/* Does a node of the level hold several of the level inside it? Those that places may leave out do
 * not, unless they are given. */
gboolean rsp_program_joins (const RspProgram *program, guint level);

/* The language of the program's statements. */
static inline const RspLanguage *rsp_statement_language (const RspProgram *program) {
  return program->written_in ? program->written_in : program->language;
}

/* ---- Arithmetic ----------------------------------------------------------------------------- */

/* Arithmetic on values of C integer types, wrapping as the hardware does. A value of an unsigned
 * 64-bit type is kept as the gint64 of the same bits; every other value is itself. */

/* Wide enough for every value of every type. */
typedef __int128 RspWide;

/* Bits and signedness of a type's values: 64 and unsigned for an address; as int for void. */
guint8 rsp_type_bits (const RspType *type);
gboolean rsp_type_is_signed (const RspType *type);

/* value converted to a type: modulo 2^bits; to bool (1 bit), value != 0. */
gint64 rsp_wrap (gint64 value, guint8 bits, gboolean is_signed);

/* The mathematical value, and the least and greatest one of a type. */
RspWide rsp_widen (gint64 value, guint8 bits, gboolean is_signed);
RspWide rsp_type_low (guint8 bits, gboolean is_signed);
RspWide rsp_type_high (guint8 bits, gboolean is_signed);

/* Labels for a switch over RspOperator without a default, so that the compiler reports a missing
 * operator: comparisons, and operators that are not functions of two values. */
#define RSP_CASES_OF_COMPARISONS                                                                   \
  case RSP_OP_EQ:                                                                                  \
  case RSP_OP_NE:                                                                                  \
  case RSP_OP_LT:                                                                                  \
  case RSP_OP_LE:                                                                                  \
  case RSP_OP_GT:                                                                                  \
  case RSP_OP_GE
#define RSP_CASES_WITHOUT_FOLDING                                                                  \
  case RSP_OP_NONE:                                                                                \
  case RSP_OP_LOGICAL_AND:                                                                         \
  case RSP_OP_LOGICAL_OR:                                                                          \
  case RSP_OP_COMMA:                                                                               \
  case RSP_OP_NEGATE:                                                                              \
  case RSP_OP_COMPLEMENT:                                                                          \
  case RSP_OP_LOGICAL_NOT:                                                                         \
  case RSP_OP_PLUS

static inline gboolean rsp_operator_is_comparison (RspOperator op) {
  return op >= RSP_OP_EQ && op <= RSP_OP_GE;
}

static inline gboolean rsp_operator_is_shift (RspOperator op) {
  return op == RSP_OP_SHL || op == RSP_OP_SHR;
}

static inline gboolean rsp_operator_is_commutative (RspOperator op) {
  return op == RSP_OP_ADD || op == RSP_OP_MUL || op == RSP_OP_AND || op == RSP_OP_OR
         || op == RSP_OP_XOR || op == RSP_OP_MIN || op == RSP_OP_MAX || op == RSP_OP_EQ
         || op == RSP_OP_NE;
}

/* Does the comparison hold of a and b? */
gboolean rsp_compare (RspOperator op, RspWide a, RspWide b);

/* RSP_OP_NEGATE or RSP_OP_COMPLEMENT of a value of the type. */
gint64 rsp_fold_unary (RspOperator op, gint64 a, guint8 bits, gboolean is_signed);

/* a op b where both have the type (a shift's amount has any). The result has the type too, except
 * for comparisons: 0 or 1. FALSE for a division by zero and for a shift outside 0 … bits - 1. */
gboolean rsp_fold_binary (RspOperator op, gint64 a, gint64 b, guint8 bits, gboolean is_signed,
                          gint64 *result);

/* ---- Proposition ---------------------------------------------------------------------------- */

/* Propositions: their truth and their text. */

typedef RspTruth (*RspAtomTruth) (const RspProp *atom, gpointer data);

/* In the arena. */
RspProp *rsp_prop_new (RspArena *arena, RspPropKind kind, RspSpan span, RspProp *a, RspProp *b);

/* The truth of a proposition by that of its atoms. */
RspTruth rsp_prop_truth (const RspProp *prop, RspAtomTruth atom, gpointer data);

/* Gives the observables of a proposition (or NULL) these numbers, and operands the types of the
 * program's. */
void rsp_prop_renumber (const RspProgram *program, RspProp *prop, const guint *numbers);

/* Is there no choice of values under which the proposition holds, whatever the program? FALSE also
 * if that is too hard to tell. */
gboolean rsp_prop_is_contradiction (const RspProgram *program, const RspProp *prop);

/* A proposition as the log prints it: "2:r0=1 /\\ not (x=2)". Appends to out. */
void rsp_prop_format (const RspProp *prop, GString *out);

/* The quantifier and the proposition: "exists (2:r0=1 /\\ not (x=2))". Newly allocated. */
char *rsp_condition_format (RspQuantifier quantifier, const RspProp *prop, const char *negation);

/* ---- Format --------------------------------------------------------------------------------- */

/* A value of that type as states print it: a decimal number, or a location's name for an address
 * ("x", "a[1]"). Appends to out. */
void rsp_program_format_value (const RspProgram *program, const RspType *type, gint64 value,
                               GString *out);

/* A signed number that is not an address. Appends to out. */
void rsp_number_format (gint64 number, GString *out);
const RspType *rsp_observable_type (const RspProgram *program, const RspObservable *observable);

/* The condition as the log prints it: "exists (2:r0=1 /\\ ~(x=2))". Newly allocated. */
char *rsp_program_format_condition (const RspProgram *program);

/* ---- Hash ----------------------------------------------------------------------------------- */

/* By thread and name, registers first. */
gint rsp_observables_compare (gconstpointer a, gconstpointer b);

/* The program with states that also show every register that receives what is read; in the arena,
 * and as long as the program is. */
const RspProgram *rsp_program_show_reads (const RspProgram *program, RspArena *arena);

/* The test's hash as herd prints it: hex MD5 over initial state, code and observables; the scope
 * tree does not enter it. Newly allocated. */
char *rsp_program_hash (const RspProgram *program);

/* Hex MD5 of the scope tree alone. Trees that group threads in the same way have equal hashes.
 * Newly allocated. */
char *rsp_program_scope_hash (const RspProgram *program);

/* ---- Words ---------------------------------------------------------------------------------- */

/* The place that the operation is, of RspWordPlaces. */
guint rsp_call_place (RspCallKind kind);

/* The word's bit, 0 if no operation of the program has it. */
guint32 rsp_words_bit (const RspWords *words, const char *name);

/* Notes a use of the word at such places, which have the words `with` too, and returns the word's
 * bit; 0 with an error if the program says too many words. */
guint32 rsp_words_say (RspWords *words, RspArena *arena, const char *name, guint places,
                       guint32 with, RspSpan span, RspDiagnostics *diagnostics);
/* Notes what is wrong with the word said there if no model declares it; hint may be NULL. */
void rsp_words_doubt (RspWords *words, RspArena *arena, RspSpan span, const char *wrong,
                      const char *hint);

/* The same for the name of a level and its scope. *level: the level of the name, or else the
 * outermost own one from `from` to before `to` that has no name; 0 with an error if there is
 * none. */
guint32 rsp_words_say_level (RspWords *words, RspArena *arena, const char *name, guint from,
                             guint to, RspSpan span, RspLevel *level, RspDiagnostics *diagnostics);

/* The word of an own level; NULL: the test names none there. */
const char *rsp_words_level (const RspWords *words, guint level);

/* "memory_scope_cluster" if the word is the name of an own level, else NULL. */
const char *rsp_words_scope (const RspWords *words, guint word);

/* Those that an operation at such a place, and with a scope of that level, has, of those that it is
 * given: all, until the program is bound to a model. */
guint32 rsp_words_allowed (const RspWords *words, guint32 given, guint place, RspLevel level);

/* Appends ",heavy,lazy". */
void rsp_words_format (const RspWords *words, guint32 set, GString *out);

/* ---- Scopes --------------------------------------------------------------------------------- */

/* Scopes and the scope tree: their words, the nodes that a scope covers, the tree as text. */

/* The columns of RSP_SCOPE in parser/scopes.def. */
typedef struct RspScopeWords {
  const char *word, *text, *short_word; /* "work_group", "work-group", "wg" */
  RspLevel level;
} RspScopeWords;

extern const RspScopeWords rsp_scopes[RSP_N_ALL_SCOPES];

/* How far an operation reaches: languages in columns say a level, the others a scope. */
static inline RspLevel rsp_level_reached (const RspLanguage *language, RspLevel reach,
                                          RspScope scope) {
  return language->tagged ? reach : rsp_scopes[scope].level;
}

/* Does scope a cover more than b? */
gboolean rsp_scope_is_wider (RspScope a, RspScope b);

/* Does a level have one node per node of the level outside it, unless a tree shows otherwise? */
static inline gboolean rsp_level_follows (RspLevel level) {
  return rsp_levels[level].shared_in_tree && rsp_levels[level].shared_elsewhere;
}

/* Are two threads in one node of a level (not RSP_LEVEL_THREAD)? All are in that of
 * RSP_LEVEL_SYSTEM. */
static inline gboolean rsp_threads_share (const RspThread *a, const RspThread *b, RspLevel level) {
  return level == RSP_LEVEL_SYSTEM || a->place[level] == b->place[level];
}

/* The number of the node that a scope covers around a thread, unique among those of the scope. */
guint rsp_scope_node (const RspProgram *program, guint thread, RspScope scope);

/* What a reader calls a level in the test: "work-group", "cta"; NULL: it has no such level. */
const char *rsp_level_text (const RspProgram *program, guint level);

/* Per level, the number of the node that a thread is in. */
typedef guint8 RspNodes[RSP_N_LEVELS];

enum { RSP_TREE_THREADS = 16 };

/* All trees of n threads that differ at these levels (bits of RspLevel) only, those with the
 * innermost common nodes first: calls visit with the nodes of each thread, numbered from 0 in the
 * order of their first threads. Other levels are as if a tree left them out: one node in that of
 * the level outside, or from the work-groups on, and if they are optional, around each inside.
 * FALSE if visit returned FALSE. */
gboolean rsp_trees_each (const RspLanguage *language, guint n, guint levels,
                         gboolean (*visit) (gpointer data, const RspNodes *nodes), gpointer data);

/* Gives own levels that the program does not name a node around each node inside. */
void rsp_program_fill_levels (RspProgram *program);

/* The scope tree in the syntax of `scopeTree`: "(device (work_group P0) (work_group P1))", without
 * a device's only kernel and without sub-groups of one thread. Newly allocated. */
char *rsp_program_format_scopes (const RspProgram *program);
