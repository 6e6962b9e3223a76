#pragma once

#include "parser/c/c.h"
#include "parser/kernel/kernel.h"

/* ---- The lowerer ---------------------------------------------------------------------------- */

enum {
  KERNEL_MAX_THREADS = 4096,
  KERNEL_MAX_REGISTERS = 8192, /* of one thread */
  KERNEL_MAX_LOCATIONS = 1 << 19,
  KERNEL_MAX_DEPTH = 200,        /* of expressions, statements and calls within each other */
  KERNEL_MAX_STATEMENTS = 200000 /* of one thread */
};

/* An expression's value: the program's expressions for its cells. */
typedef struct KernelValue {
  const CType *type;
  RspExpr **cells;
  guint n;
} KernelValue;

/* An object, or part of one: registers from `base` on, or memory at the address. */
typedef struct KernelPlace {
  const CType *type;
  gboolean in_registers;
  guint base;
  RspExpr *address;
  const guint8 *lanes; /* of `v.zx`: the lanes of the vector at the place; NULL: all */
} KernelPlace;

/* What a name denotes while its scope is open. */
typedef struct KernelBinding {
  const char *name;
  KernelPlace place;
  gboolean by_value; /* place.address is the value of a pointer that nothing assigns to */
  guint frame;       /* the call that it belongs to; 0: all */
} KernelBinding;

/* The work-item's last accesses to an array, for annotations: registers with the addresses read and
 * written last, or 0 if there was no access since the last barrier. */
typedef struct KernelLog {
  RspExpr *array;
  guint fence; /* RSP_FENCE_…: the barriers that clear it */
  guint last[2];
} KernelLog;

/* A list of statements that grows. */
typedef struct KernelCode {
  RspStatement *first, *last;
} KernelCode;

/* A call that is being inlined. */
typedef struct KernelFrame {
  const CFunction *function;
  guint result; /* first register of the result */
  guint number;
  const struct KernelFrame *caller;
  const char *place;  /* the calls' lines, for the labels of barriers */
  GPtrArray *ensures; /* of CExpr: annotations about its end */
} KernelFrame;

typedef struct KernelLowerer {
  RspKernel *kernel;
  RspProgram *program;
  CUnit *unit;
  RspArena *arena;
  RspDiagnostics *diagnostics;
  const RspKernelOptions *options;
  const CFunction *entry;
  GArray *locations;         /* of RspLocation */
  GHashTable *local;         /* "variable, work-group" -> first location + 1 */
  GPtrArray *copies, *stops; /* of the thread: KernelCopy, KernelStop */
  GHashTable *built_in; /* "0 T f (T a) { … }" -> CFunction; functions without a body -> NULL */
  GHashTable *old;      /* CExpr of `__old_int (e)` -> KernelValue, at the function's beginning */
  GArray *asserts;      /* of RspKernelAssert */
  GArray *bindings;     /* of KernelBinding; inner ones later */
  GArray *logs;         /* of KernelLog, of the thread's arrays; NULL: no annotation asks */

  /* The thread whose body is made. */
  guint thread, group, item; /* item: local id */
  GArray *registers;         /* of RspRegister */
  GString *identity;         /* what the body depends on, besides the kernel's text */
  KernelCode *code;          /* statements go here */
  const KernelFrame *frame;
  guint n_frames, depth, n_statements;
  guint n_loops, n_leavable;          /* around the statement: loops; loops and switches */
  gboolean at_head;                   /* have only annotations preceded in the loop's round? */
  const struct KernelRegion *regions; /* that a `goto` leaves; inner ones first */
  guint scope;                        /* the innermost block's first binding */
  guint calls;          /* of functions without a body: the register that counts them, + 1 */
  guint group_calls[2]; /* the same of functions of the work-group, and of the sub-group */
  const char *site; /* names a call to which not all work-items of the group come; NULL: all do */
  RspExpr *round;   /* the round of the loops around that call */
  gboolean takes_address; /* is the address of the next element taken? Then it may be the one after
                             the last */
  gboolean is_open;       /* are there functions of unknown results? */
  gboolean in_annotation; /* are reads without effect on the execution? */
  gboolean at_end; /* is an assertion about final memory resolved, which no work-item evaluates? */
  gboolean in_sizeof; /* is an expression of which only the type matters read? */
  gboolean gave_up;   /* an error that would be repeated has been reported */
  guint resized;      /* the smaller units with which all must be resolved again; 0: none */
} KernelLowerer;

