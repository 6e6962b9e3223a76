/* From a module to the bodies of work-items. */
#pragma once

#include "extra/spirv/module.h"
#include "parser/kernel/internal.h"

/* ---- Front ---------------------------------------------------------------------------------- */

/* A value of a comment `@Input`, or of a constant: a number, or a list. */
typedef struct SpirvInput {
  gint64 number;
  gboolean is_constant; /* the number is the bits of a constant, which may be a float's */
  GPtrArray *items;     /* of SpirvInput; NULL: a number */
} SpirvInput;

/* The bytes of a type. Irregular: some are where C would not put them; common: to several members.
 */
typedef struct SpirvExtent {
  guint64 bytes;
  gboolean irregular, common;
} SpirvExtent;

typedef struct SpirvFront {
  RspKernelFront base;
  SpirvModule *module;
  gboolean vulkan;      /* does it declare Vulkan's memory model? */
  GHashTable *inputs;   /* id → SpirvInput: of comments */
  GPtrArray *lists;     /* of GPtrArray: their lists */
  GArray *outputs;      /* of RspSpan: of comments */
  RspSpan filter;       /* the same; without a source: there is none */
  guint config[3];      /* of a comment; 0: none */
  GPtrArray *arguments; /* what the module says in place of -arg */
  guint unit;           /* memory is to be laid out in so many bytes; 0: in scalars */
  /* Of one reading: */
  RspArena *arena;
  const CType **types;         /* per id; NULL: not asked for yet */
  SpirvExtent *extents;        /* the same */
  const CVariable **variables; /* per id: those of the module in memory, and entries' parameters */
  guint32 *holders;            /* per id: of a variable, the one that has its memory; 0: itself */
  const char *refused;         /* what in a type cannot be laid out; NULL: nothing */
  RspSpan refused_at;
} SpirvFront;

/* Reads the comments that say what is asked of the module; FALSE after an error. */
gboolean spirv_read_comments (SpirvFront *front, RspDiagnostics *diagnostics);

/* The comments' questions as expressions of C. */
const CExpr *spirv_question (SpirvFront *front, RspSpan span, RspDiagnostics *diagnostics);

/* RspKernelFront's functions. */
gboolean spirv_declare (RspKernelFront *front, CUnit *unit, const CExpr **filter, RspArena *arena,
                        RspDiagnostics *diagnostics);
RspStatement *spirv_body (RspKernelFront *front, KernelLowerer *l);

/* Names of parameters that differ from each other, for -arg. */
void spirv_name_parameters (SpirvModule *module);

/* The values of the type's cells, "1,2,0"; input NULL: all 0. Newly allocated; NULL: there are too
 * many. */
char *spirv_cells (const SpirvModule *module, guint32 type, const SpirvInput *input);

/* The arguments for what the module or its comments give initial values. FALSE after an error. */
gboolean spirv_add_arguments (SpirvFront *front, RspDiagnostics *diagnostics);

/* ---- Types ---------------------------------------------------------------------------------- */

const CType *spirv_type (SpirvFront *front, guint32 id);

/* The variable of the module, which may be one in the memory of a work-group. */
const CVariable *spirv_local (SpirvFront *front, const SpirvInstruction *at);

/* That of a scalar; FALSE: the instruction defines another one. */
gboolean spirv_scalar_type (const SpirvInstruction *at, CType *type);

/* Does a pointer to the type point to elements of an array without a size, and nothing else? Their
 * type; 0: it does not. */
guint32 spirv_elements_of (const SpirvModule *module, guint32 type);

/* The bytes from an element of the array, or of what the pointer points to, to the next one if they
 * are not those of its type; 0: they are. */
guint32 spirv_stride (const SpirvModule *module, guint32 type);

/* The name of a structure's member. */
const char *spirv_member_name (const SpirvModule *module, RspArena *arena, guint32 structure,
                               guint member);

/* ---- Lowering ------------------------------------------------------------------------------- */

typedef enum SpirvKind {
  SPIRV_NONE,
  SPIRV_VALUE,
  SPIRV_PLACE,  /* a pointer to the place */
  SPIRV_CONTENT /* a pointer to what is always the value */
} SpirvKind;

