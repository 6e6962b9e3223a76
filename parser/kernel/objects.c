/* Places in memory that expressions of kernels name, and initialisers. */
#include "base/base.h"
#include "parser/kernel/internal.h"

#include <string.h>

/* ---- Places --------------------------------------------------------------------------------- */

/* What names, members, elements and pointers denote. */

/* ---- Names ---- */
const KernelBinding *rsp_kernel_find_name (const KernelLowerer *l, const char *name) {
  guint frame = l->frame ? l->frame->number : 0;
  for (guint i = l->bindings->len; i-- > 0;) {
    const KernelBinding *binding = &g_array_index (l->bindings, KernelBinding, i);
    if ((binding->frame == frame || binding->frame == 0) && strcmp (binding->name, name) == 0)
      return binding;
  }
  return NULL;
}

void rsp_kernel_bind (KernelLowerer *l, const char *name, KernelPlace place, gboolean by_value) {
  KernelBinding binding = {
    .name = name, .place = place, .by_value = by_value, .frame = l->frame ? l->frame->number : 0
  };
  g_array_append_val (l->bindings, binding);
}

/* ---- Places ---- */
KernelPlace rsp_kernel_registers (const CType *type, guint first) {
  return (KernelPlace){ .type = type, .in_registers = TRUE, .base = first };
}

RspExpr *rsp_kernel_address (KernelLowerer *l, KernelPlace place, RspSpan span) {
  if (!place.in_registers)
    return place.address;
  RspExpr *pointer = rsp_kernel_node (l, span, RSP_EXPR_ADDRESS, RSP_OP_NONE, &kernel_size,
                                      rsp_kernel_register (l, span, place.base), NULL);
  const RspRegister *own = rsp_kernel_register_of (l, span, &place.base);
  if (own->element) {
    pointer->u.node.a = rsp_kernel_register (l, span, place.base - own->element);
    pointer->type.pointers = 1;
    return rsp_kernel_step (l, span, pointer, own->element);
  }
  pointer->type.pointers = 1;
  return pointer;
}

KernelPlace rsp_kernel_reuse (KernelLowerer *l, KernelPlace place) {
  if (!place.in_registers)
    place.address = rsp_kernel_reusable (l, place.address, rsp_kernel_pointer_to (l, place.type));
  return place;
}

/* The unit of its place at which a cell begins. */
static guint unit_of (KernelLowerer *l, KernelPlace place, guint cell) {
  return rsp_kernel_unit_at (l, place.type, place.lanes ? place.lanes[cell] : cell);
}

guint rsp_kernel_n_parts (KernelLowerer *l, KernelPlace place, guint cell) {
  const CType *leaf = rsp_kernel_leaf (l, place.type, cell);
  const guint size = (guint) rsp_kernel_size_of (l, leaf, RSP_NOWHERE), unit = l->kernel->unit;
  if (!unit || leaf->kind == C_POINTER || leaf->kind == C_OPAQUE || leaf->is_atomic)
    return 1;
  guint at = place.base + unit_of (l, place, cell);
  if (place.in_registers && rsp_kernel_register_of (l, RSP_NOWHERE, &at)->type.bits == leaf->bits)
    return 1;
  if (size < unit)
    rsp_kernel_want_unit (l, size);
  return MAX (1, size / unit);
}

/* A part, which has the type, of a cell that has several, or the cell itself. */
static RspExpr *part_of_cell (KernelLowerer *l, KernelPlace place, guint cell, guint part,
                              const CType *type, RspSpan span) {
  guint at = unit_of (l, place, cell) + part;
  if (place.in_registers)
    return rsp_kernel_register (l, span, place.base + at);
  RspExpr *read = rsp_kernel_node (l, span, RSP_EXPR_DEREF, RSP_OP_NONE, type,
                                   rsp_kernel_step (l, span, place.address, at), NULL);
  read->is_ghost = l->in_annotation;
  return read;
}

RspExpr *kernel_cell (KernelLowerer *l, KernelPlace place, guint cell, RspSpan span) {
  return part_of_cell (l, place, cell, 0, rsp_kernel_leaf (l, place.type, cell), span);
}

