/* Types of OpenCL C: their cells and sizes, and the usual conversions. */
#include "parser/kernel/lower/type.h"
#include "parser/kernel/lower/fold.h"
#include "parser/kernel/lower/value.h"

#include <string.h>

const KernelType kernel_int = { .kind = KERNEL_INTEGER, .bits = 32, .is_signed = TRUE };
const KernelType kernel_uint = { .kind = KERNEL_INTEGER, .bits = 32 };
const KernelType kernel_long = { .kind = KERNEL_INTEGER, .bits = 64, .is_signed = TRUE };
const KernelType kernel_size = { .kind = KERNEL_INTEGER, .bits = 64 };
const KernelType kernel_bool = { .kind = KERNEL_INTEGER, .bits = 1 };
const KernelType kernel_void = { .kind = KERNEL_VOID };

gboolean rsp_kernel_is_scalar (const KernelType *type) {
  return type->kind == KERNEL_INTEGER || type->kind == KERNEL_FLOAT || type->kind == KERNEL_POINTER
         || type->kind == KERNEL_OPAQUE;
}

gboolean rsp_kernel_is_pointer (const KernelType *type) {
  return type->kind == KERNEL_POINTER || type->kind == KERNEL_ARRAY;
}

const KernelType *rsp_kernel_pointer_to (KernelLowerer *l, const KernelType *to) {
  KernelType *type = rsp_arena_new0 (l->arena, KernelType, 1);
  *type = (KernelType){
    .kind = KERNEL_POINTER, .bits = 64, .to = (KernelType *) to, .space = RSP_SPACE_PRIVATE
  };
  return type;
}

const KernelType *kernel_decayed (KernelLowerer *l, const KernelType *type) {
  return type->kind == KERNEL_ARRAY ? rsp_kernel_pointer_to (l, type->to) : type;
}

const KernelType *rsp_kernel_array_of (KernelLowerer *l, const KernelType *element, guint n) {
  KernelType *type = rsp_arena_new0 (l->arena, KernelType, 1);
  KernelExpr *size = rsp_arena_new0 (l->arena, KernelExpr, 1);
  *size = (KernelExpr){ .kind = KERNEL_NUMBER, .number = { .value = n, .bits = 32 } };
  *type = (KernelType){ .kind = KERNEL_ARRAY,
                        .to = (KernelType *) element,
                        .size = size,
                        .is_const = element->is_const,
                        .space = element->space };
  return type;
}

const KernelType *rsp_kernel_vector_of (KernelLowerer *l, const KernelType *lane, guint lanes) {
  KernelType *type = rsp_arena_new0 (l->arena, KernelType, 1);
  *type = (KernelType){
    .kind = KERNEL_VECTOR, .to = (KernelType *) lane, .lanes = lanes, .space = RSP_SPACE_PRIVATE
  };
  return type;
}

/* ---- Sizes ---- */

guint kernel_array_length (KernelLowerer *l, const KernelType *type, RspSpan span) {
  gint64 n = 0;
  if (!type->size || !rsp_kernel_evaluate (l, type->size, &n))
    rsp_kernel_refuse (l, span, "give the array a constant size",
                       "an array without a constant size");
  else if (n < 0 || n > RSP_KERNEL_MAX_CELLS)
    rsp_kernel_refuse (l, span, "-D can make it smaller",
                       "an array of %" G_GINT64_FORMAT " elements (at most %d)", n,
                       RSP_KERNEL_MAX_CELLS);
  else
    return (guint) n;
  return 0;
}

guint kernel_n_elements (KernelLowerer *l, const KernelType *type, RspSpan span) {
  return type->kind == KERNEL_ARRAY ? kernel_array_length (l, type, span) : type->lanes;
}

/* The members of a union share cells, so all scalars in them must have one size, and pointers stay
 * pointers. */
static void check_union (KernelLowerer *l, const KernelStruct *record, RspSpan span) {
  const KernelType *first = NULL;
  for (guint i = 0; i < record->members.n; i++) {
    const KernelType *type = ((const KernelVariable *) record->members.items[i])->type;
    guint n = rsp_kernel_cells (l, type, span);
    for (guint cell = 0; cell < n; cell++) {
      const KernelType *leaf = rsp_kernel_leaf (l, type, cell);
      first = first ? first : leaf;
      if (rsp_kernel_size_of (l, leaf, span) == rsp_kernel_size_of (l, first, span)
          && (leaf->kind == KERNEL_POINTER) == (first->kind == KERNEL_POINTER))
        continue;
      g_autofree char *one = rsp_kernel_type_name (first), *other = rsp_kernel_type_name (leaf);
      rsp_kernel_refuse (l, span, "write a structure, or shifts and masks",
                         "a union of values of different sizes, `%s` and `%s`", one, other);
      return;
    }
  }
}

