/* Variables, pointers and accesses. */
#include "extra/spirv/internal.h"

#include <spirv/unified1/NonSemanticClspvReflection.h>
#include <string.h>

#define TAG(id) RSP_TAG_BIT (id)

/* ---- Built-in variables --------------------------------------------------------------------- */

static void split (guint number, const guint *sizes, gint64 *positions) {
  for (guint d = 0; d < RSP_GRID_DIMENSIONS; d++) {
    positions[d] = number % sizes[d];
    number /= sizes[d];
  }
}

/* What all work-items find in dimension d of a built-in variable; FALSE: it is not supported, or
 * they differ. */
static gboolean find_size (const RspGrid *grid, SpvBuiltIn which, guint d, gint64 *number) {
  switch (which) {
  case SpvBuiltInNumWorkgroups:
    *number = grid->group_sizes[d];
    return TRUE;
  case SpvBuiltInWorkgroupSize:
  case SpvBuiltInEnqueuedWorkgroupSize:
    *number = grid->item_sizes[d];
    return TRUE;
  case SpvBuiltInGlobalSize:
    *number = (gint64) grid->item_sizes[d] * grid->group_sizes[d];
    return TRUE;
  case SpvBuiltInGlobalOffset:
    *number = grid->offsets[d];
    return TRUE;
  case SpvBuiltInWorkDim:
    *number = MAX (1, grid->dimensions);
    return TRUE;
  case SpvBuiltInSubgroupSize:
  case SpvBuiltInSubgroupMaxSize:
    *number = grid->items;
    return TRUE;
  case SpvBuiltInNumSubgroups:
  case SpvBuiltInNumEnqueuedSubgroups:
    *number = grid->sub_groups;
    return TRUE;
  default:
    *number = 0;
    return which == SpvBuiltInDeviceIndex || which == SpvBuiltInViewIndex;
  }
}

/* The numbers of a built-in variable in the work-item; FALSE: it is not supported. own: do
 * work-items differ in it? */
static gboolean find_built_in (const KernelLowerer *l, SpvBuiltIn which, gint64 *numbers,
                               gboolean *own) {
  const RspGrid *grid = &l->options->grid;
  gint64 items[RSP_GRID_DIMENSIONS], groups[RSP_GRID_DIMENSIONS];
  split (l->item, grid->item_sizes, items);
  split (l->group, grid->group_sizes, groups);
  *own = TRUE;
  for (guint d = 0; d < RSP_GRID_DIMENSIONS; d++)
    switch (which) {
    case SpvBuiltInGlobalInvocationId:
      numbers[d] = grid->offsets[d] + groups[d] * grid->item_sizes[d] + items[d];
      break;
    case SpvBuiltInLocalInvocationId:
      numbers[d] = items[d];
      break;
    case SpvBuiltInWorkgroupId:
      numbers[d] = groups[d];
      break;
    case SpvBuiltInLocalInvocationIndex:
      numbers[d] = l->item;
      break;
    case SpvBuiltInGlobalLinearId:
      numbers[d] = (gint64) l->group * grid->sub_groups * grid->items + l->item;
      break;
    case SpvBuiltInSubgroupId:
      numbers[d] = l->item / grid->items;
      break;
    case SpvBuiltInSubgroupLocalInvocationId:
      numbers[d] = l->item % grid->items;
      break;
    default:
      *own = FALSE;
      if (!find_size (grid, which, d, &numbers[d]))
        return FALSE;
    }
  return TRUE;
}

static SpirvValue built_in (SpirvLowerer *s, const SpirvInstruction *at, guint32 to) {
  const SpirvInstruction *which
      = spirv_decoration (s->module, at->result, -1, SpvDecorationBuiltIn);
  gint64 numbers[RSP_GRID_DIMENSIONS];
  gboolean own;
  SpirvValue result = { .kind = SPIRV_CONTENT,
                        .to = to,
                        .storage = SpvStorageClassInput,
                        .value = rsp_kernel_dummy (s->l, at->span, spirv_type (s->front, to)) };
  if (!which && at->n > 4) { /* no earlier stage gives it another value */
    result.value = spirv_value (s, at->words[4], at->span);
    return result;
  }
  if (!which || !find_built_in (s->l, which->words[3], numbers, &own)) {
    spirv_refuse (s, at, "of a built-in variable that compute shaders and kernels do not have");
    return result;
  }
  for (guint i = 0; i < result.value.n; i++) {
    const CType *type = rsp_kernel_leaf (s->l, result.value.type, i);
    const gint64 number = i < RSP_GRID_DIMENSIONS ? numbers[i] : 0;
    result.value.cells[i]
        = rsp_kernel_constant (s->l, at->span, rsp_kernel_wrap (number, type), type);
    if (own)
      g_string_append_printf (s->l->identity, "%u %u %" G_GINT64_FORMAT ";", which->words[3], i,
                              number);
  }
  return result;
}