/* All parts of a cell, joined. */
static RspExpr *joined (KernelLowerer *l, KernelPlace place, guint cell, guint n, RspSpan span) {
  const CType *unit = rsp_kernel_unit_type (l);
  KernelValue parts = rsp_kernel_cells_value (l, unit, n);
  for (guint i = 0; i < n; i++)
    parts.cells[i] = part_of_cell (l, place, cell, i, unit, span);
  return rsp_kernel_join_cells (l, span, parts, rsp_kernel_leaf (l, place.type, cell), 0);
}

static void store_parts (KernelLowerer *l, KernelPlace place, guint cell, guint n, RspExpr *value,
                         RspSpan span) {
  const CType *leaf = rsp_kernel_leaf (l, place.type, cell), *unit = rsp_kernel_unit_type (l);
  const KernelValue whole = rsp_kernel_scalar (l, rsp_kernel_reusable (l, value, leaf), leaf);
  place = rsp_kernel_reuse (l, place);
  for (guint i = 0; i < n; i++)
    rsp_kernel_emit_expr (l, kernel_assignment (l, span, place.type, unit,
                                                part_of_cell (l, place, cell, i, unit, span),
                                                rsp_kernel_join_cells (l, span, whole, unit, i)));
}

/* Cells of a union have the type of its first member, which may be another one. */
static gboolean has_type_of (const RspExpr *cell, const CType *leaf) {
  RspType type = rsp_kernel_cell_type (leaf);
  return cell->type.bits == type.bits && cell->type.is_signed == type.is_signed;
}

gboolean kernel_is_plain (KernelLowerer *l, KernelPlace place) {
  return place.type->kind == C_INTEGER && rsp_kernel_n_parts (l, place, 0) == 1
         && (place.in_registers || !l->logs)
         && has_type_of (kernel_cell (l, place, 0, RSP_NOWHERE), place.type);
}

KernelValue rsp_kernel_load (KernelLowerer *l, KernelPlace place, RspSpan span) {
  if (place.type->kind == C_ARRAY)
    return rsp_kernel_scalar (l, rsp_kernel_address (l, place, span),
                              kernel_decayed (l, place.type));
  place = kernel_logged (l, place, FALSE, span);
  guint n = rsp_kernel_cells (l, place.type, span);
  KernelValue value = rsp_kernel_cells_value (l, place.type, n);
  if (n > 1 || (n && rsp_kernel_n_parts (l, place, 0) > 1))
    place = rsp_kernel_reuse (l, place);
  for (guint i = 0; i < n; i++) {
    const guint n_parts = rsp_kernel_n_parts (l, place, i);
    const CType *leaf = rsp_kernel_leaf (l, place.type, i);
    if (rsp_kernel_pads (l, place.type, i)) {
      value.cells[i] = rsp_kernel_constant (l, span, 0, leaf);
      continue;
    }
    if (n_parts > 1) {
      value.cells[i] = joined (l, place, i, n_parts, span);
      continue;
    }
    RspExpr *cell = kernel_cell (l, place, i, span);
    value.cells[i] = has_type_of (cell, leaf)
                         ? cell
                         : rsp_kernel_node (l, span, RSP_EXPR_CAST, RSP_OP_NONE, leaf, cell, NULL);
  }
  return value;
}

void rsp_kernel_store (KernelLowerer *l, KernelPlace place, KernelValue value, RspSpan span) {
  place = kernel_logged (l, place, TRUE, span);
  if (value.n > 1) {
    value = rsp_kernel_held (l, value, span);
    place = rsp_kernel_reuse (l, place);
  }
  for (guint i = 0; i < value.n; i++)
    if (rsp_kernel_n_parts (l, place, i) > 1 && !rsp_kernel_pads (l, place.type, i))
      store_parts (l, place, i, rsp_kernel_n_parts (l, place, i), value.cells[i], span);
    else if (!rsp_kernel_pads (l, place.type, i))
      rsp_kernel_emit_expr (l, kernel_assignment (l, span, place.type,
                                                  rsp_kernel_leaf (l, place.type, i),
                                                  kernel_cell (l, place, i, span), value.cells[i]));
}