static guint struct_cells (KernelLowerer *l, const KernelType *type, RspSpan span) {
  KernelStruct *record = type->record;
  guint n = 0;
  if (record->n_cells)
    return record->n_cells - 1;
  if (!record->complete)
    kernel_error (l, span, NULL, "`struct %s` has no definition", record->name);
  else if (record->is_union)
    check_union (l, record, span);
  for (guint i = 0; i < record->members.n; i++) {
    guint own
        = rsp_kernel_cells (l, ((const KernelVariable *) record->members.items[i])->type, span);
    n = record->is_union ? MAX (n, own) : n + own;
  }
  if (record->complete && n <= RSP_KERNEL_MAX_CELLS)
    record->n_cells = n + 1;
  return n;
}

const KernelVariable *rsp_kernel_member_at (KernelLowerer *l, const KernelStruct *record,
                                            guint *cell) {
  for (guint i = 0; i < record->members.n; i++) {
    const KernelVariable *member = record->members.items[i];
    guint n = rsp_kernel_cells (l, member->type, RSP_NOWHERE);
    if (*cell < n)
      return member;
    *cell -= record->is_union ? 0 : n;
  }
  return NULL;
}

guint rsp_kernel_cells (KernelLowerer *l, const KernelType *type, RspSpan span) {
  guint64 n = 1;
  if (type->kind == KERNEL_ARRAY)
    n = (guint64) kernel_array_length (l, type, span) * rsp_kernel_cells (l, type->to, span);
  else if (type->kind == KERNEL_VECTOR)
    n = type->lanes == 3 ? 4 : type->lanes;
  else if (type->kind == KERNEL_STRUCT)
    n = struct_cells (l, type, span);
  else if (type->kind == KERNEL_VOID || type->kind == KERNEL_FUNCTION)
    n = 0;
  if (n <= RSP_KERNEL_MAX_CELLS)
    return (guint) n;
  rsp_kernel_refuse (l, span, "-D can make it smaller", "an object of more than %d values",
                     RSP_KERNEL_MAX_CELLS);
  return 0;
}

/* The type of a cell; pads: is it the fourth one of three lanes? */
static const KernelType *find_leaf (KernelLowerer *l, const KernelType *type, guint cell,
                                    gboolean *pads) {
  *pads = FALSE;
  for (;;)
    if (type->kind == KERNEL_ARRAY || type->kind == KERNEL_VECTOR) {
      guint each = MAX (1, rsp_kernel_cells (l, type->to, RSP_NOWHERE));
      *pads = type->kind == KERNEL_VECTOR && cell >= type->lanes;
      cell %= each;
      type = type->to;
    } else if (type->kind == KERNEL_STRUCT) {
      const KernelVariable *member = rsp_kernel_member_at (l, type->record, &cell);
      if (!member)
        return &kernel_int;
      type = member->type;
    } else
      return type;
}

const KernelType *rsp_kernel_leaf (KernelLowerer *l, const KernelType *type, guint cell) {
  gboolean pads;
  return find_leaf (l, type, cell, &pads);
}

gboolean rsp_kernel_pads (KernelLowerer *l, const KernelType *type, guint cell) {
  gboolean pads;
  find_leaf (l, type, cell, &pads);
  return pads;
}

RspType rsp_kernel_cell_type (const KernelType *leaf) {
  RspType type = { .space = leaf->space, .is_atomic = leaf->is_atomic };
  if (leaf->kind == KERNEL_POINTER) {
    type.bits = 32;
    type.pointers = 1;
  } else if (leaf->kind == KERNEL_OPAQUE)
    type.bits = 64;
  else {
    type.bits = leaf->bits;
    type.is_signed = leaf->kind == KERNEL_INTEGER && leaf->is_signed && leaf->bits > 1;
    type.is_float = leaf->kind == KERNEL_FLOAT;
  }
  return type;
}

static guint64 alignment_of (KernelLowerer *l, const KernelType *type);