/* ---- Push constants ------------------------------------------------------------------------- */

/* clspv says in extended instructions which bytes of the push constants are about the grid. */

static const struct {
  guint32 number;
  gint which; /* SpvBuiltIn; -1: 0 */
} reflected[] = {
  { NonSemanticClspvReflectionPushConstantGlobalOffset, SpvBuiltInGlobalOffset },
  { NonSemanticClspvReflectionPushConstantEnqueuedLocalSize, SpvBuiltInEnqueuedWorkgroupSize },
  { NonSemanticClspvReflectionPushConstantGlobalSize, SpvBuiltInGlobalSize },
  { NonSemanticClspvReflectionPushConstantRegionOffset, -1 },
  { NonSemanticClspvReflectionPushConstantNumWorkgroups, SpvBuiltInNumWorkgroups },
  { NonSemanticClspvReflectionPushConstantRegionGroupOffset, -1 },
};

/* The number in these bytes of the push constants; FALSE: they are not about the grid. */
static gboolean find_reflected (const SpirvLowerer *s, guint64 byte, gint64 *number) {
  for (guint i = 0; i < s->module->n; i++) {
    const SpirvInstruction *at = &s->module->instructions[i];
    const guint32 kind = spirv_reflection (s->module, at);
    gint64 offset = 0, size = 0;
    for (gsize k = 0; k < G_N_ELEMENTS (reflected); k++)
      if (reflected[k].number == kind && spirv_literal (s->module, at->words[5], &offset)
          && spirv_literal (s->module, at->words[6], &size) && (gint64) byte >= offset
          && (gint64) byte < offset + size) {
        const guint d = (guint) (byte - (guint64) offset) / 4;
        *number = 0;
        if (reflected[k].which >= 0 && d < RSP_GRID_DIMENSIONS)
          find_size (&s->l->options->grid, reflected[k].which, d, number);
        return TRUE;
      }
  }
  return FALSE;
}

/* Makes the variable, push constants, its values, of which some are the grid's, if any is. */
static void take_grid (SpirvLowerer *s, const SpirvInstruction *at, SpirvValue *own) {
  const SpirvInstruction *type = spirv_definition (s->module, own->to);
  KernelValue value = rsp_kernel_load (s->l, own->place, at->span);
  guint first = 0;
  for (guint m = 0; type->opcode == SpvOpTypeStruct && m + 2 < type->n; m++) {
    const SpirvInstruction *offset
        = spirv_decoration (s->module, own->to, (int) m, SpvDecorationOffset);
    const CType *member = spirv_type (s->front, type->words[2 + m]);
    const guint n = rsp_kernel_cells (s->l, member, at->span);
    for (guint i = 0; offset && i < n && first + i < value.n; i++) {
      const CType *leaf = rsp_kernel_leaf (s->l, member, i);
      const guint64 byte = offset->words[4] + i * rsp_kernel_size_of (s->l, leaf, at->span);
      gint64 number;
      if (!find_reflected (s, byte, &number))
        continue;
      value.cells[first + i]
          = rsp_kernel_constant (s->l, at->span, rsp_kernel_wrap (number, leaf), leaf);
      own->kind = SPIRV_CONTENT;
      own->value = value;
    }
    first += n;
  }
}

/* ---- Variables ------------------------------------------------------------------------------ */

static gboolean is_coherent (const SpirvModule *module, guint32 id, int member) {
  return spirv_decoration (module, id, member, SpvDecorationCoherent)
         || spirv_decoration (module, id, member, SpvDecorationVolatile);
}

/* A variable of this work-item alone. */
static SpirvValue private_variable (SpirvLowerer *s, const SpirvInstruction *at, guint32 to) {
  KernelLowerer *l = s->l;
  const CType *type = spirv_type (s->front, to);
  const gboolean initial = at->n > 4;
  SpirvValue own = { .kind = SPIRV_PLACE, .to = to, .storage = at->words[3] };
  const guint first = rsp_kernel_add_variable (l, s->module->names[at->result], type,
                                               !l->options->lenient && !initial, TRUE, at->span);
  own.place = rsp_kernel_registers (type, first);
  if (initial)
    rsp_kernel_store (l, own.place, spirv_value (s, at->words[4], at->span), at->span);
  else if (l->options->lenient && l->kernel->has_question)
    rsp_kernel_store (l, own.place, spirv_undefined (s, at, type), at->span);
  else if (!l->options->lenient)
    for (guint i = first; i < l->registers->len; i++)
      rsp_kernel_emit (l, RSP_STATEMENT_DECLARATION, at->span)->reg = i;
  return own;
}