/* ---- Members and lanes ---- */
static gboolean lane_of (char c, gboolean numbered, guint8 *lane) {
  static const char letters[] = "xyzw", digits[] = "0123456789abcdef";
  const char *found = strchr (numbered ? digits : letters, numbered ? g_ascii_tolower (c) : c);
  if (!c || !found)
    return FALSE;
  *lane = (guint8) (found - (numbered ? digits : letters));
  return TRUE;
}

guint kernel_lanes (const CType *vector, const char *name, guint8 *lanes) {
  static const struct {
    const char *name;
    guint first, step; /* first: in halves of the vector if lanes are next to each other */
  } halves[] = { { "lo", 0, 1 }, { "hi", 1, 1 }, { "even", 0, 2 }, { "odd", 1, 2 } };
  guint n = vector->lanes == 3 ? 2 : vector->lanes / 2;
  for (guint h = 0; h < G_N_ELEMENTS (halves); h++)
    if (strcmp (name, halves[h].name) == 0) {
      for (guint i = 0; i < n; i++)
        lanes[i] = (guint8) (halves[h].first * (halves[h].step == 1 ? n : 1) + i * halves[h].step);
      return n;
    }
  gboolean numbered = (name[0] == 's' || name[0] == 'S') && name[1];
  n = 0;
  for (const char *c = name + numbered; *c; c++, n++)
    if (n == 16 || !lane_of (*c, numbered, &lanes[n]) || lanes[n] >= vector->lanes)
      return 0;
  return n == 1 || n == 2 || n == 3 || n == 4 || n == 8 || n == 16 ? n : 0;
}

static gboolean place_lanes (KernelLowerer *l, const CExpr *expr, KernelPlace *place) {
  guint8 lanes[16];
  guint n = kernel_lanes (place->type, expr->name, lanes);
  if (!n) {
    g_autofree char *type = rsp_kernel_type_name (place->type);
    kernel_error (l, expr->span, NULL, "`%s` has no component `%s`", type, expr->name);
    return FALSE;
  }
  if (place->lanes)
    for (guint i = 0; i < n; i++)
      lanes[i] = place->lanes[lanes[i]];
  guint first = rsp_kernel_unit_at (l, place->type, lanes[0]);
  gboolean scalar = n == 1;
  place->type = scalar ? place->type->to : rsp_kernel_vector_of (l, place->type->to, n);
  if (scalar && place->in_registers)
    place->base += first;
  else if (scalar)
    place->address = rsp_kernel_step (l, expr->span, place->address, first);
  place->lanes = scalar ? NULL : rsp_arena_copy (l->arena, lanes, n);
  return TRUE;
}

static gboolean place_member (KernelLowerer *l, const CExpr *expr, KernelPlace *place) {
  guint first = 0;
  guint64 offset = 0;
  if (!rsp_kernel_place (l, expr->a, place))
    return FALSE;
  if (place->type->kind == C_VECTOR)
    return place_lanes (l, expr, place);
  const CType *member = NULL;
  if (place->type->kind == C_STRUCT && rsp_kernel_cells (l, place->type, expr->span))
    member = rsp_kernel_member (l, place->type->record, expr->name, &first, &offset);
  if (!member) {
    g_autofree char *type = rsp_kernel_type_name (place->type);
    if (!l->gave_up)
      kernel_error (l, expr->span, NULL, "`%s` has no member `%s`", type, expr->name);
    return FALSE;
  }
  place->type = member;
  if (l->kernel->unit)
    first = (guint) (offset / l->kernel->unit);
  place->base += first;
  if (!place->in_registers)
    place->address = rsp_kernel_step (l, expr->span, place->address, first);
  return TRUE;
}

