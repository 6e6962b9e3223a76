/* Types of OpenCL C, their values, and conversions. */
#include "parser/kernel/internal.h"
#include "parser/litmus/litmus.h"
#include "parser/program.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- Types ---------------------------------------------------------------------------------- */

const CType kernel_int = { .kind = C_INTEGER, .bits = 32, .is_signed = TRUE };

const CType kernel_uint = { .kind = C_INTEGER, .bits = 32 };

const CType kernel_long = { .kind = C_INTEGER, .bits = 64, .is_signed = TRUE };

const CType kernel_size = { .kind = C_INTEGER, .bits = 64 };

const CType kernel_bool = { .kind = C_INTEGER, .bits = 1 };

const CType kernel_void = { .kind = C_VOID };

gboolean rsp_kernel_is_scalar (const CType *type) {
  return type->kind == C_INTEGER || type->kind == C_FLOAT || type->kind == C_POINTER
         || type->kind == C_OPAQUE;
}

gboolean rsp_kernel_is_pointer (const CType *type) {
  return type->kind == C_POINTER || type->kind == C_ARRAY;
}

const CType *rsp_kernel_pointer_to (KernelLowerer *l, const CType *to) {
  CType *type = rsp_arena_new0 (l->arena, CType, 1);
  *type = (CType){ .kind = C_POINTER, .bits = 64, .to = (CType *) to, .space = RSP_SPACE_PRIVATE };
  return type;
}

const CType *kernel_decayed (KernelLowerer *l, const CType *type) {
  return type->kind == C_ARRAY ? rsp_kernel_pointer_to (l, type->to) : type;
}

const CType *rsp_kernel_array_of (RspArena *arena, const CType *element, guint n) {
  CType *type = rsp_arena_new0 (arena, CType, 1);
  CExpr *size = rsp_arena_new0 (arena, CExpr, 1);
  *size = (CExpr){ .kind = C_NUMBER, .number = { .value = n, .bits = 32 } };
  *type = (CType){ .kind = C_ARRAY,
                   .to = (CType *) element,
                   .size = size,
                   .is_const = element->is_const,
                   .space = element->space };
  return type;
}

const CType *rsp_kernel_vector_of (KernelLowerer *l, const CType *lane, guint lanes) {
  CType *type = rsp_arena_new0 (l->arena, CType, 1);
  *type = (CType){
    .kind = C_VECTOR, .to = (CType *) lane, .lanes = lanes, .space = RSP_SPACE_PRIVATE
  };
  return type;
}

/* ---- Sizes ---- */
/* The first name in an expression without calls that nothing declares, or NULL. */
static const CExpr *undeclared (const KernelLowerer *l, const CExpr *expr) {
  if (!expr || expr->kind == C_CALL)
    return NULL;
  if (expr->kind == C_NAME)
    return rsp_kernel_find_name (l, expr->name) ? NULL : expr;
  const CExpr *found = undeclared (l, expr->a);
  return found ? found : undeclared (l, expr->b);
}

guint kernel_array_length (KernelLowerer *l, const CType *type, RspSpan span) {
  gint64 n = 0;
  if (!type->size || !rsp_kernel_evaluate (l, type->size, &n)) {
    const CExpr *name = undeclared (l, type->size);
    if (name && !l->gave_up) {
      kernel_error (l, name->span, "is it a macro that -D should define?", "`%s` is not declared",
                    name->name);
      l->gave_up = TRUE;
    }
    rsp_kernel_refuse (l, span, "give the array a constant size",
                       "an array without a constant size");
  } else if (n < 0 || n > RSP_KERNEL_MAX_CELLS)
    rsp_kernel_refuse (l, span, "-D can make it smaller",
                       "an array of %" G_GINT64_FORMAT " elements (at most %d)", n,
                       RSP_KERNEL_MAX_CELLS);
  else
    return (guint) n;
  return 0;
}

guint kernel_n_elements (KernelLowerer *l, const CType *type, RspSpan span) {
  return type->kind == C_ARRAY ? kernel_array_length (l, type, span) : type->lanes;
}

/* The members of a union share cells. If their scalars differ in size, it is laid out in units of
 * the smallest; pointers stay pointers. */
static void check_union (KernelLowerer *l, CStruct *record, RspSpan span) {
  const CType *first = NULL;
  gboolean mixed = FALSE;
  guint least = 8;
  for (guint i = 0; i < record->members.n; i++) {
    const CVariable *member = record->members.items[i];
    const CType *type = member->type;
    guint n = rsp_kernel_cells (l, type, span);
    mixed |= member->offset != 0;
    for (guint cell = 0; cell < n; cell++) {
      const CType *leaf = rsp_kernel_leaf (l, type, cell);
      first = first ? first : leaf;
      if ((leaf->kind == C_POINTER) == (first->kind == C_POINTER)) {
        const guint size = (guint) rsp_kernel_size_of (l, leaf, span);
        mixed |= size != rsp_kernel_size_of (l, first, span);
        least = MIN (least, size);
        continue;
      }
      g_autofree char *one = rsp_kernel_type_name (first), *other = rsp_kernel_type_name (leaf);
      rsp_kernel_refuse (l, span, "write a structure",
                         "a union of a pointer and a number, `%s` and `%s`", one, other);
      return;
    }
  }
  if (mixed)
    rsp_kernel_want_unit (l, least);
  record->mixed = mixed && l->kernel->unit && l->kernel->unit <= least;
}

static guint struct_cells (KernelLowerer *l, const CType *type, RspSpan span) {
  CStruct *record = type->record;
  guint n = 0;
  if (record->n_cells)
    return record->n_cells - 1;
  if (!record->complete)
    kernel_error (l, span, NULL, "`struct %s` has no definition", record->name);
  else if (record->is_union)
    check_union (l, record, span);
  for (guint i = 0; i < record->members.n; i++) {
    guint own = rsp_kernel_cells (l, ((const CVariable *) record->members.items[i])->type, span);
    n = record->is_union ? MAX (n, own) : n + own;
  }
  if (record->mixed)
    n = rsp_kernel_units (l, type, span);
  if (record->complete && n <= RSP_KERNEL_MAX_CELLS)
    record->n_cells = n + 1;
  return n;
}