/* Gives an object of the work-group the values of `@Input`. */
static void set_local (SpirvLowerer *s, guint32 id, guint32 to, KernelPlace place) {
  const SpirvInput *input = g_hash_table_lookup (s->front->inputs, GUINT_TO_POINTER (id));
  if (!input)
    return;
  g_autofree char *text = spirv_cells (s->module, to, input);
  if (text)
    rsp_kernel_set_local (s->l, s->front->variables[id], place, text);
  else
    spirv_refuse (s, spirv_definition (s->module, id), "with so many initial values");
}

SpirvValue spirv_variable (SpirvLowerer *s, guint32 id) {
  const SpirvInstruction *at = spirv_definition (s->module, id),
                         *type = spirv_definition (s->module, at->type);
  const guint32 to = type->words[3];
  SpirvValue own = { .kind = SPIRV_PLACE,
                     .to = to,
                     .storage = at->words[3],
                     .coherent = is_coherent (s->module, id, -1) };
  const CVariable *parameter = s->front->variables[id];
  switch (own.storage) {
  case SpvStorageClassInput:
    return built_in (s, at, to);
  case SpvStorageClassPrivate:
  case SpvStorageClassFunction:
    return private_variable (s, at, to);
  case SpvStorageClassWorkgroup:
    own.place = rsp_kernel_local_object (s->l, spirv_local (s->front, at));
    set_local (s, id, to, own.place);
    return own;
  default:
    break;
  }
  if (!parameter) {
    spirv_refuse (s, at, "of this storage class");
    return own;
  }
  if (s->front->extents[to].common
      && (own.storage == SpvStorageClassPushConstant
          || g_hash_table_contains (s->front->inputs, GUINT_TO_POINTER (id))))
    spirv_refuse (s, at, "with initial values for members that overlap");
  if (at->n > 4 && spirv_definition (s->module, to)->opcode == SpvOpTypePointer
      && spirv_definition (s->module, at->words[4])->opcode != SpvOpConstantNull)
    spirv_refuse (s, at, "with an address as its initial value");
  const KernelValue value = rsp_kernel_argument (s->l, parameter);
  if (parameter->type->kind == C_OPAQUE) {
    own.kind = SPIRV_CONTENT;
    own.value = value;
  } else
    own.place = (KernelPlace){ .type = spirv_type (s->front, to),
                               .address = value.n ? value.cells[0] : NULL };
  if (own.storage == SpvStorageClassPushConstant && own.place.address)
    take_grid (s, at, &own);
  return own;
}

/* ---- Access chains -------------------------------------------------------------------------- */

/* The units (or cells) before a member, and its type. */
static guint32 member_at (SpirvLowerer *s, const SpirvInstruction *record, guint member,
                          gboolean in_cells, guint *units) {
  const CStruct *own = spirv_type (s->front, record->result)->record;
  const guint unit = in_cells ? 0 : s->l->kernel->unit;
  *units = unit ? (guint) (rsp_kernel_member_offset (s->l, own, own->members.items[member]) / unit)
                : 0;
  for (guint i = 0; i < member && !unit; i++)
    *units
        += rsp_kernel_cells (s->l, ((const CVariable *) own->members.items[i])->type, RSP_NOWHERE);
  return record->words[2 + member];
}

/* Moves the place by index × units. */
static void move_place (SpirvLowerer *s, SpirvValue *own, RspExpr *index, guint units,
                        RspSpan span) {
  KernelLowerer *l = s->l;
  if (index->kind == RSP_EXPR_CONSTANT) {
    const gint64 number = rsp_wrap (index->u.constant, index->type.bits, TRUE);
    const gint64 by = (gint64) ((guint64) number * units);
    const RspRegister *first
        = own->place.in_registers ? rsp_kernel_register_of (l, span, &own->place.base) : NULL;
    const gint64 room = first ? first->n_elements - first->element : 0;
    if (number >= 0 && number < room && by < room) {
      own->place.base += (guint) by;
      return;
    }
    own->place.address = rsp_kernel_step (l, span, rsp_kernel_address (l, own->place, span), by);
  } else {
    RspExpr *base = rsp_kernel_address (l, own->place, span),
            *wide
            = rsp_kernel_node (l, span, RSP_EXPR_CAST, RSP_OP_NONE, &kernel_long, index, NULL);
    if (units > 1)
      wide = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_MUL, &kernel_long, wide,
                              rsp_kernel_constant (l, span, units, &kernel_long));
    RspExpr *moved
        = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_ADD, &kernel_long, base, wide);
    moved->type = base->type;
    own->place.address = moved;
  }
  own->place.in_registers = FALSE;
}