/* ---- Pointers and elements ---- */
/* The object that a pointer points to. */
static gboolean place_pointed (KernelLowerer *l, KernelValue pointer, RspSpan span,
                               KernelPlace *place) {
  if (pointer.type->kind != C_POINTER || pointer.type->to->kind == C_VOID) {
    g_autofree char *type = rsp_kernel_type_name (pointer.type);
    if (!l->gave_up)
      kernel_error (l, span, NULL, "found a value of type `%s`, expected a pointer to a value",
                    type);
    return FALSE;
  }
  *place = (KernelPlace){ .type = pointer.type->to, .address = pointer.cells[0] };
  return TRUE;
}

static gboolean is_element (KernelLowerer *l, const CType *type, const CExpr *expr, gint64 *index) {
  return type && type->kind == C_ARRAY && rsp_kernel_evaluate (l, expr->b, index) && *index >= 0
         && *index < kernel_array_length (l, type, expr->span);
}

/* The type of an object in registers that the text alone determines; NULL: it is not one. */
static const CType *type_in_registers (KernelLowerer *l, const CExpr *expr) {
  guint first;
  guint64 offset;
  gint64 index;
  if (expr->kind == C_NAME) {
    const KernelBinding *binding = rsp_kernel_find_name (l, expr->name);
    return binding && binding->place.in_registers ? binding->place.type : NULL;
  }
  if (expr->kind != C_MEMBER && expr->kind != C_INDEX)
    return NULL;
  const CType *type = type_in_registers (l, expr->a);
  if (expr->kind == C_INDEX)
    return is_element (l, type, expr, &index) ? type->to : NULL;
  return type && type->kind == C_STRUCT
             ? rsp_kernel_member (l, type->record, expr->name, &first, &offset)
             : NULL;
}

/* An element of an array in registers at a constant index. */
static gboolean place_constant_element (KernelLowerer *l, const CExpr *expr, KernelPlace *place) {
  gint64 index;
  KernelPlace array;
  if (!is_element (l, type_in_registers (l, expr->a), expr, &index)
      || !rsp_kernel_place (l, expr->a, &array))
    return FALSE;
  place->type = array.type->to;
  place->in_registers = TRUE;
  place->base = array.base + (guint) index * rsp_kernel_units (l, array.type->to, expr->span);
  return TRUE;
}

/* The index of an element of an array that is part of an object. It must be below n, even if the
 * object goes on behind the array (C11, 6.5.6). */
static KernelValue bounded (KernelLowerer *l, const CExpr *expr, KernelValue index, guint n) {
  if (index.type->kind != C_INTEGER || l->options->lenient)
    return index;
  index.cells[0] = rsp_kernel_reusable (l, index.cells[0], index.type);
  RspExpr *wide = rsp_kernel_node (l, expr->span, RSP_EXPR_CAST, RSP_OP_NONE, &kernel_size,
                                   index.cells[0], NULL);
  if (index.cells[0]->kind == RSP_EXPR_CONSTANT)
    wide = rsp_kernel_constant (l, expr->span, index.cells[0]->u.constant, &kernel_size);
  RspExpr *within
      = rsp_kernel_node (l, expr->span, RSP_EXPR_BINARY, l->takes_address ? RSP_OP_LE : RSP_OP_LT,
                         &kernel_int, wide, rsp_kernel_constant (l, expr->span, n, &kernel_size));
  if (within->kind == RSP_EXPR_CONSTANT && within->u.constant)
    return index;
  const RspSpan name = expr->a->span;
  rsp_kernel_assert (
      l, expr->span, within,
      rsp_arena_printf (l->arena, "access to an element outside of '%.*s', which has %u",
                        (int) (name.end - name.begin), name.source->text + name.begin, n));
  return index;
}

/* A vector as the array of its lanes. */
static KernelValue lanes_at (KernelLowerer *l, KernelPlace place, RspSpan span) {
  if (place.lanes)
    rsp_kernel_refuse (l, span, "copy them to a vector", "an index of several components");
  return rsp_kernel_scalar (l, rsp_kernel_address (l, place, span),
                            rsp_kernel_pointer_to (l, place.type->to));
}

/* The same of a variable, or of a copy of a value. */
static KernelValue lanes_of_vector (KernelLowerer *l, const CExpr *expr, KernelValue vector) {
  KernelPlace place;
  if (!kernel_denotes_object (l, expr) || !rsp_kernel_place (l, expr, &place))
    place = rsp_kernel_stored (l, vector, expr->span);
  return lanes_at (l, place, expr->span);
}