#define kernel_error(l, span, hint, ...) rsp_error ((l)->diagnostics, (span), (hint), __VA_ARGS__)

/* An error for a construct that is not supported, and what to write instead (or NULL). */
void rsp_kernel_refuse (KernelLowerer *l, RspSpan span, const char *instead, const char *format,
                        ...) G_GNUC_PRINTF (4, 5);

/* ---- Atomic operations and barriers --------------------------------------------------------- */

/* FALSE: the call is not an atomic operation, fence or barrier. */
gboolean kernel_atomic (KernelLowerer *l, const CExpr *expr, KernelValue *value);

/* Emits a barrier; work-items with other values of its `expr` do not meet there. */
RspStatement *kernel_emit_barrier (KernelLowerer *l, RspSpan span, guint flags, RspScope scope,
                                   gboolean sub_group);

/* Inlines the function of the text, in which T is the type of the first argument, or of its lanes,
 * and U the unsigned integer of T's width. */
KernelValue rsp_kernel_inline_text (KernelLowerer *l, RspSpan span, const char *text,
                                    const KernelValue *arguments);

/* The function that the text defines. place: what spans in it are (NULL: their own). */
const CFunction *rsp_kernel_parse_function (KernelLowerer *l, const char *text,
                                            const RspSpan *place);

/* ---- Functions of groups -------------------------------------------------------------------- */

/* A work_group_… or sub_group_… function; FALSE: it is not supported. */
gboolean kernel_group_values (KernelLowerer *l, const CExpr *expr, KernelValue *value);

/* async_work_group_copy, its strided form, or wait_group_events */
KernelValue kernel_copy (KernelLowerer *l, const CExpr *expr);

/* Before a barrier of the work-group: copies that are under way may be made here. */
void rsp_kernel_stop (KernelLowerer *l, RspSpan span);

/* The thread's body, when all of it is known, with the code that makes its copies. */
RspStatement *kernel_make_copies (KernelLowerer *l, RspStatement *body);

/* ---- Work-item functions -------------------------------------------------------------------- */

/* What a call such as get_global_size (0) returns in every work-item; FALSE: it is another call. */
gboolean rsp_kernel_grid_size (KernelLowerer *l, const CExpr *call, gint64 *value);

/* ---- Integer functions ---------------------------------------------------------------------- */

/* The result of a function of two integers: arguments of one type have a result of that type, which
 * is not promoted (6.13.3). */
const CType *kernel_result_type (const CType *a, const CType *b);

/* A function of integers, or of vectors of them; FALSE: there is none for the arguments. */
gboolean kernel_integer_function (KernelLowerer *l, const CExpr *call, const KernelValue *arguments,
                                  guint n, KernelValue *value);

/* Is it an integer, or a vector of integers? */
gboolean kernel_is_integral (const CType *type);

/* A floating-point number, rounded as a conversion's suffix says ("sat_rte"); without one, towards
 * 0. */
KernelValue rsp_kernel_rounded (KernelLowerer *l, RspSpan span, KernelValue value,
                                const char *suffix);

/* The nearest value of the integral type; it keeps its own type. */
KernelValue rsp_kernel_saturate (KernelLowerer *l, RspSpan span, KernelValue value,
                                 const CType *type);

/* `condition ? yes : no` of values of one type. Where a lane of a vector as the condition is
 * negative, yes. */
KernelValue rsp_kernel_choose (KernelLowerer *l, RspSpan span, KernelValue condition,
                               KernelValue yes, KernelValue no);

/* any (v), all (v) */
KernelValue kernel_any (KernelLowerer *l, const CExpr *call, KernelValue value);