/* Takes a part of a constant value; an index that is not constant chooses one. */
static void take_part (SpirvLowerer *s, SpirvValue *own, RspExpr *index, guint32 to, guint first,
                       RspSpan span) {
  const CType *type = spirv_type (s->front, to);
  const guint n = rsp_kernel_cells (s->l, type, span), all = own->value.n / MAX (1, n);
  KernelValue part = rsp_kernel_cells_value (s->l, type, n);
  for (guint i = 0; i < n; i++)
    if (index->kind == RSP_EXPR_CONSTANT)
      part.cells[i] = own->value.cells[MIN (first + i, own->value.n - 1)];
    else {
      part.cells[i] = own->value.cells[i];
      for (guint k = 1; k < all; k++) {
        RspExpr *is_this
            = rsp_kernel_node (s->l, span, RSP_EXPR_BINARY, RSP_OP_EQ, &kernel_int, index,
                               rsp_kernel_constant (s->l, span, k, &kernel_int));
        part.cells[i]
            = rsp_kernel_conditional (s->l, span, rsp_kernel_leaf (s->l, type, i), is_this,
                                      own->value.cells[k * n + i], part.cells[i]);
      }
    }
  own->value = part;
}

/* Has the type scalars of several sizes? */
static gboolean is_mixed (SpirvLowerer *s, const CType *type) {
  const guint n = rsp_kernel_cells (s->l, type, RSP_NOWHERE);
  for (guint i = 1; i < n; i++)
    if (rsp_kernel_size_of (s->l, rsp_kernel_leaf (s->l, type, i), RSP_NOWHERE)
        != rsp_kernel_size_of (s->l, rsp_kernel_leaf (s->l, type, 0), RSP_NOWHERE))
      return TRUE;
  return FALSE;
}

/* An array may end although the object around it goes on: an access to the element checks that. */
static void stay_within (SpirvLowerer *s, SpirvValue *own, RspExpr *index, guint32 array,
                         RspSpan span) {
  KernelLowerer *l = s->l;
  const guint n = rsp_kernel_cells (l, spirv_type (s->front, array), span)
                  / MAX (1, rsp_kernel_cells (l, spirv_type (s->front, array)->to, span));
  RspExpr *wide = rsp_kernel_node (l, span, RSP_EXPR_CAST, RSP_OP_NONE, &kernel_size, index, NULL);
  if (index->kind == RSP_EXPR_CONSTANT)
    wide = rsp_kernel_constant (l, span, index->u.constant, &kernel_size);
  RspExpr *within = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_LT, &kernel_int, wide,
                                     rsp_kernel_constant (l, span, n, &kernel_size));
  if (l->options->lenient || (within->kind == RSP_EXPR_CONSTANT && within->u.constant))
    return;
  own->within = own->within ? rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_AND, &kernel_int,
                                               own->within, within)
                            : within;
  own->outside = rsp_arena_printf (l->arena,
                                   "access to an element outside of an array in '%s', which has %u",
                                   s->module->names[own->base], n);
}

/* Follows one index of a chain; FALSE: the type does not have it. */
static gboolean enter (SpirvLowerer *s, SpirvValue *own, const SpirvInstruction *at, guint32 id,
                       gboolean is_first) {
  const SpirvInstruction *type = spirv_definition (s->module, own->to);
  RspExpr *index = spirv_scalar (s, id, at->span);
  const gboolean in_cells = own->kind == SPIRV_CONTENT;
  guint units = 0;
  guint32 to;
  if (type->opcode == SpvOpTypeStruct) {
    if (index->kind != RSP_EXPR_CONSTANT || index->u.constant < 0
        || index->u.constant >= type->n - 2)
      return FALSE;
    const guint member = (guint) index->u.constant;
    own->coherent |= is_coherent (s->module, own->to, (int) member);
    own->inside |= is_mixed (s, spirv_type (s->front, own->to));
    to = member_at (s, type, member, in_cells, &units);
    index = rsp_kernel_constant (s->l, at->span, 1, &kernel_long);
  } else {
    if (type->opcode != SpvOpTypeArray && type->opcode != SpvOpTypeRuntimeArray
        && type->opcode != SpvOpTypeVector && type->opcode != SpvOpTypeMatrix)
      return FALSE;
    to = type->words[2];
    if (own->kind == SPIRV_PLACE && type->opcode == SpvOpTypeArray && !is_first)
      stay_within (s, own, index, own->to, at->span);
    const CType *element = spirv_type (s->front, own->to)->to;
    const guint size = (guint) rsp_kernel_size_of (s->l, element, at->span);
    units = in_cells ? rsp_kernel_cells (s->l, element, at->span)
                     : rsp_kernel_units (s->l, element, at->span);
    if (!in_cells && s->l->kernel->unit && size % s->l->kernel->unit)
      rsp_kernel_want_unit (s->l, size & -size);
  }
  if (own->kind == SPIRV_CONTENT)
    take_part (s, own, index, to,
               index->kind == RSP_EXPR_CONSTANT ? (guint) index->u.constant * units : 0, at->span);
  else {
    move_place (s, own, index, units, at->span);
    own->place.type = spirv_type (s->front, to);
  }
  own->to = to;
  return TRUE;
}