static gboolean place_element (KernelLowerer *l, const CExpr *expr, KernelPlace *place) {
  const gboolean takes_address = l->takes_address,
                 in_object = expr->a->kind != C_NAME && kernel_denotes_object (l, expr->a);
  KernelPlace array = { .type = &kernel_void };
  l->takes_address = FALSE;
  if (place_constant_element (l, expr, place))
    return TRUE;
  if (in_object && !rsp_kernel_place (l, expr->a, &array))
    return FALSE;
  KernelValue pointer = array.type->kind == C_VECTOR ? lanes_at (l, array, expr->a->span)
                        : in_object                  ? rsp_kernel_load (l, array, expr->a->span)
                                                     : rsp_kernel_value (l, expr->a);
  KernelValue index = rsp_kernel_value (l, expr->b);
  l->takes_address = takes_address;
  if (array.type->kind == C_ARRAY)
    index = bounded (l, expr, index, kernel_array_length (l, array.type, expr->span));
  l->takes_address = FALSE;
  if (pointer.type->kind == C_VECTOR)
    pointer = lanes_of_vector (l, expr->a, pointer);
  if (pointer.type->kind != C_POINTER && index.type->kind == C_POINTER) {
    KernelValue other = pointer;
    pointer = index;
    index = other;
  }
  if (!place_pointed (l, pointer, expr->span, place))
    return FALSE;
  place->address = rsp_kernel_offset (l, expr->span, pointer, index, RSP_OP_ADD).cells[0];
  return TRUE;
}

/* ---- Alignment ---- */
/* The greatest power of two that divides the expression (at most 2^31), as far as its form says. */
static guint64 divisor_of (const RspExpr *expr) {
  const guint64 most = G_GUINT64_CONSTANT (1) << 31, number = (guint64) expr->u.constant;
  switch (expr->kind) {
  case RSP_EXPR_CONSTANT:
    return number ? MIN (number & -number, most) : most;
  case RSP_EXPR_LOCATION:
  case RSP_EXPR_ADDRESS:
    return most;
  case RSP_EXPR_CAST:
    return divisor_of (expr->u.node.a);
  case RSP_EXPR_BINARY:
    if (expr->u.node.op == RSP_OP_ADD)
      return MIN (divisor_of (expr->u.node.a), divisor_of (expr->u.node.b));
    if (expr->u.node.op == RSP_OP_MUL)
      return MIN (divisor_of (expr->u.node.a) * divisor_of (expr->u.node.b), most);
    return 1;
  default:
    return 1;
  }
}

/* May the address be one that is not a multiple of so many bytes? Without units, only one of an
 * object whose cells have the size of the first one there, at a constant index. */
static gboolean may_be_odd (const KernelLowerer *l, const RspExpr *address, guint64 size,
                            guint64 bytes) {
  guint object = G_MAXUINT;
  gint64 cell;
  if (l->kernel->unit)
    return divisor_of (address) < bytes / l->kernel->unit;
  if (bytes <= size || !kernel_fixed_address (address, &object, &cell) || object == G_MAXUINT
      || cell < 0)
    return FALSE;
  for (gint64 i = object; i <= object + cell && i < l->locations->len; i++)
    if (g_array_index (l->locations, RspLocation, i).type.bits != 8 * size)
      return FALSE;
  return (guint64) cell * size % bytes != 0;
}