const CVariable *rsp_kernel_member_at (KernelLowerer *l, const CStruct *record, guint *cell) {
  for (guint i = 0; i < record->members.n; i++) {
    const CVariable *member = record->members.items[i];
    guint n = rsp_kernel_cells (l, member->type, RSP_NOWHERE);
    if (*cell < n)
      return member;
    *cell -= record->is_union ? 0 : n;
  }
  return NULL;
}

/* The number of cells or units of an object; 0, with an error, if there are too many. */
static guint bounded (KernelLowerer *l, guint64 n, RspSpan span) {
  if (n <= RSP_KERNEL_MAX_CELLS)
    return (guint) n;
  rsp_kernel_refuse (l, span, "-D can make it smaller", "an object of more than %d values",
                     RSP_KERNEL_MAX_CELLS);
  return 0;
}

guint rsp_kernel_cells (KernelLowerer *l, const CType *type, RspSpan span) {
  guint64 n = 1;
  if (type->kind == C_ARRAY)
    n = (guint64) kernel_array_length (l, type, span) * rsp_kernel_cells (l, type->to, span);
  else if (type->kind == C_VECTOR)
    n = type->lanes == 3 ? 4 : type->lanes;
  else if (type->kind == C_STRUCT)
    n = struct_cells (l, type, span);
  else if (type->kind == C_VOID || type->kind == C_FUNCTION)
    n = 0;
  return bounded (l, n, span);
}

/* The type of a cell; *pads: is it the fourth one of three lanes? */
static const CType *find_leaf (KernelLowerer *l, const CType *type, guint cell, gboolean *pads) {
  *pads = FALSE;
  for (;;)
    if (type->kind == C_ARRAY || type->kind == C_VECTOR) {
      guint each = MAX (1, rsp_kernel_cells (l, type->to, RSP_NOWHERE));
      *pads = type->kind == C_VECTOR && cell >= type->lanes;
      cell %= each;
      type = type->to;
    } else if (type->kind == C_STRUCT && type->record->mixed)
      return rsp_kernel_unit_type (l);
    else if (type->kind == C_STRUCT) {
      const CVariable *member = rsp_kernel_member_at (l, type->record, &cell);
      if (!member)
        return &kernel_int;
      type = member->type;
    } else
      return type;
}

const CType *rsp_kernel_leaf (KernelLowerer *l, const CType *type, guint cell) {
  gboolean pads;
  return find_leaf (l, type, cell, &pads);
}

gboolean rsp_kernel_pads (KernelLowerer *l, const CType *type, guint cell) {
  gboolean pads;
  find_leaf (l, type, cell, &pads);
  return pads;
}

RspType rsp_kernel_cell_type (const CType *leaf) {
  RspType type = { .space = leaf->space, .is_atomic = leaf->is_atomic };
  if (leaf->kind == C_POINTER) {
    type.bits = 32;
    type.pointers = 1;
  } else if (leaf->kind == C_OPAQUE)
    type.bits = 64;
  else {
    type.bits = leaf->bits;
    type.is_signed = leaf->kind == C_INTEGER && leaf->is_signed && leaf->bits > 1;
    type.is_float = leaf->kind == C_FLOAT;
  }
  return type;
}

/* What attributes say; 1: nothing. */
static guint64 least_alignment (KernelLowerer *l, const CAlignment *alignment) {
  const RspSpan span = alignment->least;
  gint64 bytes = span.source ? 16 : 1;
  CParser parser
      = { .base = { .arena = l->arena, .diagnostics = l->diagnostics }, .unit = l->unit };
  if (span.begin < span.end
      && (!c_parse (&parser, C_ASSERTION, span)
          || !rsp_kernel_evaluate (l, parser.expression, &bytes) || bytes < 1)) {
    kernel_error (l, span, "write it as a number", "found an alignment that is not known");
    l->gave_up = TRUE;
    return 1;
  }
  return (guint64) bytes;
}

/* Of a member that has no offset of its own. */
static guint64 member_alignment (KernelLowerer *l, const CStruct *record, const CVariable *member) {
  const gboolean packed = record->aligned.packed || member->alignment.packed;
  return MAX (packed ? 1 : kernel_alignment_of (l, member->type),
              least_alignment (l, &member->alignment));
}

/* Calculates the size and alignment of a structure or union, once. */
static void measure (KernelLowerer *l, CStruct *record, RspSpan span) {
  guint64 size = 0, most = 1;
  if (record->alignment)
    return;
  most = least_alignment (l, &record->aligned);
  for (guint i = 0; i < record->members.n; i++) {
    const CVariable *member = record->members.items[i];
    const guint64 own = member->offset ? 1 : member_alignment (l, record, member),
                  bytes = rsp_kernel_size_of (l, member->type, span),
                  at = member->offset     ? member->offset - 1
                       : record->is_union ? 0
                                          : (size + own - 1) / own * own;
    size = MAX (size, at + bytes);
    most = MAX (most, own);
  }
  record->n_bytes = (size + most - 1) / most * most;
  record->alignment = most;
}

guint64 kernel_alignment_of (KernelLowerer *l, const CType *type) {
  if (type->kind == C_ARRAY)
    return kernel_alignment_of (l, type->to);
  if (type->kind != C_STRUCT)
    return MAX (1, rsp_kernel_size_of (l, type, RSP_NOWHERE));
  measure (l, type->record, RSP_NOWHERE);
  return type->record->alignment;
}

guint64 rsp_kernel_size_of (KernelLowerer *l, const CType *type, RspSpan span) {
  switch (type->kind) {
  case C_INTEGER:
  case C_FLOAT:
    return MAX (1, type->bits / 8);
  case C_ARRAY:
    return kernel_array_length (l, type, span) * rsp_kernel_size_of (l, type->to, span);
  case C_VECTOR:
    return (type->lanes == 3 ? 4 : type->lanes) * rsp_kernel_size_of (l, type->to, span);
  case C_STRUCT:
    measure (l, type->record, span);
    return type->record->n_bytes;
  default:
    return type->kind == C_VOID ? 1 : 8;
  }
}

/* ---- Layout ---- */
/* Memory is laid out in cells of one scalar each, unless a pointer is cast to another size: then in
 * units of the smallest size that is accessed. */
void rsp_kernel_want_unit (KernelLowerer *l, guint bytes) {
  const guint unit = l->resized ? l->resized : l->kernel->unit;
  if (unit && unit <= bytes)
    return;
  l->resized = bytes;
  l->gave_up = TRUE; /* the kernel is resolved once more */
}

