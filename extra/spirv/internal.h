/* From a module to the bodies of work-items. */
#pragma once

#include "extra/spirv/module.h"
#include "parser/kernel/internal.h"

/* Declares row: the number of the table's first row that is so, or of its rows. */
#define SPIRV_FIND(row, table, is)                                                                 \
  gsize row = 0;                                                                                   \
  while (row < G_N_ELEMENTS (table) && !(is))                                                      \
  row++

/* ---- Front ---------------------------------------------------------------------------------- */

/* A value of a comment `@Input`, or of a constant: a number, or a list. */
typedef struct SpirvInput {
  gint64 number;
  gboolean is_constant; /* are these the bits of a constant, perhaps of a float? */
  LitmusList items;     /* of SpirvInput; empty: a number */
  const char *hex;      /* its bytes, of which there are `number`; NULL: as above */
} SpirvInput;

/* The bytes of a type. Irregular: some members are where C would not put them; common: members
 * overlap. */
typedef struct SpirvExtent {
  guint64 bytes;
  gboolean irregular, common;
} SpirvExtent;

typedef struct SpirvFront {
  RspKernelFront base;
  SpirvModule *module;
  gboolean vulkan;       /* does it declare Vulkan's memory model? */
  GHashTable *inputs;    /* id → SpirvInput: of comments */
  GArray *outputs;       /* of RspSpan: of comments */
  RspSpan filter;        /* the same; without a source: there is none */
  guint config[3];       /* of a comment; 0: none */
  GPtrArray *arguments;  /* what the module says in place of -arg */
  struct SpirvPod *pods; /* of one reading: arguments that clspv's reflection names */
  guint unit;            /* bytes of the units in which memory is laid out; 0: scalars */
  /* Of one reading: */
  RspArena *arena;
  const CType **types;         /* per id; NULL: not asked for yet */
  SpirvExtent *extents;        /* the same */
  const CVariable **variables; /* per id: those of the module in memory, and entries' parameters */
  guint32 *holders;    /* per id: the variable whose memory this one shares; 0: it has its own */
  const char *refused; /* what in a type is not supported; NULL: nothing */
  RspSpan refused_at;
} SpirvFront;

/* Reads the comments that say what is asked of the module; FALSE after an error. */
gboolean spirv_read_comments (SpirvFront *front, RspDiagnostics *diagnostics);

/* The question in the span, of a comment, as an expression of C. */
const CExpr *spirv_question (SpirvFront *front, RspSpan span, RspDiagnostics *diagnostics);

/* RspKernelFront's functions. */
gboolean spirv_declare (RspKernelFront *front, CUnit *unit, const CExpr **filter, RspArena *arena,
                        RspDiagnostics *diagnostics);
RspStatement *spirv_body (RspKernelFront *front, KernelLowerer *l);

/* Gives parameters unique names, for -arg. */
void spirv_name_parameters (SpirvModule *module);

/* The values of the type's cells, "1,2,0"; input NULL: all 0. Newly allocated; NULL: too many. */
char *spirv_cells (const SpirvModule *module, guint32 type, const SpirvInput *input);

/* Of each cell of the type its byte, or -1 for a gap, and its own type: "8:12". */
char **spirv_cell_bytes (const SpirvModule *module, guint32 type);

/* Adds initial values of the entry's arguments; NULL: of any entry. FALSE after an error. */
gboolean spirv_add_arguments (SpirvFront *front, const char *entry, RspDiagnostics *diagnostics);

/* ---- Types ---------------------------------------------------------------------------------- */

const CType *spirv_type (SpirvFront *front, guint32 id);

/* A pointer to the type in this memory. */
CType *spirv_pointer (RspArena *arena, const CType *to, RspSpace space);

/* A structure of members of these types. */
CType *spirv_record (RspArena *arena, const CType *const *types, guint n);

/* A variable of the module in shared memory or in that of a work-group. */
const CVariable *spirv_local (SpirvFront *front, const SpirvInst *at);

/* The scalar type that the instruction defines; FALSE: it does not. */
gboolean spirv_scalar_type (const SpirvInst *at, CType *type);

/* If a pointer to the type points to elements of an array without a size, and nothing else, their
 * type; else 0. */
guint32 spirv_elements_of (const SpirvModule *module, guint32 type);

/* The bytes between elements of the array, or of what the pointer points to, if they differ from
 * their size; else 0. */
guint32 spirv_stride (const SpirvModule *module, guint32 type);

/* How many parts a value of the type has; 0: none, or the module does not say. */
guint spirv_n_parts (const SpirvModule *module, guint32 type);

/* The name of a structure's member. */
const char *spirv_member_name (const SpirvModule *module, guint32 structure, guint member);

/* Marks ids in the function, and in those that it calls; perhaps others, too. used: per id */
void spirv_mark_used (const SpirvModule *module, guint32 function, guint8 *used);