void rsp_kernel_check_aligned (KernelLowerer *l, KernelPlace *place, guint64 bytes, RspSpan span) {
  const CType *leaf = rsp_kernel_leaf (l, place->type, 0);
  const guint64 size = rsp_kernel_size_of (l, leaf, span);
  if (!bytes)
    bytes = l->options->front ? size : MIN (size, kernel_alignment_of (l, place->type));
  if (bytes < l->kernel->unit)
    rsp_kernel_want_unit (l, (guint) bytes);
  if (leaf->kind == C_POINTER || leaf->kind == C_OPAQUE || leaf->is_atomic || place->in_registers
      || l->options->lenient || l->at_end || l->in_annotation || l->in_sizeof
      || !may_be_odd (l, place->address, size, bytes))
    return;
  *place = rsp_kernel_reuse (l, *place);
  const guint64 cells = bytes / (l->kernel->unit ? l->kernel->unit : size);
  RspExpr *number
      = rsp_kernel_node (l, span, RSP_EXPR_CAST, RSP_OP_NONE, &kernel_size, place->address, NULL);
  number = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_AND, &kernel_size, number,
                            rsp_kernel_constant (l, span, (gint64) cells - 1, &kernel_size));
  rsp_kernel_assert (
      l, span,
      rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_EQ, &kernel_int, number,
                       rsp_kernel_constant (l, span, 0, &kernel_size)),
      rsp_arena_printf (l->arena, "access through an address that is not a multiple of %u bytes",
                        (guint) bytes));
}

/* ---- All kinds ---- */
gboolean kernel_denotes_object (const KernelLowerer *l, const CExpr *expr) {
  const KernelBinding *binding;
  switch (expr->kind) {
  case C_NAME:
    binding = rsp_kernel_find_name (l, expr->name);
    return binding && !binding->by_value;
  case C_MEMBER:
    return kernel_denotes_object (l, expr->a);
  default:
    return expr->kind == C_INDEX || expr->kind == C_DEREF || expr->kind == C_STRING;
  }
}

gboolean rsp_kernel_place (KernelLowerer *l, const CExpr *expr, KernelPlace *place) {
  *place = (KernelPlace){ .type = &kernel_int };
  const KernelBinding *binding;
  const gboolean takes_address = l->takes_address;
  switch (expr->kind) {
  case C_NAME:
    binding = rsp_kernel_find_name (l, expr->name);
    if (!binding) {
      for (guint i = 0; i < l->unit->functions.n; i++)
        if (strcmp (((const CFunction *) l->unit->functions.items[i])->name, expr->name) == 0)
          rsp_kernel_refuse (l, expr->span, "call the function by its name", "the address of `%s`",
                             expr->name);
      g_autoptr (GPtrArray) names = g_ptr_array_new ();
      for (guint i = 0; i < l->bindings->len; i++)
        g_ptr_array_add (names, (gpointer) g_array_index (l->bindings, KernelBinding, i).name);
      g_ptr_array_add (names, NULL);
      g_autofree char *hint = rsp_did_you_mean (expr->name, (const char *const *) names->pdata);
      if (!l->gave_up)
        kernel_error (l, expr->span, hint ? hint : "is it a macro that -D should define?",
                      "`%s` is not declared", expr->name);
      l->gave_up = TRUE;
    } else if (binding->by_value)
      rsp_kernel_refuse (l, expr->span, NULL, "an assignment to the parameter `%s`", expr->name);
    else
      *place = binding->place;
    return binding && !binding->by_value;
  case C_MEMBER:
    return place_member (l, expr, place);
  case C_INDEX:
  case C_DEREF:
    if (expr->kind == C_INDEX
            ? !place_element (l, expr, place)
            : !place_pointed (l, rsp_kernel_value (l, expr->a), expr->span, place))
      return FALSE;
    if (!takes_address)
      rsp_kernel_check_aligned (l, place, 0, expr->span);
    return TRUE;
  case C_STRING:
    *place = rsp_kernel_string (l, expr);
    return TRUE;
  default:
    if (!l->gave_up)
      kernel_error (l, expr->span, NULL,
                    "this is not an object: it has no address and cannot be assigned to");
    return FALSE;
  }
}

/* ---- Initialisers --------------------------------------------------------------------------- */

/* Braces, designators, omitted braces, strings, and cells that are not given (C11, 6.7.9). */

typedef struct Filler {
  KernelLowerer *l;
  KernelPlace whole;
  gboolean *given; /* per cell; NULL: nothing is filled, only counted */
} Filler;

/* The next items in braces. */
typedef struct Items {
  const CExpr *braces;
  guint next;
  const CExpr *rest; /* of the next item: what it gives within the part that it names; NULL: the
                        whole item */
} Items;