/* shuffle (v, mask), shuffle2 (v, w, mask), of vectors */
KernelValue kernel_shuffle (KernelLowerer *l, RspSpan span, const KernelValue *arguments, guint n);

/* A pointer to the pixels of an image that is a parameter; FALSE: it is not. */
gboolean kernel_image_memory (KernelLowerer *l, const RspExpr *image, RspSpan span,
                              KernelValue *pointer);

/* ---- Hints for misspelt names --------------------------------------------------------------- */

/* "did you mean `…`?" among the functions of the file and OpenCL C's, newly allocated, or NULL. */
char *rsp_kernel_function_hint (const KernelLowerer *l, const char *name);

/* ---- Expressions ---------------------------------------------------------------------------- */

/* The value of an expression. Statements that must be executed before it is evaluated are emitted.
 */
KernelValue rsp_kernel_value (KernelLowerer *l, const CExpr *expr);

/* The value of a scalar expression, of a floating-point one whether it is not 0; after an error 0.
 */
RspExpr *rsp_kernel_scalar_value (KernelLowerer *l, const CExpr *expr, const CType **type);

/* The type of an expression, which is not evaluated; an array stays one. */
const CType *rsp_kernel_type_of (KernelLowerer *l, const CExpr *expr);

/* A scalar's value as a condition; the statements before it, if any, are part of the result. */
RspExpr *rsp_kernel_condition (KernelLowerer *l, const CExpr *expr);

/* Executes an expression for its effects. */
void rsp_kernel_effect (KernelLowerer *l, const CExpr *expr);

/* The same as an expression of the program; NULL: it has no effect. */
RspExpr *kernel_effect_expr (KernelLowerer *l, const CExpr *expr);

/* Initialises an object. */
void rsp_kernel_initialise (KernelLowerer *l, KernelPlace place, const CExpr *initial);

/* The variable's type; an array without a size has that of its initialiser. */
const CType *rsp_kernel_completed (KernelLowerer *l, const CVariable *variable);

/* The value of a name that is not a variable's; FALSE: it has none. */
gboolean kernel_named_constant (KernelLowerer *l, const CExpr *expr, KernelValue *value);

/* `(type) a`, or a vector of `(a, b, …)`. */
KernelValue kernel_cast (KernelLowerer *l, const CExpr *expr);
KernelValue rsp_kernel_cast_value (KernelLowerer *l, RspSpan span, KernelValue value,
                                   const CType *type);

/* The bytes of a value as one of another type (as_uint (f)). FALSE: that is not supported. */
gboolean rsp_kernel_reinterpret (KernelLowerer *l, RspSpan span, KernelValue from,
                                 const CType *type, KernelValue *value);

/* The scalar number `number` of those of the type that the cells' bytes make up: part of a cell, or
 * several joined. */
RspExpr *rsp_kernel_join_cells (KernelLowerer *l, RspSpan span, KernelValue from, const CType *leaf,
                                guint number);

KernelValue rsp_kernel_binary (KernelLowerer *l, RspSpan span, RspOperator op, KernelValue a,
                               KernelValue b);

/* pointer + index or pointer - index, by whole elements. */
KernelValue rsp_kernel_offset (KernelLowerer *l, RspSpan span, KernelValue pointer,
                               KernelValue index, RspOperator op);

/* Inlines the function with as many arguments as it has parameters. Returns its result. */
KernelValue rsp_kernel_inline (KernelLowerer *l, const CExpr *expr, const CFunction *function,
                               const KernelValue *arguments);
KernelValue kernel_call (KernelLowerer *l, const CExpr *expr, const CFunction *function);

/* A call of a function without a body: any value. */
KernelValue kernel_unknown_call (KernelLowerer *l, const CExpr *expr, const CVariable *function);

/* An unknown function of the arguments: the same for the same values. */
KernelValue kernel_uninterpreted (KernelLowerer *l, const CExpr *expr, const char *name,
                                  const CType *type);

/* Asserts what the function ensures at its end, except what only proofs can use. */
void kernel_check_ensures (KernelLowerer *l);