const CType *rsp_kernel_unit_type (KernelLowerer *l) {
  CType *type = rsp_arena_new0 (l->arena, CType, 1);
  *type = (CType){ .kind = C_INTEGER, .bits = (guint8) (8 * l->kernel->unit) };
  return type;
}

guint rsp_kernel_units (KernelLowerer *l, const CType *type, RspSpan span) {
  const guint unit = l->kernel->unit;
  if (!unit)
    return rsp_kernel_cells (l, type, span);
  return bounded (l, (rsp_kernel_size_of (l, type, span) + unit - 1) / unit, span);
}

guint64 rsp_kernel_member_offset (KernelLowerer *l, const CStruct *record, const CVariable *end) {
  guint64 offset = 0;
  if (end->offset && l->kernel->unit && (end->offset - 1) % l->kernel->unit)
    rsp_kernel_want_unit (l, 1);
  if (end->offset)
    return end->offset - 1;
  for (guint i = 0; i < record->members.n && !record->is_union; i++) {
    const CVariable *member = record->members.items[i];
    const guint64 own = member_alignment (l, record, member);
    offset = (offset + own - 1) / own * own;
    if (member == end && l->kernel->unit && offset % l->kernel->unit)
      rsp_kernel_want_unit (l, 1);
    if (member == end)
      break;
    offset += rsp_kernel_size_of (l, member->type, RSP_NOWHERE);
  }
  return offset;
}

guint rsp_kernel_unit_at (KernelLowerer *l, const CType *type, guint cell) {
  guint64 offset = 0;
  if (!l->kernel->unit)
    return cell;
  while (!rsp_kernel_is_scalar (type) && type->kind != C_VOID)
    if (type->kind == C_STRUCT && type->record->mixed) {
      offset += (guint64) cell * l->kernel->unit;
      break;
    } else if (type->kind == C_STRUCT) {
      const CVariable *member = rsp_kernel_member_at (l, type->record, &cell);
      if (!member)
        break;
      offset += rsp_kernel_member_offset (l, type->record, member);
      type = member->type;
    } else {
      const guint each = MAX (1, rsp_kernel_cells (l, type->to, RSP_NOWHERE));
      offset += cell / each * rsp_kernel_size_of (l, type->to, RSP_NOWHERE);
      cell %= each;
      type = type->to;
    }
  return (guint) (offset / l->kernel->unit);
}

/* The last member that begins at or before *byte, which becomes relative to it; its first cell is
 * added to *cell. */
static const CVariable *last_member (KernelLowerer *l, const CStruct *record, guint64 *byte,
                                     guint *cell) {
  const CVariable *found = NULL;
  guint64 begin = 0;
  guint before = 0, own = 0;
  for (guint i = 0; i < record->members.n; i++) {
    const CVariable *member = record->members.items[i];
    const guint64 at = rsp_kernel_member_offset (l, record, member);
    if (at <= *byte && (!found || at >= begin)) {
      found = member;
      begin = at;
      own = before;
    }
    before += record->is_union ? 0 : rsp_kernel_cells (l, member->type, RSP_NOWHERE);
  }
  *byte -= begin;
  *cell += own;
  return found;
}

const CType *kernel_unit_leaf (KernelLowerer *l, const CType *type, guint unit, guint *cell,
                               guint *part) {
  const guint bytes = l->kernel->unit;
  *part = 0;
  *cell = unit;
  if (!bytes)
    return rsp_kernel_leaf (l, type, unit);
  guint64 byte = (guint64) unit * bytes;
  *cell = 0;
  while (!rsp_kernel_is_scalar (type) && type->kind != C_VOID)
    if (type->kind == C_STRUCT && type->record->mixed) {
      *cell += (guint) (byte / bytes);
      return rsp_kernel_unit_type (l);
    } else if (type->kind == C_STRUCT) {
      const CVariable *member = last_member (l, type->record, &byte, cell);
      if (!member)
        break;
      type = member->type;
    } else {
      const guint64 each = MAX (1, rsp_kernel_size_of (l, type->to, RSP_NOWHERE)),
                    n = MAX (1, rsp_kernel_cells (l, type->to, RSP_NOWHERE)),
                    most = MAX (1, rsp_kernel_cells (l, type, RSP_NOWHERE)) / n;
      const guint64 index = MIN (byte / each, most - 1);
      *cell += (guint) (index * n);
      byte -= index * each;
      type = type->to;
    }
  *part = (guint) (byte / bytes);
  const gboolean whole = type->kind == C_POINTER || type->kind == C_OPAQUE || type->is_atomic;
  return rsp_kernel_is_scalar (type)
                 && (rsp_kernel_size_of (l, type, RSP_NOWHERE) == bytes || (whole && !*part))
             ? type
             : rsp_kernel_unit_type (l);
}

/* ---- Conversions ---- */
const CType *rsp_kernel_promoted (const CType *type) {
  return type->kind == C_INTEGER && type->bits < 32 ? &kernel_int : type;
}

const CType *rsp_kernel_common (const CType *a, const CType *b) {
  if (a->kind == C_FLOAT || b->kind == C_FLOAT) {
    if (a->kind == b->kind)
      return a->bits >= b->bits ? a : b;
    return a->kind == C_FLOAT ? a : b;
  }
  a = rsp_kernel_promoted (a);
  b = rsp_kernel_promoted (b);
  if (a->bits != b->bits)
    return a->bits > b->bits ? a : b;
  return a->is_signed ? b : a;
}

const CType *rsp_kernel_member (KernelLowerer *l, const CStruct *record, const char *name,
                                guint *first, guint64 *offset) {
  guint before = 0;
  guint64 inner = 0;
  for (guint i = 0; i < record->members.n; i++) {
    const CVariable *member = record->members.items[i];
    const CType *type = member->name && strcmp (member->name, name) == 0 ? member->type : NULL;
    *first = 0;
    if (!member->name && member->type->kind == C_STRUCT)
      type = rsp_kernel_member (l, member->type->record, name, first, &inner);
    *first += before;
    if (type) {
      *offset = rsp_kernel_member_offset (l, record, member) + inner;
      return type;
    }
    before += record->is_union ? 0 : rsp_kernel_cells (l, member->type, member->span);
  }
  return NULL;
}