/* first: the word of the first index. */
static void chain (SpirvLowerer *s, const SpirvInstruction *at, guint first) {
  SpirvValue own = spirv_known (s, at->words[3], at->span);
  if (own.kind != SPIRV_CONTENT
      && (own.kind != SPIRV_PLACE || !own.place.type
          || (!own.place.in_registers && !own.place.address))) {
    spirv_refuse (s, at, "of a value that is not a pointer");
    return;
  }
  if (first == 5 && own.kind == SPIRV_PLACE) {
    RspExpr *element = spirv_scalar (s, at->words[4], at->span);
    const guint32 pointer = spirv_definition (s->module, at->words[3])->type,
                  stride = spirv_stride (s->module, pointer);
    const guint64 size
        = rsp_kernel_size_of (s->l, rsp_kernel_leaf (s->l, own.place.type, 0), at->span);
    if (stride)
      rsp_kernel_want_unit (s->l, stride % 4 ? 1 : 4);
    else if (size < s->l->kernel->unit) /* an address within a unit */
      rsp_kernel_want_unit (s->l, (guint) size);
    else if (own.inside && (element->kind != RSP_EXPR_CONSTANT || element->u.constant))
      rsp_kernel_want_unit (s->l, 8); /* it may leave its member */
    move_place (s, &own, element,
                stride ? stride / MAX (1, s->l->kernel->unit)
                       : rsp_kernel_units (s->l, own.place.type, at->span),
                at->span);
  }
  const gboolean whole = spirv_definition (s->module, at->words[3])->opcode == SpvOpVariable;
  if (whole)
    own.base = at->words[3];
  for (guint i = first; i < at->n && !s->l->gave_up; i++)
    if (!enter (s, &own, at, at->words[i], whole && i == 4))
      spirv_refuse (s, at, "with an index that its type does not have");
  s->values[at->result] = own;
}

/* The same address, as a pointer to another type or into another storage class. */
static void cast_pointer (SpirvLowerer *s, const SpirvInstruction *at) {
  SpirvValue own = spirv_known (s, at->words[3], at->span);
  const SpirvInstruction *type = spirv_definition (s->module, at->type);
  if (own.kind != SPIRV_PLACE || type->opcode != SpvOpTypePointer) {
    spirv_refuse (s, at, "of a pointer");
    return;
  }
  if (at->opcode == SpvOpGenericCastToPtrExplicit && own.storage != at->words[4]) {
    if (own.storage == SpvStorageClassGeneric)
      spirv_refuse (s, at, "of a pointer whose storage class is only known when it runs");
    spirv_set (s, at, rsp_kernel_dummy (s->l, at->span, spirv_type (s->front, at->type)));
    return;
  }
  if (!s->module->used[at->result]) { /* it is only copied: what it pointed to before counts */
    s->values[at->result] = own;
    return;
  }
  const CType *to = spirv_type (s->front, type->words[3]);
  if (own.to != type->words[3]) { /* else it may stay in registers */
    if (is_mixed (s, own.place.type) || is_mixed (s, to)
        || rsp_kernel_size_of (s->l, rsp_kernel_leaf (s->l, own.place.type, 0), at->span)
               != rsp_kernel_size_of (s->l, rsp_kernel_leaf (s->l, to, 0), at->span))
      rsp_kernel_want_unit (s->l, 8);
    own.place
        = (KernelPlace){ .type = to, .address = rsp_kernel_address (s->l, own.place, at->span) };
  }
  own.to = type->words[3];
  if (type->words[2] != SpvStorageClassGeneric)
    own.storage = type->words[2];
  s->values[at->result] = own;
}

/* ---- Tags ----------------------------------------------------------------------------------- */

/* Vulkan's memory model, as parser/columns/vulkan.c has it. */

guint64 spirv_class_tag (SpvStorageClass storage) {
  switch (storage) {
  case SpvStorageClassWorkgroup:
    return TAG (SC1);
  case SpvStorageClassImage:
    return TAG (SC2);
  case SpvStorageClassCrossWorkgroup:
    return TAG (SC3);
  default:
    return TAG (SC0);
  }
}