/* Accesses so far, for annotations: begins to log those to an array, logs one (its place may then
 * be evaluated again), and ends at a barrier. */
void kernel_log_begins (KernelLowerer *l, KernelPlace place, RspSpan span);
KernelPlace kernel_logged (KernelLowerer *l, KernelPlace place, gboolean writes, RspSpan span);
void kernel_log_ends (KernelLowerer *l, guint flags, RspSpan span);

/* "12:3 in 20:5": the place in the text, in the calls that are being inlined. */
const char *kernel_call_path (KernelLowerer *l, RspSpan span);

/* FALSE: it is not a built-in function. */
gboolean rsp_kernel_builtin (KernelLowerer *l, const CExpr *expr, KernelValue *value);

/* The same of its name and its arguments' values. */
gboolean rsp_kernel_call (KernelLowerer *l, RspSpan span, const char *name,
                          const KernelValue *operands, guint n, KernelValue *value);

/* ---- Constants ------------------------------------------------------------------------------ */

/* The value of an operator on constants, of the type that C gives it; NULL: they are not constants,
 * or it has no value (a division by zero, an operator on pointers). b NULL: a unary one. */
RspExpr *kernel_folded (KernelLowerer *l, RspSpan span, RspOperator op, const RspExpr *a,
                        const RspExpr *b);

/* The number as one of the integer type. */
gint64 rsp_kernel_wrap (gint64 value, const CType *type);

/* The value of a constant expression; FALSE, silently: it is not one. */
gboolean rsp_kernel_evaluate (KernelLowerer *l, const CExpr *expr, gint64 *value);

/* The value of an expression that is constant where it stands, and needs no statements; FALSE: it
 * is not. */
gboolean rsp_kernel_constant_value (KernelLowerer *l, const CExpr *expr, gint64 *value);

/* `_Static_assert (e, "…")`: an error, unless e is a constant that is not 0. */
void rsp_kernel_static_assert (KernelLowerer *l, const CExpr *expr, RspSpan span);

/* Binds the enumerator's name to its value. */
void rsp_kernel_bind_enumerator (KernelLowerer *l, const CVariable *enumerator);

/* ---- Places --------------------------------------------------------------------------------- */

/* The innermost binding of the name; NULL: none. */
const KernelBinding *rsp_kernel_find_name (const KernelLowerer *l, const char *name);
void rsp_kernel_bind (KernelLowerer *l, const char *name, KernelPlace place, gboolean by_value);

/* The object that an expression denotes; FALSE, after an error: it is not one. */
gboolean rsp_kernel_place (KernelLowerer *l, const CExpr *expr, KernelPlace *place);

/* Before an access to memory in units smaller than numbers: asserts that the address is a multiple
 * of so many bytes; 0: of the size of the first number there. */
void rsp_kernel_check_aligned (KernelLowerer *l, KernelPlace *place, guint64 bytes, RspSpan span);

/* Does the expression denote an object, rather than a value alone? */
gboolean kernel_denotes_object (const KernelLowerer *l, const CExpr *expr);

/* The value of an object; of an array, the address of its first element. */
KernelValue rsp_kernel_load (KernelLowerer *l, KernelPlace place, RspSpan span);

/* Is the object an integer in one cell of its type, whose accesses are not logged? */
gboolean kernel_is_plain (KernelLowerer *l, KernelPlace place);

/* The address of an object. */
RspExpr *rsp_kernel_address (KernelLowerer *l, KernelPlace place, RspSpan span);

/* How many parts a cell of an object has: units of which it consists. */
guint rsp_kernel_n_parts (KernelLowerer *l, KernelPlace place, guint cell);

/* The program's expression for a cell of an object; after rsp_kernel_reuse, for several cells. */
RspExpr *kernel_cell (KernelLowerer *l, KernelPlace place, guint cell, RspSpan span);
KernelPlace rsp_kernel_reuse (KernelLowerer *l, KernelPlace place);
KernelPlace rsp_kernel_registers (const CType *type, guint first);

/* The lanes that the name of components means. Returns how many; 0: none. */
guint kernel_lanes (const CType *vector, const char *name, guint8 *lanes);