char *rsp_kernel_type_name (const CType *type) {
  static const char *const words[] = { "char", "short", "int", "long" };
  static const char *const real_words[] = { "", "half", "float", "double" };
  const guint size = MIN (g_bit_storage (type->bits) - 4, 3); /* of 8, 16, 32, 64 bits */
  g_autofree char *inner = type->to ? rsp_kernel_type_name (type->to) : NULL;
  switch (type->kind) {
  case C_VOID:
    return g_strdup ("void");
  case C_INTEGER:
    return type->bits == 1 ? g_strdup ("bool")
                           : g_strconcat (type->is_signed ? "" : "u", words[size], NULL);
  case C_FLOAT:
    return g_strdup (real_words[size]);
  case C_POINTER:
    return g_strdup_printf ("%s*", inner);
  case C_ARRAY:
    return g_strdup_printf ("%s[]", inner);
  case C_VECTOR:
    return g_strdup_printf ("%s%u", inner, type->lanes);
  case C_STRUCT:
    return g_strdup_printf ("%s%s%s", type->record->is_union ? "union" : "struct",
                            *type->record->name ? " " : "", type->record->name);
  case C_FUNCTION:
    return g_strdup ("function");
  case C_OPAQUE:
    break;
  }
  return g_strdup (type->name);
}

/* ---- Expressions, statements and values ----------------------------------------------------- */

enum {
  MAX_REUSED = 12,    /* operators of an expression that is evaluated several times */
  MORE_ELEMENTS = 64, /* spare ones of a private array in a lenient reading */
  FEW_ELEMENTS = 4    /* the same, where each would be a class of values of an unknown index */
};

void rsp_kernel_refuse (KernelLowerer *l, RspSpan span, const char *instead, const char *format,
                        ...) {
  va_list arguments;
  va_start (arguments, format);
  g_autofree char *what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  if (!l->gave_up)
    kernel_error (l, span, instead, "found %s, which is not supported", what);
  l->gave_up = TRUE;
}

/* ---- Expressions ---- */
static RspExpr *new_expr (KernelLowerer *l, RspSpan span, RspExprKind kind, const CType *type) {
  RspExpr *expr = rsp_arena_new0 (l->arena, RspExpr, 1);
  expr->kind = kind;
  expr->span = span;
  expr->type = rsp_kernel_cell_type (type);
  return expr;
}

RspExpr *rsp_kernel_constant (KernelLowerer *l, RspSpan span, gint64 value, const CType *type) {
  RspExpr *expr = new_expr (l, span, RSP_EXPR_CONSTANT, type);
  expr->u.constant = value;
  return expr;
}

const RspRegister *rsp_kernel_register_of (KernelLowerer *l, RspSpan span, guint *number) {
  if (*number >= l->registers->len) {
    rsp_kernel_refuse (l, span, NULL, "an access behind the last private value");
    *number = l->registers->len - 1;
  }
  return &g_array_index (l->registers, RspRegister, *number);
}

RspExpr *rsp_kernel_register (KernelLowerer *l, RspSpan span, guint reg) {
  RspExpr *expr = rsp_arena_new0 (l->arena, RspExpr, 1);
  const RspRegister *own = rsp_kernel_register_of (l, span, &reg);
  expr->kind = RSP_EXPR_REGISTER;
  expr->span = span;
  expr->type = own->type;
  expr->u.reg = reg;
  expr->name = own->name;
  return expr;
}

RspExpr *rsp_kernel_node (KernelLowerer *l, RspSpan span, RspExprKind kind, RspOperator op,
                          const CType *type, RspExpr *a, RspExpr *b) {
  RspExpr *folded = kind == RSP_EXPR_UNARY || kind == RSP_EXPR_BINARY
                        ? kernel_folded (l, span, op, a, b)
                        : NULL;
  if (folded)
    return folded;
  RspExpr *expr = new_expr (l, span, kind, type);
  expr->u.node.op = op;
  expr->u.node.a = a;
  expr->u.node.b = b;
  return expr;
}

RspExpr *rsp_kernel_conditional (KernelLowerer *l, RspSpan span, const CType *type,
                                 RspExpr *condition, RspExpr *yes, RspExpr *no) {
  RspExpr *expr
      = rsp_kernel_node (l, span, RSP_EXPR_CONDITIONAL, RSP_OP_NONE, type, condition, yes);
  expr->u.node.c = no;
  return expr;
}

RspExpr *rsp_kernel_step (KernelLowerer *l, RspSpan span, RspExpr *pointer, gint64 cells) {
  if (!cells)
    return pointer;
  RspExpr *expr = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_ADD, &kernel_long, pointer,
                                   rsp_kernel_constant (l, span, cells, &kernel_long));
  expr->type = pointer->type;
  return expr;
}

static RspExpr *apply (KernelLowerer *l, RspSpan span, gint64 function, const CType *type,
                       RspExpr *const *arguments, guint n) {
  RspExpr *result = rsp_kernel_constant (l, span, function, &kernel_size);
  for (guint i = 0; i < n; i++)
    result = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_APPLY, &kernel_size, result,
                              arguments[i]);
  return rsp_kernel_node (l, span, RSP_EXPR_CAST, RSP_OP_NONE, type, result, NULL);
}

static RspNumberType number_type (const RspType *type) {
  return (RspNumberType){ rsp_type_bits (type), type->is_float, rsp_type_is_signed (type) };
}

RspExpr *rsp_kernel_apply (KernelLowerer *l, RspSpan span, const char *function, const CType *type,
                           RspExpr *const *arguments, guint n) {
  RspNumberType types[RSP_FLOAT_MOST_OPERANDS];
  gint64 values[RSP_FLOAT_MOST_OPERANDS];
  const RspType own = rsp_kernel_cell_type (type);
  gboolean constant = TRUE;
  for (guint i = 0; i < n && n <= RSP_FLOAT_MOST_OPERANDS; i++) {
    types[i] = number_type (&arguments[i]->type);
    values[i] = arguments[i]->u.constant;
    constant &= arguments[i]->kind == RSP_EXPR_CONSTANT;
  }
  const gint64 number = n && n <= RSP_FLOAT_MOST_OPERANDS && !own.pointers
                            ? rsp_float_function (function, number_type (&own), types, n)
                            : 0;
  if (!number)
    return apply (l, span, g_str_hash (function), type, arguments, n);
  if (rsp_float_host_name (number))
    g_hash_table_add (l->kernel->host_functions, (gpointer) rsp_float_host_name (number));
  return constant ? rsp_kernel_constant (l, span, rsp_float_calculate (number, values), type)
                  : apply (l, span, number, type, arguments, n);
}