guint64 spirv_semantics_tags (gint64 semantics) {
  static const struct {
    guint bit;
    guint64 tags;
  } bits[] = { { SpvMemorySemanticsAcquireMask, TAG (ACQ) },
               { SpvMemorySemanticsReleaseMask, TAG (REL) },
               { SpvMemorySemanticsAcquireReleaseMask, TAG (ACQ) | TAG (REL) },
               { SpvMemorySemanticsSequentiallyConsistentMask, TAG (ACQ) | TAG (REL) },
               { SpvMemorySemanticsUniformMemoryMask, TAG (SEMSC0) },
               { SpvMemorySemanticsWorkgroupMemoryMask, TAG (SEMSC1) },
               { SpvMemorySemanticsImageMemoryMask, TAG (SEMSC2) },
               { SpvMemorySemanticsCrossWorkgroupMemoryMask, TAG (SEMSC3) },
               { SpvMemorySemanticsMakeAvailableMask, TAG (SEMAV) },
               { SpvMemorySemanticsMakeVisibleMask, TAG (SEMVIS) } };
  guint64 tags = 0;
  for (gsize i = 0; i < G_N_ELEMENTS (bits); i++)
    if (semantics & bits[i].bit)
      tags |= bits[i].tags;
  return tags;
}

guint64 spirv_scope_tag (gint64 scope, RspLevel *reach) {
  static const struct {
    SpvScope scope;
    RspLevel reach;
    guint64 tag;
  } scopes[] = { { SpvScopeCrossDevice, RSP_LEVEL_DEVICE, TAG (DV) },
                 { SpvScopeDevice, RSP_LEVEL_DEVICE, TAG (DV) },
                 { SpvScopeQueueFamily, RSP_LEVEL_KERNEL, TAG (QF) },
                 { SpvScopeWorkgroup, RSP_LEVEL_WORK_GROUP, TAG (WG) },
                 { SpvScopeSubgroup, RSP_LEVEL_SUB_GROUP, TAG (SG) } };
  *reach = RSP_LEVEL_THREAD;
  for (gsize i = 0; i < G_N_ELEMENTS (scopes); i++)
    if (scopes[i].scope == scope) {
      *reach = scopes[i].reach;
      return scopes[i].tag;
    }
  return 0;
}

/* ---- Plain accesses ------------------------------------------------------------------------- */

/* Memory operands. */
typedef struct Operands {
  guint64 tags; /* without the storage class */
  RspLevel reach;
} Operands;

/* word: of the mask, if there is one. */
static Operands read_operands (SpirvLowerer *s, const SpirvInstruction *at, guint word,
                               const SpirvValue *pointer, gboolean writes) {
  const guint32 mask = word < at->n ? at->words[word] : 0;
  const gboolean vulkan = s->front->vulkan, local = pointer->storage == SpvStorageClassWorkgroup;
  Operands own = { 0, RSP_LEVEL_THREAD };
  gint64 scope;
  guint next = word + 1 + ((mask & SpvMemoryAccessAlignedMask) != 0);
  if (mask & SpvMemoryAccessNonPrivatePointerMask)
    own.tags |= TAG (NONPRIV);
  if (mask & SpvMemoryAccessMakePointerAvailableMask && next < at->n
      && spirv_constant (s, at, at->words[next], &scope)) {
    if (writes)
      own.tags |= TAG (NONPRIV) | TAG (AV) | spirv_scope_tag (scope, &own.reach);
    next++;
  }
  if (mask & SpvMemoryAccessMakePointerVisibleMask && next < at->n && !writes
      && spirv_constant (s, at, at->words[next], &scope))
    own.tags |= TAG (NONPRIV) | TAG (VIS) | spirv_scope_tag (scope, &own.reach);
  /* Without Vulkan's model, decorations say that, and it is always so for shared memory. */
  if (!vulkan && (pointer->coherent || local || mask & SpvMemoryAccessVolatileMask))
    own.tags |= TAG (NONPRIV) | (writes ? TAG (AV) : TAG (VIS))
                | spirv_scope_tag (local ? SpvScopeWorkgroup : SpvScopeDevice, &own.reach);
  return own;
}

RspExpr *spirv_call_expr (SpirvLowerer *s, RspSpan span, const RspCall *call, const CType *type) {
  RspExpr *expr = rsp_arena_new0 (s->l->arena, RspExpr, 1);
  expr->kind = RSP_EXPR_CALL;
  expr->span = span;
  expr->type = rsp_kernel_cell_type (type);
  expr->u.call = rsp_arena_copy (s->l->arena, call, sizeof *call);
  return expr;
}

gboolean spirv_is_tagged (const SpirvLowerer *s, const SpirvValue *pointer) {
  return s->tagged && pointer->kind == SPIRV_PLACE && pointer->storage != SpvStorageClassFunction
         && pointer->storage != SpvStorageClassPrivate
         && pointer->storage != SpvStorageClassPushConstant
         && pointer->storage != SpvStorageClassUniformConstant;
}