/* ---- Reflection ----------------------------------------------------------------------------- */

/* The name of the argument that the variable is, or the bytes that are in it, as hexadecimal
 * digits; NULL: the module does not say. */
const char *spirv_reflected (const SpirvModule *module, guint32 variable, gboolean is_data);

/* The entry's parameters, with those added that are parts of blocks or arrays of a work-group. */
LitmusList spirv_reflect_parameters (SpirvFront *front, LitmusParser *parser,
                                     const SpirvInst *entry, LitmusList parameters);

/* The sizes that the entry's work-groups must have; FALSE: the module does not say. */
gboolean spirv_required_size (const SpirvModule *module, const SpirvInst *entry, gint64 *sizes);

/* Gives constants of which the module says so the values of the grid. */
void spirv_reflect_grid (SpirvModule *module, const RspGrid *grid);

/* ---- Lowering ------------------------------------------------------------------------------- */

typedef enum SpirvKind {
  SPIRV_NONE,
  SPIRV_VALUE,
  SPIRV_PLACE,  /* a pointer to the place */
  SPIRV_CONTENT /* a pointer to a constant value */
} SpirvKind;

/* What is said of a pointer wherever its value goes: conditions. */
typedef enum SpirvProperty {
  SPIRV_COHERENT, /* do decorations make accesses visible to others? */
  SPIRV_NOT_READ, /* does the module say that it does not read there? */
  SPIRV_NOT_WRITTEN,
  SPIRV_OUTSIDE, /* is an index of an inner array not below its length? */
  SPIRV_BEYOND,  /* the same of the innermost array, into which the pointer may be moved back */
  SPIRV_PROPERTIES
} SpirvProperty;

typedef struct SpirvValue {
  SpirvKind kind;
  KernelValue value;
  KernelPlace place;
  guint32 to; /* of a pointer: the type that it points to */
  SpvStorageClass storage;
  RspExpr *properties[SPIRV_PROPERTIES]; /* of a pointer; NULL: no */
  guint32 base;                          /* the variable it points into; 0: unknown */
  const char *outside;                   /* the message if it is; NULL: a general one */
  gboolean inside;    /* of a pointer: into a structure of scalars of several sizes? */
  KernelPlace shadow; /* of one into a variable that holds pointers: where these have their first
                         property; without a type: there are none */
  guint step;         /* the units from there to the next one */
} SpirvValue;

typedef struct SpirvLowerer {
  SpirvFront *front;
  const SpirvModule *module;
  KernelLowerer *l;
  SpirvValue *values; /* per id */
  GArray *active;     /* of guint32: functions that are being inlined */
  guint32 entry;      /* its function */
  const char *place;  /* the calls' lines */
  guint n_undefined;  /* values so far */
  RspExpr *rounds;    /* of the loops around the calls, as one number; NULL: there are none */
  gboolean tagged;    /* Vulkan's model */
  guint properties;   /* bits of those that pointers of the module may have */
  gboolean counts;    /* has the module operations to which not all of a group need come? */
} SpirvLowerer;

/* An error for an instruction that is not supported; what: "of this kind", or NULL. */
void spirv_refuse (SpirvLowerer *s, const SpirvInst *at, const char *what);

/* A value of the type of the instruction's result, all 0. */
KernelValue spirv_result (SpirvLowerer *s, const SpirvInst *at);

/* The value of the id that is this word of the instruction; of a pointer, its address. */
KernelValue spirv_value (SpirvLowerer *s, const SpirvInst *at, guint word);

/* An unknown value, another one in each work-item. */
KernelValue spirv_undefined (SpirvLowerer *s, const SpirvInst *at, const CType *type);
RspExpr *spirv_scalar (SpirvLowerer *s, const SpirvInst *at, guint word);

/* What that id stands for; a pointer that is a value becomes a place. */
SpirvValue spirv_known (SpirvLowerer *s, const SpirvInst *at, guint word);

/* A value, of a pointer with the properties that the module has behind it: a structure. */
KernelValue spirv_qualified (const SpirvLowerer *s, const SpirvValue *own, RspSpan span);
KernelValue spirv_qualified_at (SpirvLowerer *s, const SpirvInst *at, guint word);
KernelValue spirv_qualified_result (SpirvLowerer *s, const SpirvInst *at); /* all 0 */

/* Makes the value, perhaps such a structure, that of the result: held, or already in registers. */
void spirv_set (SpirvLowerer *s, const SpirvInst *at, KernelValue value);
void spirv_set_held (SpirvLowerer *s, const SpirvInst *at, KernelValue value);

/* Adds the condition that an index of something with n parts is below n, or asserts what was added.
 */
void spirv_stay_within (SpirvLowerer *s, SpirvValue *own, RspExpr *index, guint n, RspSpan span);
void spirv_assert_within (SpirvLowerer *s, const SpirvValue *own, RspSpan span);