static KernelPlace part_of (const Filler *f, const CType *type, guint cell, RspSpan span) {
  KernelPlace place = f->whole;
  cell = rsp_kernel_unit_at (f->l, place.type, cell);
  place.type = type;
  place.base += cell;
  if (!place.in_registers)
    place.address = rsp_kernel_step (f->l, span, place.address, cell);
  return place;
}

static void store_value (Filler *f, const CType *type, guint cell, KernelValue value,
                         RspSpan span) {
  value = rsp_kernel_to_type (f->l, value, type, span);
  for (guint i = 0; i < value.n; i++)
    f->given[cell + i] = TRUE;
  rsp_kernel_store (f->l, part_of (f, type, cell, span), value, span);
}

/* ---- Parts ---- */
/* Is it the member of that name, or an unnamed one that has such a member? */
static gboolean has_name (Filler *f, const CVariable *member, const char *name) {
  guint first;
  guint64 offset;
  return member->name
             ? strcmp (member->name, name) == 0
             : member->type->kind == C_STRUCT
                   && rsp_kernel_member (f->l, member->type->record, name, &first, &offset);
}

/* The part of an aggregate that comes at `index`, or that a designator names. */
static const CType *find_part (Filler *f, const CType *type, const CExpr *item, guint *index,
                               guint *cell) {
  const gboolean is_designated = item->kind == C_DESIGNATED;
  gint64 number;
  if (is_designated && (item->name != NULL) != (type->kind == C_STRUCT))
    return NULL; /* `.x` is a member's, `[1]` an element's */
  if (type->kind == C_STRUCT) {
    /* The member that a designator names (perhaps inside an unnamed one), or that comes at `index`.
     */
    const LitmusList members = type->record->members;
    const char *name = is_designated ? item->name : NULL;
    if (name)
      *index = 0;
    while (name && *index < members.n && !has_name (f, members.items[*index], name))
      ++*index;
    if (*index >= (type->record->is_union && !name ? MIN (1, members.n) : members.n))
      return NULL;
    for (guint i = 0; i < *index && !type->record->is_union; i++)
      *cell += rsp_kernel_cells (f->l, ((const CVariable *) members.items[i])->type, item->span);
    return ((const CVariable *) members.items[*index])->type;
  }
  if (rsp_kernel_is_scalar (type))
    return NULL;
  if (is_designated)
    *index = rsp_kernel_evaluate (f->l, item->a, &number) && number >= 0 && number < G_MAXINT
                 ? (guint) number
                 : G_MAXINT;
  gboolean open = type->kind == C_ARRAY && !type->size && !f->given;
  if (!open && *index >= kernel_n_elements (f->l, type, item->span))
    return NULL;
  *cell += *index * rsp_kernel_cells (f->l, type->to, item->span);
  return type->to;
}

/* ---- Values ---- */
static gboolean is_characters (const CType *type) {
  return type->kind == C_ARRAY && type->to->kind == C_INTEGER && type->to->bits == 8;
}

/* Does the item initialise the whole part, rather than its first element? Scalars are widened to
 * vectors. */
static gboolean takes_whole (Filler *f, const CType *part, const CExpr *item) {
  if (rsp_kernel_is_scalar (part) || part->kind == C_VECTOR || item->kind == C_BRACES)
    return TRUE;
  if (part->kind == C_ARRAY)
    return item->kind == C_STRING && is_characters (part);
  return rsp_kernel_type_of (f->l, item)->kind == part->kind;
}

static void fill (Filler *f, const CType *type, guint cell, const CExpr *initial);

/* What an item gives to part `index` of the aggregate: a value, or a designator of something in
 * that part. */
static const CExpr *value_of (const CType *type, guint index, const CExpr *item) {
  if (item->kind != C_DESIGNATED)
    return item;
  gboolean is_in_unnamed
      = item->name && !((const CVariable *) type->record->members.items[index])->name;
  return is_in_unnamed ? item : item->b;
}

/* Fills an aggregate with the next items; own: with all in the braces, which are its own. Returns
 * how many parts that takes. */