/* The size and alignment of a structure or union, which are calculated once. */
static void measure (KernelLowerer *l, KernelStruct *record, RspSpan span) {
  guint64 size = 0, most = 1;
  if (record->alignment)
    return;
  for (guint i = 0; i < record->members.n; i++) {
    const KernelType *member = ((const KernelVariable *) record->members.items[i])->type;
    guint64 own = alignment_of (l, member), bytes = rsp_kernel_size_of (l, member, span);
    size = record->is_union ? MAX (size, bytes) : (size + own - 1) / own * own + bytes;
    most = MAX (most, own);
  }
  record->n_bytes = (size + most - 1) / most * most;
  record->alignment = most;
}

static guint64 alignment_of (KernelLowerer *l, const KernelType *type) {
  if (type->kind == KERNEL_ARRAY)
    return alignment_of (l, type->to);
  if (type->kind != KERNEL_STRUCT)
    return MAX (1, rsp_kernel_size_of (l, type, RSP_NOWHERE));
  measure (l, type->record, RSP_NOWHERE);
  return type->record->alignment;
}

guint64 rsp_kernel_size_of (KernelLowerer *l, const KernelType *type, RspSpan span) {
  switch (type->kind) {
  case KERNEL_INTEGER:
  case KERNEL_FLOAT:
    return MAX (1, type->bits / 8);
  case KERNEL_ARRAY:
    return kernel_array_length (l, type, span) * rsp_kernel_size_of (l, type->to, span);
  case KERNEL_VECTOR:
    return (type->lanes == 3 ? 4 : type->lanes) * rsp_kernel_size_of (l, type->to, span);
  case KERNEL_STRUCT:
    measure (l, type->record, span);
    return type->record->n_bytes;
  default:
    return type->kind == KERNEL_VOID ? 1 : 8;
  }
}

/* ---- Conversions ---- */

const KernelType *kernel_promoted (const KernelType *type) {
  return type->kind == KERNEL_INTEGER && type->bits < 32 ? &kernel_int : type;
}

const KernelType *rsp_kernel_common (const KernelType *a, const KernelType *b) {
  if (a->kind == KERNEL_FLOAT || b->kind == KERNEL_FLOAT) {
    if (a->kind == b->kind)
      return a->bits >= b->bits ? a : b;
    return a->kind == KERNEL_FLOAT ? a : b;
  }
  a = kernel_promoted (a);
  b = kernel_promoted (b);
  if (a->bits != b->bits)
    return a->bits > b->bits ? a : b;
  return a->is_signed ? b : a;
}

const KernelType *kernel_member (KernelLowerer *l, const KernelStruct *record, const char *name,
                                 guint *first) {
  guint before = 0;
  for (guint i = 0; i < record->members.n; i++) {
    const KernelVariable *member = record->members.items[i];
    const KernelType *type = member->name && strcmp (member->name, name) == 0 ? member->type : NULL;
    *first = 0;
    if (!member->name && member->type->kind == KERNEL_STRUCT)
      type = kernel_member (l, member->type->record, name, first);
    *first += before;
    if (type)
      return type;
    before += record->is_union ? 0 : rsp_kernel_cells (l, member->type, member->span);
  }
  return NULL;
}

char *rsp_kernel_type_name (const KernelType *type) {
  g_autofree char *inner = type->to ? rsp_kernel_type_name (type->to) : NULL;
  switch (type->kind) {
  case KERNEL_VOID:
    return g_strdup ("void");
  case KERNEL_INTEGER:
    return type->bits == 1 ? g_strdup ("bool")
                           : g_strdup_printf ("%s%s", type->is_signed ? "" : "u",
                                              type->bits == 8    ? "char"
                                              : type->bits == 16 ? "short"
                                              : type->bits == 32 ? "int"
                                                                 : "long");
  case KERNEL_FLOAT:
    return g_strdup (type->bits == 16 ? "half" : type->bits == 32 ? "float" : "double");
  case KERNEL_POINTER:
    return g_strdup_printf ("%s*", inner);
  case KERNEL_ARRAY:
    return g_strdup_printf ("%s[]", inner);
  case KERNEL_VECTOR:
    return g_strdup_printf ("%s%u", inner, type->lanes);
  case KERNEL_STRUCT:
    return g_strdup_printf ("%s%s%s", type->record->is_union ? "union" : "struct",
                            *type->record->name ? " " : "", type->record->name);
  case KERNEL_FUNCTION:
    return g_strdup ("function");
  case KERNEL_OPAQUE:
    break;
  }
  return g_strdup (type->name);
}