/* What it points to; accesses: asserts that its indexes are within their arrays. After an
 * error, a number. */
SpirvValue spirv_pointed (SpirvLowerer *s, const SpirvInst *at, guint word, gboolean accesses);

/* Before an access: an error if a decoration says that there is none, a warning if Vulkan does. */
void spirv_check_barred (SpirvLowerer *s, const SpirvInst *at, const SpirvValue *pointer,
                         gboolean reads, gboolean writes);

/* Adds what decorations of a variable, a parameter or (member ≥ 0) a member say of accesses. */
void spirv_decorate (SpirvLowerer *s, guint32 id, int member, SpirvValue *own);

/* Notes which properties the instruction may give to pointers; does any pointer have it? */
void spirv_find_properties (SpirvLowerer *s, const SpirvInst *at);
#define spirv_has(s, property) ((s)->properties >> (property) &1)

/* Which function lowers an instruction; FALSE: none of the rows does. */
typedef struct SpirvRow {
  SpvOp opcode;
  void (*lower) (SpirvLowerer *s, const SpirvInst *at);
} SpirvRow;

gboolean spirv_lower_by (const SpirvRow *rows, gsize n, SpirvLowerer *s, const SpirvInst *at);

/* Lower variables, pointers and accesses; atomic operations and barriers; calculations; and
 * operations of groups. FALSE: the instruction is another one. */
gboolean spirv_memory (SpirvLowerer *s, const SpirvInst *at);
gboolean spirv_atomic (SpirvLowerer *s, const SpirvInst *at);
gboolean spirv_calculate (SpirvLowerer *s, const SpirvInst *at);
gboolean spirv_group (SpirvLowerer *s, const SpirvInst *at);

/* Calculates constants with numbers as operands (OpSpecConstantOp), so that sizes may be
 * calculated; anew for another grid (NULL: the module's own). */
void spirv_fold_constants (SpirvModule *module, const RspGrid *grid);

/* Is it an operation of a group in which only those work-items take part that come? */
gboolean spirv_is_partial (const SpirvLowerer *s, guint16 opcode);

/* What an instruction takes its operands for. */
typedef enum SpirvSign { SPIRV_EITHER, SPIRV_SIGNED, SPIRV_UNSIGNED } SpirvSign;

/* An integer, or a vector of integers, as a signed or unsigned one; other values as they are. */
KernelValue spirv_with_sign (SpirvLowerer *s, KernelValue value, SpirvSign sign, RspSpan span);

/* Of the cells first, first + step, … of the value the one with this index; else otherwise. */
RspExpr *spirv_choose_at (SpirvLowerer *s, RspSpan span, RspExpr *index, KernelValue value,
                          guint first, guint step, RspExpr *otherwise);

/* The units (or cells) before a part of a value of the type `whole`. Returns the part's type. */
guint32 spirv_part_at (SpirvLowerer *s, const SpirvInst *whole, guint part, gboolean in_cells,
                       guint *units);
SpirvValue spirv_variable (SpirvLowerer *s, guint32 id);

/* The parameter that is this array of the work-group; NULL: there is none. */
const CVariable *spirv_reflected_array (const SpirvLowerer *s, guint32 variable);

/* If some values of the variable, a block, are arguments or the grid's, makes it its values. */
void spirv_reflect_block (SpirvLowerer *s, const SpirvInst *variable, SpirvValue *own);

/* What OpenCL C's function of the grid (NULL: 0) returns; each: for dimension d? */
RspExpr *spirv_ask_grid (SpirvLowerer *s, RspSpan span, const char *name, gboolean each, guint d,
                         const CType *type);

/* The value at the pointer, by a plain read. */
KernelValue spirv_whole (SpirvLowerer *s, const SpirvValue *pointer, RspSpan span);

/* Do accesses through the pointer have tags? */
gboolean spirv_is_tagged (const SpirvLowerer *s, const SpirvValue *pointer);

/* ---- Tags ---- */
/* Tags of Vulkan's events, and what OpenCL's have in their place. */
typedef struct SpirvScope {
  gint64 number;
  guint64 tag;
  RspLevel reach;
  RspScope scope;
} SpirvScope;

typedef struct SpirvSemantics {
  guint64 tags;
  RspOrder order;
  guint flags; /* RSP_FENCE_… */
} SpirvSemantics;

guint64 spirv_class_tag (SpvStorageClass storage);
SpirvSemantics spirv_semantics (gint64 semantics);
const SpirvScope *spirv_scope (gint64 scope); /* NULL: there is none of the number */

/* Those of an operand, after an error any. */
SpirvSemantics spirv_semantics_at (SpirvLowerer *s, const SpirvInst *at, guint word);
const SpirvScope *spirv_scope_at (SpirvLowerer *s, const SpirvInst *at, guint word);