typedef struct SpirvValue {
  SpirvKind kind;
  KernelValue value;
  KernelPlace place;
  guint32 to; /* of a pointer: the type that it points to */
  SpvStorageClass storage;
  RspExpr *within; /* of a pointer: are the indexes of arrays in an object below their lengths? */
  guint32 base;    /* the variable into which it leads; 0: not known */
  const char *outside; /* what to say otherwise */
  gboolean inside;     /* of a pointer: into a structure of scalars of several sizes? */
  gboolean coherent;   /* do decorations say that accesses are to be visible to others? */
} SpirvValue;

typedef struct SpirvLowerer {
  SpirvFront *front;
  const SpirvModule *module;
  KernelLowerer *l;
  SpirvValue *values; /* per id */
  GArray *active;     /* of guint32: functions that are being inlined */
  const char *place;  /* the calls' lines */
  RspExpr *rounds;    /* of the loops around the calls, as one number; NULL: there are none */
  gboolean tagged;    /* Vulkan's model */
  gboolean counts;    /* are there operations in it to which not all of a group need come? */
} SpirvLowerer;

/* An error for an instruction that is not read. */
void spirv_refuse (SpirvLowerer *s, const SpirvInstruction *at, const char *what);

/* The value of an id; of a pointer, its address. */
KernelValue spirv_value (SpirvLowerer *s, guint32 id, RspSpan span);

/* A value of which nothing is known: another one in each work-item. */
KernelValue spirv_undefined (SpirvLowerer *s, const SpirvInstruction *at, const CType *type);
RspExpr *spirv_scalar (SpirvLowerer *s, guint32 id, RspSpan span);

/* What the id stands for; that of a pointer which is a value is a place. */
SpirvValue spirv_known (SpirvLowerer *s, guint32 id, RspSpan span);
void spirv_set (SpirvLowerer *s, const SpirvInstruction *at, KernelValue value);

/* The number that the id always is, in every work-item; FALSE, with an error: it is not. */
gboolean spirv_constant (SpirvLowerer *s, const SpirvInstruction *at, guint32 id, gint64 *value);

/* Before an access: an assertion that the indexes of the pointer are within their arrays. */
void spirv_check_within (SpirvLowerer *s, const SpirvValue *pointer, RspSpan span);

/* Variables and pointers; accesses; atomic operations and barriers; all others, which calculate.
 * FALSE: the instruction is another one. */
gboolean spirv_memory (SpirvLowerer *s, const SpirvInstruction *at);
gboolean spirv_atomic (SpirvLowerer *s, const SpirvInstruction *at);
gboolean spirv_calculate (SpirvLowerer *s, const SpirvInstruction *at);
gboolean spirv_group (SpirvLowerer *s, const SpirvInstruction *at);

/* Calculates the constants whose operands are numbers (OpSpecConstantOp), so that sizes may be
 * calculated ones; anew for another grid. NULL: it is as the module says. */
void spirv_fold_constants (SpirvModule *module, const RspGrid *grid);

/* Is it a group's operation in which those work-items take part that come? */
gboolean spirv_is_partial (const SpirvLowerer *s, guint16 opcode);

/* The value of OpenCL C's function for the operands; FALSE: there is none that is read. */
gboolean spirv_named_function (SpirvLowerer *s, const SpirvInstruction *at, const char *name,
                               const KernelValue *operands, guint n, KernelValue *value);
SpirvValue spirv_variable (SpirvLowerer *s, guint32 id);

/* ---- Tags ---- */
/* Those of Vulkan's events: of a storage class, of memory semantics, of a scope, which reaches as
 * far as *reach. */
guint64 spirv_class_tag (SpvStorageClass storage);
guint64 spirv_semantics_tags (gint64 semantics);
guint64 spirv_scope_tag (gint64 scope, RspLevel *reach);
RspExpr *spirv_call_expr (SpirvLowerer *s, RspSpan span, const RspCall *call, const CType *type);