/* Statements that assign a value of the place's type. */
void rsp_kernel_store (KernelLowerer *l, KernelPlace place, KernelValue value, RspSpan span);

/* ---- Statements ----------------------------------------------------------------------------- */

/* The body of the thread that the lowerer describes. */
RspStatement *rsp_kernel_thread_body (KernelLowerer *l);

/* `assert (e)`: a register says whether it failed; or `__assume (e)`: other executions are left
 * out. */
void rsp_kernel_annotate (KernelLowerer *l, const CExpr *call, gboolean asserts);

/* Does -arg give any argument any value? */
gboolean kernel_has_any (const KernelLowerer *l);

/* ---- Types ---------------------------------------------------------------------------------- */

extern const CType kernel_int, kernel_size, kernel_void, kernel_bool, kernel_uint, kernel_long;

/* The number of cells of a type: scalars have one, vectors of three lanes four. 0 after an error.
 */
guint rsp_kernel_cells (KernelLowerer *l, const CType *type, RspSpan span);

/* ---- Arguments and objects ------------------------------------------------------------------ */
/* Lays memory out in units of at most so many bytes, instead of cells: the kernel is then resolved
 * again. */
void rsp_kernel_want_unit (KernelLowerer *l, guint bytes);

/* The unsigned integer of a unit's size. */
const CType *rsp_kernel_unit_type (KernelLowerer *l);

/* The units of a type, the unit at which a cell of it begins, and the type of what lies in a unit:
 * a cell, or this part of one. */
guint rsp_kernel_units (KernelLowerer *l, const CType *type, RspSpan span);
guint rsp_kernel_unit_at (KernelLowerer *l, const CType *type, guint cell);
const CType *kernel_unit_leaf (KernelLowerer *l, const CType *type, guint unit, guint *cell,
                               guint *part);

/* The scalar type of a cell. */
const CType *rsp_kernel_leaf (KernelLowerer *l, const CType *type, guint cell);

/* Is the cell the fourth one of three lanes? It has no value, and is neither read nor written. */
gboolean rsp_kernel_pads (KernelLowerer *l, const CType *type, guint cell);

/* The type of a cell in the program. */
RspType rsp_kernel_cell_type (const CType *leaf);

/* sizeof */
guint64 rsp_kernel_size_of (KernelLowerer *l, const CType *type, RspSpan span);

/* In bytes; 1 for a structure that is packed. */
guint64 kernel_alignment_of (KernelLowerer *l, const CType *type);
guint kernel_array_length (KernelLowerer *l, const CType *type, RspSpan span);

/* The elements of an array, or the lanes of a vector. */
guint kernel_n_elements (KernelLowerer *l, const CType *type, RspSpan span);
gboolean rsp_kernel_is_scalar (const CType *type);
gboolean rsp_kernel_is_pointer (const CType *type); /* also an array */

/* The pointer to the elements of an array, or the type itself. */
const CType *kernel_decayed (KernelLowerer *l, const CType *type);
const CType *rsp_kernel_pointer_to (KernelLowerer *l, const CType *to);
const CType *rsp_kernel_array_of (RspArena *arena, const CType *element, guint n);
const CType *rsp_kernel_vector_of (KernelLowerer *l, const CType *lane, guint lanes);
const CType *rsp_kernel_promoted (const CType *type);

/* The usual arithmetic conversions of two scalars. */
const CType *rsp_kernel_common (const CType *a, const CType *b);

/* The member of a structure, or of one without a name in it, its first cell, and its offset in
 * bytes; NULL: it has none of that name. */
const CType *rsp_kernel_member (KernelLowerer *l, const CStruct *record, const char *name,
                                guint *first, guint64 *offset);

/* The byte of its structure at which a member begins. */
guint64 rsp_kernel_member_offset (KernelLowerer *l, const CStruct *record, const CVariable *member);

/* The member in which a cell lies; *cell becomes that of the member. NULL: none. */
const CVariable *rsp_kernel_member_at (KernelLowerer *l, const CStruct *record, guint *cell);