RspExpr *rsp_kernel_unknown (KernelLowerer *l, RspSpan span, RspFunction function, RspExpr *number,
                             const CType *type) {
  return apply (l, span, function, type, &number, 1);
}

RspExpr *rsp_kernel_convert (KernelLowerer *l, RspExpr *expr, const CType *from, const CType *to) {
  gboolean floats = from->kind == C_FLOAT || to->kind == C_FLOAT;
  if (from->kind == to->kind && from->bits == to->bits
      && (floats || from->is_signed == to->is_signed))
    return expr;
  /* A bool says whether the number is not 0. */
  if (floats && to->bits == kernel_bool.bits) {
    RspExpr *operands[] = { expr, rsp_kernel_constant (l, expr->span, 0, from) };
    return rsp_kernel_apply (l, expr->span, "!=", to, operands, 2);
  }
  if (floats)
    return rsp_kernel_apply (l, expr->span, "convert", to, &expr, 1);
  if (expr->kind == RSP_EXPR_CONSTANT && from->kind == C_INTEGER && to->kind == C_INTEGER)
    return rsp_kernel_constant (l, expr->span, rsp_wrap (expr->u.constant, to->bits, to->is_signed),
                                to);
  return rsp_kernel_node (l, expr->span, RSP_EXPR_CAST, RSP_OP_NONE, to, expr, NULL);
}

/* The number of operators, or more than MAX_REUSED if one has an effect or reads memory. */
static guint weight (const RspExpr *expr) {
  switch (expr->kind) {
  case RSP_EXPR_CONSTANT:
  case RSP_EXPR_LOCATION:
  case RSP_EXPR_REGISTER:
    return 0;
  case RSP_EXPR_UNARY:
  case RSP_EXPR_CAST:
    return 1 + weight (expr->u.node.a);
  case RSP_EXPR_ADDRESS:
    return expr->u.node.a->kind == RSP_EXPR_REGISTER ? 0 : MAX_REUSED + 1;
  case RSP_EXPR_BINARY:
    return 1 + weight (expr->u.node.a) + weight (expr->u.node.b);
  default:
    return MAX_REUSED + 1;
  }
}

RspExpr *rsp_kernel_reusable (KernelLowerer *l, RspExpr *expr, const CType *type) {
  if (weight (expr) <= MAX_REUSED)
    return expr;
  guint reg = rsp_kernel_add_registers (l, "", type, FALSE, expr->span);
  RspExpr *target = rsp_kernel_register (l, expr->span, reg);
  rsp_kernel_emit_expr (
      l, rsp_kernel_node (l, expr->span, RSP_EXPR_ASSIGN, RSP_OP_NONE, type, target, expr));
  return rsp_kernel_register (l, expr->span, reg);
}

/* ---- Statements and registers ---- */
RspStatement *rsp_kernel_emit (KernelLowerer *l, RspStatementKind kind, RspSpan span) {
  RspStatement *statement = rsp_arena_new0 (l->arena, RspStatement, 1);
  statement->kind = kind;
  statement->span = span;
  if (++l->n_statements > KERNEL_MAX_STATEMENTS)
    rsp_kernel_refuse (l, span, NULL, "a work-item of more than %d statements",
                       KERNEL_MAX_STATEMENTS);
  if (l->code->last)
    l->code->last->next = statement;
  else
    l->code->first = statement;
  l->code->last = statement;
  return statement;
}

void rsp_kernel_assert (KernelLowerer *l, RspSpan span, RspExpr *condition, const char *otherwise) {
  RspStatement *own = rsp_kernel_emit (l, RSP_STATEMENT_ASSERT, span);
  own->expr = condition ? condition : rsp_kernel_constant (l, span, 0, &kernel_int);
  own->label = otherwise;
}

/* The same value, marked as only copied. */
static RspExpr *only_copied (KernelLowerer *l, RspExpr *expr) {
  if (expr->kind != RSP_EXPR_REGISTER && expr->kind != RSP_EXPR_DEREF
      && expr->kind != RSP_EXPR_ASSIGN)
    return expr;
  RspExpr *copied = rsp_arena_copy (l->arena, expr, sizeof *expr);
  copied->is_copied = TRUE;
  return copied;
}

RspExpr *kernel_assignment (KernelLowerer *l, RspSpan span, const CType *whole, const CType *leaf,
                            RspExpr *target, RspExpr *value) {
  return rsp_kernel_node (l, span, RSP_EXPR_ASSIGN, RSP_OP_NONE, leaf, target,
                          rsp_kernel_is_scalar (whole) ? value : only_copied (l, value));
}

/* Copying a private value is not a use of it. */
void rsp_kernel_emit_expr (KernelLowerer *l, RspExpr *expr) {
  if (!expr)
    return;
  if (expr->kind == RSP_EXPR_ASSIGN) {
    expr->is_copied = TRUE;
    if (expr->u.node.op == RSP_OP_NONE && expr->u.node.a->kind == RSP_EXPR_REGISTER
        && expr->u.node.b->kind == RSP_EXPR_REGISTER)
      expr->u.node.b = only_copied (l, expr->u.node.b);
  }
  rsp_kernel_emit (l, RSP_STATEMENT_EXPRESSION, expr->span)->expr = expr;
}

guint rsp_kernel_add_variable (KernelLowerer *l, const char *name, const CType *type,
                               gboolean unset, gboolean addressed, RspSpan span) {
  const gboolean scalar = rsp_kernel_is_scalar (type) && !addressed;
  guint first = l->registers->len, cell, part, n = scalar ? 1 : rsp_kernel_units (l, type, span);
  if (first + n > KERNEL_MAX_REGISTERS) {
    rsp_kernel_refuse (l, span, NULL, "more than %d private values", KERNEL_MAX_REGISTERS);
    n = 1;
  }
  if (l->options->lenient && type->kind == C_ARRAY && n)
    n += l->options->unknown ? FEW_ELEMENTS : MORE_ELEMENTS;
  for (guint i = 0; i < MAX (n, 1); i++) {
    RspRegister own = { .name = name,
                        .type = rsp_kernel_cell_type (
                            scalar ? type : kernel_unit_leaf (l, type, i, &cell, &part)),
                        .initialised = TRUE,
                        .unset = unset,
                        .element = i,
                        .n_elements = MAX (n, 1),
                        .span = span };
    g_array_append_val (l->registers, own);
  }
  return first;
}