static guint fill_parts (Filler *f, const CType *type, guint cell, Items *items, gboolean own) {
  const LitmusList all = items->braces->args;
  guint most = 0;
  for (guint index = 0; items->next < all.n; index++) {
    const CExpr *item = items->rest ? items->rest : all.items[items->next];
    guint at = cell;
    if (!own && !items->rest && item->kind == C_DESIGNATED)
      break;
    const CType *part = find_part (f, type, item, &index, &at);
    if (!part && !own && !items->rest)
      break;
    if (!part) {
      if (f->given && !f->l->gave_up)
        kernel_error (f->l, item->span, NULL,
                      "found an initialiser for which there is no member or element");
      items->next = all.n;
      break;
    }
    most = MAX (most, index + 1);
    const CExpr *value = value_of (type, index, item);
    items->rest = NULL;
    if (value->kind == C_DESIGNATED || !takes_whole (f, part, value)) {
      items->rest = value;
      fill_parts (f, part, at, items, FALSE);
      continue;
    }
    if (f->given)
      fill (f, part, at, value);
    items->next++;
  }
  items->rest = NULL;
  return most;
}

static void fill (Filler *f, const CType *type, guint cell, const CExpr *initial) {
  KernelLowerer *l = f->l;
  if (initial->kind == C_BRACES && !rsp_kernel_is_scalar (type)) {
    Items items = { .braces = initial };
    fill_parts (f, type, cell, &items, TRUE);
    return;
  }
  if (initial->kind == C_BRACES && initial->args.n)
    initial = initial->args.items[0];
  if (initial->kind == C_STRING && is_characters (type)) {
    g_autoptr (GString) given = rsp_litmus_characters (initial->name);
    const guint n = kernel_n_elements (f->l, type, initial->span);
    for (guint i = 0; i < n; i++) {
      gint64 character = i < given->len ? (gchar) given->str[i] : 0;
      store_value (f, type->to, cell + i,
                   rsp_kernel_number (f->l, initial->span, character, type->to), initial->span);
    }
  } else if (type->kind == C_ARRAY)
    rsp_kernel_refuse (l, initial->span, "write its elements in braces",
                       "an array that is initialised with one value");
  else
    store_value (f, type, cell, rsp_kernel_value (l, initial), initial->span);
}

/* ---- The whole ---- */
const CType *rsp_kernel_completed (KernelLowerer *l, const CVariable *variable) {
  const CType *type = variable->type;
  const CExpr *initial = variable->initial;
  if (type->kind != C_ARRAY || type->size || !initial
      || (initial->kind != C_BRACES && initial->kind != C_STRING))
    return type;
  /* As many elements as the initialiser gives. */
  Filler counter = { .l = l };
  Items items = { .braces = initial };
  if (initial->kind != C_STRING)
    return rsp_kernel_array_of (l->arena, type->to, fill_parts (&counter, type, 0, &items, TRUE));
  g_autoptr (GString) given = rsp_litmus_characters (initial->name);
  return rsp_kernel_array_of (l->arena, type->to, (guint) given->len + 1);
}

void rsp_kernel_initialise (KernelLowerer *l, KernelPlace place, const CExpr *initial) {
  guint n = rsp_kernel_cells (l, place.type, initial->span);
  g_autofree gboolean *given = g_new0 (gboolean, n + 1);
  Filler f = { .l = l, .whole = place, .given = given };
  if (l->kernel->unit && initial->kind == C_BRACES) { /* the cells of unions overlap */
    rsp_kernel_store (l, place, rsp_kernel_dummy (l, initial->span, place.type), initial->span);
    memset (given, TRUE, n * sizeof *given);
  }
  fill (&f, place.type, 0, initial);
  for (guint i = 0; i < n && initial->kind == C_BRACES; i++)
    if (!given[i]) {
      const CType *leaf = rsp_kernel_leaf (l, place.type, i);
      rsp_kernel_store (l, part_of (&f, leaf, i, initial->span),
                        rsp_kernel_dummy (l, initial->span, leaf), initial->span);
    }
}