/* Newly allocated: "uint", "struct node*". */
char *rsp_kernel_type_name (const CType *type);

/* ---- Uses of names -------------------------------------------------------------------------- */

/* Does the expression (NULL: none) have the name in it? */
gboolean kernel_mentions (const CExpr *expr, const char *name);

/* Does the statement assign to the name, or take its address? */
gboolean kernel_assigns (const CStatement *statement, const char *name);

/* Does it jump to the label? Where a variable has the name, too, its uses count as jumps. */
gboolean kernel_jumps (const CStatement *statement, const char *label);

/* Does it take the address of the name? */
gboolean kernel_addresses (const CStatement *statement, const char *name);

/* ---- Building blocks ------------------------------------------------------------------------ */

/* ---- Expressions of the program ---- */
RspExpr *rsp_kernel_constant (KernelLowerer *l, RspSpan span, gint64 value, const CType *type);
RspExpr *rsp_kernel_register (KernelLowerer *l, RspSpan span, guint reg);

/* The register of that number; the last one for numbers behind the end, which belong to refused
 * variables. */
const RspRegister *rsp_kernel_register_of (KernelLowerer *l, RspSpan span, guint *number);
RspExpr *rsp_kernel_node (KernelLowerer *l, RspSpan span, RspExprKind kind, RspOperator op,
                          const CType *type, RspExpr *a, RspExpr *b);

/* condition ? yes : no */
RspExpr *rsp_kernel_conditional (KernelLowerer *l, RspSpan span, const CType *type,
                                 RspExpr *condition, RspExpr *yes, RspExpr *no);

/* pointer + cells */
RspExpr *rsp_kernel_step (KernelLowerer *l, RspSpan span, RspExpr *pointer, gint64 cells);

/* An uninterpreted function of some values: equal for equal ones, and otherwise unknown. */
RspExpr *rsp_kernel_apply (KernelLowerer *l, RspSpan span, const char *function, const CType *type,
                           RspExpr *const *arguments, guint n);

/* The unknown argument, or the choice, of this number; of an integer type. */
RspExpr *rsp_kernel_unknown (KernelLowerer *l, RspSpan span, RspFunction function, RspExpr *number,
                             const CType *type);

/* Converts a scalar. */
RspExpr *rsp_kernel_convert (KernelLowerer *l, RspExpr *expr, const CType *from, const CType *to);

/* A copy of the call as an expression with a result of the type. */
RspExpr *rsp_kernel_call_expr (KernelLowerer *l, RspSpan span, const RspCall *call,
                               const CType *type);

/* The same value, in a form that may be evaluated several times. */
RspExpr *rsp_kernel_reusable (KernelLowerer *l, RspExpr *expr, const CType *type);

/* ---- Statements and registers ---- */
RspStatement *rsp_kernel_emit (KernelLowerer *l, RspStatementKind kind, RspSpan span);

/* A failure at run time, unless the condition (NULL: never) holds. */
void rsp_kernel_assert (KernelLowerer *l, RspSpan span, RspExpr *condition, const char *otherwise);
void rsp_kernel_emit_expr (KernelLowerer *l, RspExpr *expr);

/* The assignment of a cell of a value of type `whole`; copying a structure or vector is not a use
 * of its cells. */
RspExpr *kernel_assignment (KernelLowerer *l, RspSpan span, const CType *whole, const CType *leaf,
                            RspExpr *target, RspExpr *value);

/* New registers, one per cell; the number of the first. */
guint rsp_kernel_add_registers (KernelLowerer *l, const char *name, const CType *type,
                                gboolean unset, RspSpan span);

/* The same, of a variable whose address may be taken, so that it is laid out as memory is. */
guint rsp_kernel_add_variable (KernelLowerer *l, const char *name, const CType *type,
                               gboolean unset, gboolean addressed, RspSpan span);

/* Statements go to `code` until rsp_kernel_end, which takes what rsp_kernel_begin returned. */
KernelCode *rsp_kernel_begin (KernelLowerer *l, KernelCode *code);