/* An access to a part of a cell. */
static RspCall plain_call (SpirvLowerer *s, const SpirvValue *pointer, guint cell, guint part,
                           Operands operands, RspSpan span) {
  const guint unit = rsp_kernel_unit_at (s->l, pointer->place.type, cell) + part;
  return (RspCall){ .kind = RSP_CALL_LOAD,
                    .plain = TRUE,
                    .tags = operands.tags | spirv_class_tag (pointer->storage),
                    .reach = operands.reach,
                    .object = rsp_kernel_step (s->l, span, pointer->place.address, unit) };
}

static KernelValue load (SpirvLowerer *s, SpirvValue pointer, Operands operands, RspSpan span) {
  KernelLowerer *l = s->l;
  if (pointer.kind == SPIRV_CONTENT)
    return pointer.value;
  if (pointer.place.type->kind == C_ARRAY) { /* rsp_kernel_load gives its address */
    const guint n = rsp_kernel_cells (l, pointer.place.type, span);
    KernelValue all = rsp_kernel_cells_value (l, pointer.place.type, n);
    const CType *element = pointer.place.type->to;
    const guint each = MAX (1, rsp_kernel_cells (l, element, span)),
                units = rsp_kernel_units (l, element, span);
    for (guint i = 0; i < n / each; i++) {
      SpirvValue own = pointer;
      own.place.type = element;
      if (own.place.in_registers)
        own.place.base += i * units;
      else
        own.place.address = rsp_kernel_step (l, span, own.place.address, (gint64) i * units);
      const KernelValue part = load (s, own, operands, span);
      for (guint k = 0; k < MIN (each, part.n); k++)
        all.cells[i * each + k] = part.cells[k];
    }
    return all;
  }
  if (!spirv_is_tagged (s, &pointer))
    return rsp_kernel_load (l, pointer.place, span);
  KernelValue value = rsp_kernel_dummy (l, span, pointer.place.type);
  pointer.place = rsp_kernel_reuse (l, pointer.place);
  for (guint i = 0; i < value.n; i++) {
    const CType *leaf = rsp_kernel_leaf (l, pointer.place.type, i);
    const guint n = rsp_kernel_n_parts (l, pointer.place, i);
    const CType *type = n > 1 ? rsp_kernel_unit_type (l) : leaf;
    KernelValue parts = rsp_kernel_cells_value (l, type, n);
    if (rsp_kernel_pads (l, pointer.place.type, i))
      continue;
    for (guint k = 0; k < n; k++) {
      const RspCall call = plain_call (s, &pointer, i, k, operands, span);
      parts.cells[k] = spirv_call_expr (s, span, &call, type);
    }
    value.cells[i] = n > 1 ? rsp_kernel_join_cells (l, span, parts, leaf, 0) : parts.cells[0];
  }
  return value;
}

static void store (SpirvLowerer *s, SpirvValue pointer, KernelValue value, Operands operands,
                   RspSpan span) {
  KernelLowerer *l = s->l;
  if (pointer.kind == SPIRV_CONTENT || !pointer.place.type)
    return;
  if (value.n != rsp_kernel_cells (l, pointer.place.type, span)) {
    rsp_kernel_refuse (l, span, NULL, "a value of another type than that of the memory it goes to");
    return;
  }
  if (!spirv_is_tagged (s, &pointer)) {
    rsp_kernel_store (l, pointer.place, value, span);
    return;
  }
  pointer.place = rsp_kernel_reuse (l, pointer.place);
  value = rsp_kernel_held (l, value, span);
  for (guint i = 0; i < value.n; i++) {
    const CType *leaf = rsp_kernel_leaf (l, pointer.place.type, i);
    const guint n = rsp_kernel_n_parts (l, pointer.place, i);
    for (guint k = 0; k < n && !rsp_kernel_pads (l, pointer.place.type, i); k++) {
      RspCall call = plain_call (s, &pointer, i, k, operands, span);
      call.kind = RSP_CALL_STORE;
      call.value
          = n > 1 ? rsp_kernel_join_cells (l, span, rsp_kernel_scalar (l, value.cells[i], leaf),
                                           rsp_kernel_unit_type (l), k)
                  : value.cells[i];
      rsp_kernel_emit_expr (l, spirv_call_expr (s, span, &call, &kernel_void));
    }
  }
}

void spirv_check_within (SpirvLowerer *s, const SpirvValue *pointer, RspSpan span) {
  if (!pointer->within)
    return;
  RspStatement *check = rsp_kernel_emit (s->l, RSP_STATEMENT_ASSERT, span);
  check->expr = pointer->within;
  check->label = pointer->outside;
}

/* What the id points to, for an access. After an error, a number. */
static SpirvValue pointed (SpirvLowerer *s, const SpirvInstruction *at, guint32 id) {
  SpirvValue own = spirv_known (s, id, at->span);
  spirv_check_within (s, &own, at->span);
  if (own.kind == SPIRV_CONTENT
      || (own.kind == SPIRV_PLACE && own.place.type
          && (own.place.in_registers || own.place.address)))
    return own;
  spirv_refuse (s, at, "of a value that is not a pointer");
  own.kind = SPIRV_CONTENT;
  own.value = rsp_kernel_dummy (s->l, at->span, &kernel_int);
  return own;
}