guint rsp_kernel_add_registers (KernelLowerer *l, const char *name, const CType *type,
                                gboolean unset, RspSpan span) {
  return rsp_kernel_add_variable (l, name, type, unset, FALSE, span);
}

KernelCode *rsp_kernel_begin (KernelLowerer *l, KernelCode *code) {
  KernelCode *outer = l->code;
  *code = (KernelCode){ NULL, NULL };
  l->code = code;
  return outer;
}

RspStatement *rsp_kernel_end (KernelLowerer *l, KernelCode *code, KernelCode *outer, RspSpan span) {
  RspStatement *block = rsp_arena_new0 (l->arena, RspStatement, 1);
  block->kind = RSP_STATEMENT_BLOCK;
  block->span = span;
  block->first = code->first;
  l->code = outer;
  return block;
}

/* ---- Values ---- */
KernelValue rsp_kernel_cells_value (KernelLowerer *l, const CType *type, guint n) {
  return (KernelValue){ type, rsp_arena_new0 (l->arena, RspExpr *, n + 1), n };
}

KernelValue rsp_kernel_scalar (KernelLowerer *l, RspExpr *expr, const CType *type) {
  KernelValue value = rsp_kernel_cells_value (l, type, 1);
  value.cells[0] = expr;
  return value;
}

KernelValue rsp_kernel_number (KernelLowerer *l, RspSpan span, gint64 number, const CType *type) {
  return rsp_kernel_scalar (l, rsp_kernel_constant (l, span, number, type), type);
}

KernelPlace rsp_kernel_stored (KernelLowerer *l, KernelValue value, RspSpan span) {
  const KernelPlace place = rsp_kernel_registers (
      value.type, rsp_kernel_add_registers (l, "", value.type, FALSE, span));
  rsp_kernel_store (l, place, value, span);
  return place;
}

KernelValue rsp_kernel_no_value (void) { return (KernelValue){ &kernel_void, NULL, 0 }; }

KernelValue rsp_kernel_dummy (KernelLowerer *l, RspSpan span, const CType *type) {
  if (type->kind == C_VOID)
    return rsp_kernel_no_value ();
  KernelValue value = rsp_kernel_cells_value (l, type, MAX (1, rsp_kernel_cells (l, type, span)));
  for (guint i = 0; i < value.n; i++)
    value.cells[i] = rsp_kernel_constant (l, span, 0, rsp_kernel_leaf (l, type, i));
  return value;
}

static KernelValue wrong_type (KernelLowerer *l, const CType *from, const CType *to, RspSpan span) {
  g_autofree char *name = rsp_kernel_type_name (from), *expected = rsp_kernel_type_name (to);
  kernel_error (l, span, NULL, "found a value of type `%s`, expected `%s`", name, expected);
  return rsp_kernel_dummy (l, span, to);
}

KernelValue rsp_kernel_to_type (KernelLowerer *l, KernelValue value, const CType *type,
                                RspSpan span) {
  if (type->kind == C_VOID)
    return rsp_kernel_no_value ();
  if (!value.n)
    return wrong_type (l, value.type, type, span);
  if (type->kind == C_VECTOR) {
    gboolean scalar = rsp_kernel_is_scalar (value.type);
    guint n = rsp_kernel_cells (l, type, span);
    if (!scalar && (value.type->kind != C_VECTOR || value.type->lanes != type->lanes))
      return wrong_type (l, value.type, type, span);
    KernelValue result = rsp_kernel_cells_value (l, type, n);
    RspExpr *shared = scalar ? rsp_kernel_reusable (
                          l, rsp_kernel_convert (l, value.cells[0], value.type, type->to), type->to)
                             : NULL;
    for (guint i = 0; i < n; i++)
      result.cells[i]
          = scalar ? shared : rsp_kernel_convert (l, value.cells[i], value.type->to, type->to);
    return result;
  }
  if (rsp_kernel_is_scalar (type) && rsp_kernel_is_scalar (value.type))
    return rsp_kernel_scalar (l, rsp_kernel_convert (l, value.cells[0], value.type, type), type);
  if (type->kind == C_STRUCT && value.type->kind == C_STRUCT && type->record == value.type->record)
    return value;
  return wrong_type (l, value.type, type, span);
}

KernelValue rsp_kernel_held (KernelLowerer *l, KernelValue value, RspSpan span) {
  KernelValue held = rsp_kernel_cells_value (l, value.type, value.n);
  for (guint i = 0; i < value.n; i++)
    if (value.cells[i]->kind == RSP_EXPR_CONSTANT || value.cells[i]->kind == RSP_EXPR_LOCATION)
      held.cells[i] = value.cells[i];
    else {
      const CType *leaf = rsp_kernel_leaf (l, value.type, i);
      guint reg = rsp_kernel_add_registers (l, "", leaf, FALSE, span);
      rsp_kernel_emit_expr (l,
                            kernel_assignment (l, span, value.type, leaf,
                                               rsp_kernel_register (l, span, reg), value.cells[i]));
      held.cells[i] = rsp_kernel_register (l, span, reg);
    }
  return held;
}

/* ---- Casts ---------------------------------------------------------------------------------- */

/* Casts, and the literals of vectors, which are written like casts. */

/* The operands of `(a, b, c)`, as written. */
static void collect_commas (const CExpr *expr, GPtrArray *all, gboolean outermost) {
  if (expr->kind == C_BINARY && expr->op == RSP_OP_COMMA && (outermost || !expr->in_parentheses)) {
    collect_commas (expr->a, all, FALSE);
    collect_commas (expr->b, all, FALSE);
  } else
    g_ptr_array_add (all, (gpointer) expr);
}

/* Memory is laid out in units once a pointer is cast to one to scalars of another size, or to what
 * may have such scalars. */