/* A block of the statements. */
RspStatement *rsp_kernel_end (KernelLowerer *l, KernelCode *code, KernelCode *outer, RspSpan span);

/* ---- Values ---- */
KernelValue rsp_kernel_scalar (KernelLowerer *l, RspExpr *expr, const CType *type);
KernelValue rsp_kernel_cells_value (KernelLowerer *l, const CType *type, guint n);
KernelValue rsp_kernel_number (KernelLowerer *l, RspSpan span, gint64 number, const CType *type);
KernelValue rsp_kernel_no_value (void);

/* The value in new registers, as an object. */
KernelPlace rsp_kernel_stored (KernelLowerer *l, KernelValue value, RspSpan span);

/* A value of the type, all 0. */
KernelValue rsp_kernel_dummy (KernelLowerer *l, RspSpan span, const CType *type);

/* Converts a value to a type: of a scalar, or a scalar to a vector's lanes. */
KernelValue rsp_kernel_to_type (KernelLowerer *l, KernelValue value, const CType *type,
                                RspSpan span);

/* The value in registers, so that nothing that follows changes it. */
KernelValue rsp_kernel_held (KernelLowerer *l, KernelValue value, RspSpan span);

/* Does the read-modify-write exist for the type? Floats can be added, subtracted, and compared for
 * the smaller or greater one. */
gboolean rsp_kernel_takes_fetch (RspCall *call, const CType *type);

/* ---- Layout --------------------------------------------------------------------------------- */

/* A number on the command line, as a value of an integer or float type. any_sign: negative numbers
 * may be those of unsigned types, and great ones those of signed. NULL, or what is expected in
 * place of the text; newly allocated. */
char *rsp_kernel_read_number (const char *text, const CType *type, gboolean any_sign,
                              gint64 *value);

/* Reports impossible arguments, and parameters that need a value and have none. */
void kernel_check_arguments (KernelLowerer *l);

/* Does -arg say anything about the parameter? */
gboolean rsp_kernel_is_given (KernelLowerer *l, const CVariable *parameter);

/* Lays out the objects of the entry's parameters and of the file's variables, and binds the latter.
 */
void kernel_lay_out_objects (KernelLowerer *l);

/* What a pointer parameter points to in memory; FALSE: nothing, or local memory. */
gboolean kernel_parameter_object (KernelLowerer *l, const CVariable *parameter, KernelPlace *place);

/* The object and cell of which an expression of the program is the address; if it is a number,
 * *cell alone. FALSE: it is neither. */
gboolean kernel_fixed_address (const RspExpr *expr, guint *object, gint64 *cell);

/* The array of a string; equal strings share one. */
KernelPlace rsp_kernel_string (KernelLowerer *l, const CExpr *expr);

/* A parameter's value: the address of its object, or the number that -arg gives. */
KernelValue rsp_kernel_argument (KernelLowerer *l, const CVariable *parameter);

/* The value of a variable of that name, type and place whose cells are "1,2,3". */
KernelValue rsp_kernel_listed (KernelLowerer *l, const CVariable *variable, const char *values);

/* The object of a variable in local memory that belongs to the thread's work-group. */
KernelPlace rsp_kernel_local_object (KernelLowerer *l, const CVariable *variable);

/* Gives all its cells initial values, "1,2,0". */
void rsp_kernel_set_local (KernelLowerer *l, const CVariable *variable, KernelPlace place,
                           const char *values);

/* The address of zeroed memory that only built-in functions of the thread's group use. */
KernelValue kernel_group_memory (KernelLowerer *l, const char *name, const CType *cell,
                                 gboolean is_sub_group, RspSpan span);

/* ---- The whole kernel ----------------------------------------------------------------------- */

/* Is this place in the text in a comment or a string? */
gboolean kernel_is_comment (const char *text, const char *at);

/* Completes the kernel's program, whose arena and source are set. Errors go to diagnostics. filter:
 * executions that do not satisfy it at their end are left out; NULL: none. */
void kernel_resolve (RspKernel *kernel, CUnit *unit, const CExpr *filter,
                     const RspKernelOptions *options, RspDiagnostics *diagnostics);