/* first: the word of a mask, for the write. A second mask is for the read, else the first one is
 * for both. */
static void copy_memory (SpirvLowerer *s, const SpirvInstruction *at, guint first) {
  const SpirvValue to = pointed (s, at, at->words[1]), from = pointed (s, at, at->words[2]);
  guint second = first;
  if (at->n > first) {
    const guint32 mask = at->words[first];
    second = first + 1 + ((mask & SpvMemoryAccessAlignedMask) != 0)
             + ((mask & SpvMemoryAccessMakePointerAvailableMask) != 0)
             + ((mask & SpvMemoryAccessMakePointerVisibleMask) != 0);
  }
  KernelValue value = load (
      s, from, read_operands (s, at, second < at->n ? second : first, &from, FALSE), at->span);
  store (s, to, rsp_kernel_held (s->l, value, at->span), read_operands (s, at, first, &to, TRUE),
         at->span);
}

static void copy_bytes (SpirvLowerer *s, const SpirvInstruction *at) {
  const SpirvValue to = pointed (s, at, at->words[1]), from = pointed (s, at, at->words[2]);
  gint64 size;
  if (to.kind != SPIRV_PLACE || from.kind != SPIRV_PLACE || to.to != from.to
      || !spirv_literal (s->module, at->words[3], &size)
      || (guint64) size != rsp_kernel_size_of (s->l, to.place.type, at->span))
    spirv_refuse (s, at, "of other than two whole objects of one type");
  else
    copy_memory (s, at, 4);
}

/* The length of an array without a size at the end of a structure: the most elements that one which
 * grows may have. */
static void array_length (SpirvLowerer *s, const SpirvInstruction *at) {
  const SpirvValue own = pointed (s, at, at->words[3]);
  const SpirvInstruction *record = spirv_definition (s->module, own.to);
  KernelLowerer *l = s->l;
  guint before = 0;
  if (own.kind != SPIRV_PLACE || own.place.in_registers
      || own.place.address->kind != RSP_EXPR_LOCATION || record->opcode != SpvOpTypeStruct
      || at->words[4] + 2 >= record->n) {
    spirv_refuse (s, at, "of an object that is not a structure in memory");
    return;
  }
  const guint32 array = member_at (s, record, at->words[4], FALSE, &before);
  const guint each = rsp_kernel_units (l, spirv_type (s->front, array)->to, at->span);
  const RspLocation *first
      = &g_array_index (l->locations, RspLocation, own.place.address->u.object);
  const guint all = first->grows ? RSP_KERNEL_MAX_GROWN : first->n_elements,
              n = all - MIN (before, all);
  const CType *type = spirv_type (s->front, at->type);
  spirv_set (s, at, rsp_kernel_number (l, at->span, n / MAX (1, each), type));
}

gboolean spirv_memory (SpirvLowerer *s, const SpirvInstruction *at) {
  SpirvValue own;
  switch ((SpvOp) at->opcode) {
  case SpvOpVariable:
    s->values[at->result] = spirv_variable (s, at->result);
    return TRUE;
  case SpvOpAccessChain:
  case SpvOpInBoundsAccessChain:
    chain (s, at, 4);
    return TRUE;
  case SpvOpPtrAccessChain:
  case SpvOpInBoundsPtrAccessChain:
    chain (s, at, 5);
    return TRUE;
  case SpvOpPtrCastToGeneric:
  case SpvOpGenericCastToPtr:
  case SpvOpGenericCastToPtrExplicit:
    cast_pointer (s, at);
    return TRUE;
  case SpvOpBitcast:
    if (spirv_definition (s->module, at->type)->opcode != SpvOpTypePointer)
      return FALSE;
    cast_pointer (s, at);
    return TRUE;
  case SpvOpLoad:
    own = pointed (s, at, at->words[3]);
    spirv_set (s, at, load (s, own, read_operands (s, at, 4, &own, FALSE), at->span));
    return TRUE;
  case SpvOpStore:
    own = pointed (s, at, at->words[1]);
    store (s, own, spirv_value (s, at->words[2], at->span), read_operands (s, at, 3, &own, TRUE),
           at->span);
    return TRUE;
  case SpvOpArrayLength:
    array_length (s, at);
    return TRUE;
  case SpvOpCopyMemory:
    copy_memory (s, at, 3);
    return TRUE;
  case SpvOpCopyMemorySized:
    copy_bytes (s, at);
    return TRUE;
  default:
    return FALSE;
  }
}