static void check_pointers (KernelLowerer *l, const CType *from, const CType *to) {
  if (from->to->kind != to->to->kind || from->to->kind == C_STRUCT
      || rsp_kernel_size_of (l, rsp_kernel_leaf (l, from->to, 0), RSP_NOWHERE)
             != rsp_kernel_size_of (l, rsp_kernel_leaf (l, to->to, 0), RSP_NOWHERE))
    if (!(from->to->kind == C_STRUCT && to->to->kind == C_STRUCT
          && from->to->record == to->to->record))
      rsp_kernel_want_unit (l, 8);
}

static gboolean is_number (const CType *type) {
  return type->kind == C_INTEGER || type->kind == C_FLOAT;
}

static RspExpr *cast (KernelLowerer *l, RspSpan span, const CType *type, RspExpr *expr) {
  if (expr->kind == RSP_EXPR_CONSTANT && is_number (type))
    return rsp_kernel_constant (
        l, span,
        rsp_wrap (expr->u.constant, type->bits, type->kind == C_INTEGER && type->is_signed), type);
  return rsp_kernel_node (l, span, RSP_EXPR_CAST, RSP_OP_NONE, type, expr, NULL);
}

/* Converts an address, which counts cells, to an integer, which counts bytes; or back. */
static KernelValue counted_otherwise (KernelLowerer *l, RspSpan span, KernelValue value,
                                      const CType *type) {
  const gboolean from = value.type->kind == C_POINTER;
  static const CType bytes = { .kind = C_INTEGER, .bits = 8 };
  const CType *to = from ? value.type->to : type->to;
  gint64 size = l->kernel->unit;
  if (!size && from && to->kind != C_VOID && to->kind != C_STRUCT && to->kind != C_FUNCTION)
    size = (gint64) rsp_kernel_size_of (l, rsp_kernel_leaf (l, to, 0), span);
  else if (!size)
    rsp_kernel_want_unit (l, 8);
  RspExpr *all = rsp_kernel_reusable (l, value.cells[0], value.type),
          *at = cast (l, span, &kernel_long, cast (l, span, &kernel_int, all));
  all = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_SUB, &kernel_long, all, at);
  if (!from)
    return rsp_kernel_offset (l, span,
                              rsp_kernel_scalar (l, all, rsp_kernel_pointer_to (l, &bytes)),
                              rsp_kernel_scalar (l, at, &kernel_long), RSP_OP_ADD);
  at = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_MUL, &kernel_long, at,
                        rsp_kernel_constant (l, span, size, &kernel_long));
  return rsp_kernel_scalar (
      l, rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_ADD, &kernel_long, all, at),
      &kernel_size);
}

KernelValue rsp_kernel_cast_value (KernelLowerer *l, RspSpan span, KernelValue value,
                                   const CType *type) {
  gboolean from = value.type->kind == C_POINTER, to = type->kind == C_POINTER;
  if (from && to)
    check_pointers (l, value.type, type);
  else if (from && type->bits != 64)
    rsp_kernel_refuse (l, span, "use `ulong` or `size_t`",
                       "a cast of a pointer to a smaller integer");
  else if ((from || to) && value.n && value.cells[0]->kind != RSP_EXPR_CONSTANT)
    value = counted_otherwise (l, span, value, type);
  return rsp_kernel_to_type (l, value, type, span);
}

KernelValue kernel_cast (KernelLowerer *l, const CExpr *expr) {
  if (expr->type->kind == C_VECTOR && expr->a->in_parentheses) {
    const CType *type = expr->type;
    g_autoptr (GPtrArray) parts = g_ptr_array_new ();
    collect_commas (expr->a, parts, TRUE);
    if (parts->len == 1)
      return rsp_kernel_to_type (l, rsp_kernel_value (l, parts->pdata[0]), type, expr->span);
    KernelValue result = rsp_kernel_dummy (l, expr->span, type);
    guint n = 0;
    for (guint i = 0; i < parts->len; i++) {
      const CExpr *part = parts->pdata[i];
      KernelValue value = rsp_kernel_value (l, part);
      guint lanes = value.type->kind == C_VECTOR ? value.type->lanes : MIN (value.n, 1);
      const CType *lane = value.type->kind == C_VECTOR ? value.type->to : value.type;
      for (guint k = 0; k < lanes && n < type->lanes; k++, n++)
        result.cells[n] = rsp_kernel_convert (l, value.cells[k], lane, type->to);
    }
    if (n != type->lanes && !l->gave_up)
      kernel_error (l, expr->span, NULL, "found %u values, expected %u", n, type->lanes);
    return result;
  }
  if (expr->type->kind == C_VOID) {
    rsp_kernel_effect (l, expr->a);
    return rsp_kernel_no_value ();
  }
  return rsp_kernel_cast_value (l, expr->span, rsp_kernel_value (l, expr->a), expr->type);
}

/* ---- The same bytes ---- */

static RspExpr *shift (KernelLowerer *l, RspSpan span, RspOperator op, RspExpr *expr, guint bits) {
  return bits ? rsp_kernel_node (l, span, RSP_EXPR_BINARY, op, &kernel_size, expr,
                                 rsp_kernel_constant (l, span, bits, &kernel_int))
              : expr;
}

/* Bytes are little-endian: the first one is the lowest. */
RspExpr *rsp_kernel_join_cells (KernelLowerer *l, RspSpan span, KernelValue from, const CType *leaf,
                                guint number) {
  const guint own = rsp_kernel_leaf (l, from.type, 0)->bits, first = number * leaf->bits;
  const CType bytes = { .kind = C_INTEGER, .bits = own };
  RspExpr *all = NULL;
  for (guint k = first / own; k * own < first + leaf->bits; k++) {
    RspExpr *cell = cast (l, span, &kernel_size, cast (l, span, &bytes, from.cells[k]));
    cell = k * own < first ? shift (l, span, RSP_OP_SHR, cell, first - k * own)
                           : shift (l, span, RSP_OP_SHL, cell, k * own - first);
    all = all ? rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_OR, &kernel_size, all, cell)
              : cell;
  }
  RSP_CONTRACT (all);
  return cast (l, span, leaf, all);
}

gboolean rsp_kernel_reinterpret (KernelLowerer *l, RspSpan span, KernelValue from,
                                 const CType *type, KernelValue *value) {
  const guint n = rsp_kernel_cells (l, type, span);
  if (!from.n || !n)
    return FALSE;
  const CType *own = rsp_kernel_leaf (l, from.type, 0), *leaf = rsp_kernel_leaf (l, type, 0);
  const guint64 size = rsp_kernel_size_of (l, own, span),
                other = rsp_kernel_size_of (l, leaf, span);
  const gboolean same = from.n == n && size == other;
  if (same && n == 1 && (own->kind == C_POINTER) != (leaf->kind == C_POINTER)) {
    *value = rsp_kernel_cast_value (l, span, from, type); /* an address counts bytes */
    return TRUE;
  }
  if (!same && (!is_number (own) || !is_number (leaf) || from.n * size != n * other))
    return FALSE;
  if (!same)
    from = rsp_kernel_held (l, from, span);
  *value = rsp_kernel_cells_value (l, type, n);
  for (guint i = 0; i < n; i++)
    value->cells[i] = same ? cast (l, span, rsp_kernel_leaf (l, type, i), from.cells[i])
                           : rsp_kernel_join_cells (l, span, from, leaf, i);
  return TRUE;
}

/* ---- Named constants ------------------------------------------------------------------------ */

/* Integers of OpenCL C. */
static const struct {
  const char *name;
  guint64 value;
  const CType *type;
} integers[] = {
  { "true", 1, &kernel_int },
  { "false", 0, &kernel_int },
  { "NULL", 0, &kernel_int },
  { "CHAR_BIT", 8, &kernel_int },
  { "CHAR_MAX", G_MAXINT8, &kernel_int },
  { "CHAR_MIN", (guint64) G_MININT8, &kernel_int },
  { "UCHAR_MAX", G_MAXUINT8, &kernel_int },
  { "SHRT_MAX", G_MAXINT16, &kernel_int },
  { "SHRT_MIN", (guint64) G_MININT16, &kernel_int },
  { "USHRT_MAX", G_MAXUINT16, &kernel_int },
  { "INT_MAX", G_MAXINT32, &kernel_int },
  { "INT_MIN", (guint64) G_MININT32, &kernel_int },
  { "SCHAR_MAX", G_MAXINT8, &kernel_int },
  { "SCHAR_MIN", (guint64) G_MININT8, &kernel_int },
  { "FLT_RADIX", 2, &kernel_int },
  { "FLT_DIG", 6, &kernel_int },
  { "FLT_MANT_DIG", 24, &kernel_int },
  { "FLT_MAX_EXP", 128, &kernel_int },
  { "FLT_MIN_EXP", (guint64) -125, &kernel_int },
  { "FLT_MAX_10_EXP", 38, &kernel_int },
  { "FLT_MIN_10_EXP", (guint64) -37, &kernel_int },
  { "DBL_DIG", 15, &kernel_int },
  { "DBL_MANT_DIG", 53, &kernel_int },
  { "UINT_MAX", G_MAXUINT32, &kernel_uint },
  { "LONG_MAX", G_MAXINT64, &kernel_long },
  { "LONG_MIN", (guint64) G_MININT64, &kernel_long },
  { "ULONG_MAX", G_MAXUINT64, &kernel_size },
};

/* Floating-point numbers of OpenCL C; `M_PI_F` is `M_PI` as a float. */
static const struct {
  const char *name;
  double value;
  guint8 bits;
} reals[] = {
  { "INFINITY", INFINITY, 32 },
  { "NAN", NAN, 32 },
  { "HUGE_VALF", INFINITY, 32 },
  { "HUGE_VAL", INFINITY, 64 },
  { "MAXFLOAT", FLT_MAX, 32 },
  { "FLT_MAX", FLT_MAX, 32 },
  { "FLT_MIN", FLT_MIN, 32 },
  { "FLT_EPSILON", FLT_EPSILON, 32 },
  { "DBL_MAX", DBL_MAX, 64 },
  { "DBL_MIN", DBL_MIN, 64 },
  { "DBL_EPSILON", DBL_EPSILON, 64 },
  { "HALF_MAX", 65504, 32 },
  { "HALF_MIN", 0x1p-14, 32 },
  { "HALF_EPSILON", 0x1p-10, 32 },
  { "M_E", M_E, 64 },
  { "M_LOG2E", M_LOG2E, 64 },
  { "M_LOG10E", M_LOG10E, 64 },
  { "M_LN2", M_LN2, 64 },
  { "M_LN10", M_LN10, 64 },
  { "M_PI", M_PI, 64 },
  { "M_PI_2", M_PI_2, 64 },
  { "M_PI_4", M_PI_4, 64 },
  { "M_1_PI", M_1_PI, 64 },
  { "M_2_PI", M_2_PI, 64 },
  { "M_2_SQRTPI", M_2_SQRTPI, 64 },
  { "M_SQRT2", M_SQRT2, 64 },
  { "M_SQRT1_2", M_SQRT1_2, 64 },
};

static KernelValue real_number (KernelLowerer *l, RspSpan span, double value, guint8 bits) {
  static const CType types[] = { { .kind = C_FLOAT, .bits = 32 }, { .kind = C_FLOAT, .bits = 64 } };
  gint64 number;
  memcpy (&number, &value, sizeof number);
  return rsp_kernel_to_type (l, rsp_kernel_number (l, span, number, &types[1]), &types[bits == 64],
                             span);
}

gboolean kernel_named_constant (KernelLowerer *l, const CExpr *expr, KernelValue *value) {
  gint64 number;
  if (c_number_of_word (expr->name, &number))
    *value = rsp_kernel_number (l, expr->span, number, &kernel_int);
  for (gsize i = 0; i < G_N_ELEMENTS (integers) && !value->n; i++)
    if (strcmp (expr->name, integers[i].name) == 0)
      *value = rsp_kernel_number (l, expr->span, (gint64) integers[i].value, integers[i].type);
  const gboolean is_single
      = g_str_has_prefix (expr->name, "M_") && g_str_has_suffix (expr->name, "_F");
  const gsize length = strlen (expr->name) - (is_single ? 2 : 0);
  for (gsize i = 0; i < G_N_ELEMENTS (reals) && !value->n; i++)
    if (strlen (reals[i].name) == length && strncmp (expr->name, reals[i].name, length) == 0)
      *value = real_number (l, expr->span, reals[i].value, is_single ? 32 : reals[i].bits);
  if (!value->n && g_str_has_prefix (expr->name, "CLK_"))
    *value = rsp_kernel_scalar (
        l, rsp_kernel_apply (l, expr->span, expr->name, &kernel_uint, NULL, 0), &kernel_uint);
  return value->n > 0;
}
