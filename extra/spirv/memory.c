/* Variables, pointers and accesses. */
#include "extra/spirv/internal.h"

#include <string.h>

#define TAG(id) RSP_TAG_BIT (id)

/* ---- Built-in variables --------------------------------------------------------------------- */

/* Functions of OpenCL C that answer what built-in variables do; each: for each dimension? */
static const struct {
  SpvBuiltIn which;
  const char *name;
  gboolean each;
} built_ins[] = {
  { SpvBuiltInNumWorkgroups, "get_num_groups", TRUE },
  { SpvBuiltInWorkgroupSize, "get_local_size", TRUE },
  { SpvBuiltInEnqueuedWorkgroupSize, "get_enqueued_local_size", TRUE },
  { SpvBuiltInGlobalSize, "get_global_size", TRUE },
  { SpvBuiltInGlobalOffset, "get_global_offset", TRUE },
  { SpvBuiltInWorkDim, "get_work_dim", FALSE },
  { SpvBuiltInSubgroupSize, "get_sub_group_size", FALSE },
  { SpvBuiltInSubgroupMaxSize, "get_max_sub_group_size", FALSE },
  { SpvBuiltInNumSubgroups, "get_num_sub_groups", FALSE },
  { SpvBuiltInNumEnqueuedSubgroups, "get_enqueued_num_sub_groups", FALSE },
  { SpvBuiltInGlobalInvocationId, "get_global_id", TRUE },
  { SpvBuiltInLocalInvocationId, "get_local_id", TRUE },
  { SpvBuiltInWorkgroupId, "get_group_id", TRUE },
  { SpvBuiltInLocalInvocationIndex, "get_local_linear_id", FALSE },
  { SpvBuiltInGlobalLinearId, "get_global_linear_id", FALSE },
  { SpvBuiltInSubgroupId, "get_sub_group_id", FALSE },
  { SpvBuiltInSubgroupLocalInvocationId, "get_sub_group_local_id", FALSE },
  { SpvBuiltInDeviceIndex, NULL, FALSE },
  { SpvBuiltInViewIndex, NULL, FALSE },
};

RspExpr *spirv_ask_grid (SpirvLowerer *s, RspSpan span, const char *name, gboolean each, guint d,
                         const CType *type) {
  const KernelValue dimension = rsp_kernel_number (s->l, span, d, &kernel_uint);
  KernelValue value = rsp_kernel_number (s->l, span, 0, type);
  if (name)
    rsp_kernel_call (s->l, span, name, &dimension, each, &value);
  return rsp_kernel_to_type (s->l, value, type, span).cells[0];
}

static SpirvValue built_in (SpirvLowerer *s, const SpirvInst *at, guint32 to) {
  const SpirvInst *which = spirv_decoration (s->module, at->result, -1, SpvDecorationBuiltIn);
  SpirvValue result = { .kind = SPIRV_CONTENT,
                        .to = to,
                        .storage = SpvStorageClassInput,
                        .value = rsp_kernel_dummy (s->l, at->span, spirv_type (s->front, to)) };
  if (!which && at->n > 4) { /* no earlier stage gives it another value */
    result.value = spirv_value (s, at, 4);
    return result;
  }
  SPIRV_FIND (row, built_ins, which && built_ins[row].which == which->words[3]);
  if (row == G_N_ELEMENTS (built_ins))
    spirv_refuse (s, at, "of a built-in variable that compute shaders and kernels do not have");
  for (guint i = 0; i < result.value.n && row < G_N_ELEMENTS (built_ins); i++)
    result.value.cells[i] = spirv_ask_grid (s, at->span, built_ins[row].name, built_ins[row].each,
                                            MIN (i, RSP_GRID_DIMENSIONS - 1),
                                            rsp_kernel_leaf (s->l, result.value.type, i));
  return result;
}

/* ---- Variables ------------------------------------------------------------------------------ */

/* The properties that a decoration gives to pointers, as bits. words: it and its operands. */
static guint properties_of (const SpirvLowerer *s, const guint32 *words) {
  enum { READ = 1 << SPIRV_NOT_READ, WRITTEN = 1 << SPIRV_NOT_WRITTEN };
  static const struct {
    SpvDecoration decoration;
    guint32 attribute; /* of SpvDecorationFuncParamAttr */
    guint properties;
  } rows[] = { { SpvDecorationNonReadable, 0, READ },
               { SpvDecorationNonWritable, 0, WRITTEN },
               { SpvDecorationConstant, 0, WRITTEN },
               { SpvDecorationFuncParamAttr, SpvFunctionParameterAttributeNoWrite, WRITTEN },
               { SpvDecorationFuncParamAttr, SpvFunctionParameterAttributeNoReadWrite,
                 READ | WRITTEN } };
  SPIRV_FIND (i, rows,
              rows[i].decoration == words[0]
                  && (!rows[i].attribute || rows[i].attribute == words[1]));
  /* With Vulkan's model, accesses say themselves whether they are visible; OpenCL's always are. */
  if (s->tagged && !s->front->vulkan
      && (words[0] == SpvDecorationCoherent || words[0] == SpvDecorationVolatile))
    return 1 << SPIRV_COHERENT;
  return i < G_N_ELEMENTS (rows) ? rows[i].properties : 0;
}

void spirv_decorate (SpirvLowerer *s, guint32 id, int member, SpirvValue *own) {
  const LitmusList all = spirv_decorations (s->module, id);
  for (guint i = 0; i < all.n; i++) {
    const SpirvInst *at = all.items[i];
    const gboolean is_member = at->opcode == SpvOpMemberDecorate;
    if (is_member != (member >= 0) || (is_member && at->words[2] != (guint) member)
        || at->opcode == SpvOpMemberName)
      continue;
    for (guint k = 0; k < SPIRV_PROPERTIES; k++)
      if (properties_of (s, at->words + 2 + is_member) >> k & 1)
        own->properties[k] = rsp_kernel_constant (s->l, at->span, 1, &kernel_int);
  }
}

void spirv_find_properties (SpirvLowerer *s, const SpirvInst *at) {
  const gboolean is_chain
      = at->opcode >= SpvOpAccessChain && at->opcode <= SpvOpInBoundsPtrAccessChain,
      is_member = at->opcode == SpvOpMemberDecorate;
  /* An index of a variable that is an array is not that of an inner one. */
  if (is_chain
      && (at->n > 5 || spirv_definition (s->module, at->words[3])->opcode != SpvOpVariable))
    s->properties |= 1 << SPIRV_OUTSIDE | 1 << SPIRV_BEYOND;
  if (is_member || at->opcode == SpvOpDecorate)
    s->properties |= properties_of (s, at->words + 2 + is_member);
}

/* Is it a block, or an array of blocks, that is not BufferBlock? */
static gboolean is_block (const SpirvModule *module, guint32 type) {
  const SpirvInst *at = spirv_definition (module, type);
  if (at->opcode == SpvOpTypeArray || at->opcode == SpvOpTypeRuntimeArray)
    return is_block (module, at->words[2]);
  return spirv_decoration (module, type, -1, SpvDecorationBlock) != NULL;
}

/* The pointer with what decorations say of the members in which the cell lies. */
static SpirvValue at_cell (SpirvLowerer *s, const SpirvValue *pointer, guint cell) {
  SpirvValue own = *pointer;
  guint32 type = own.to;
  for (guint n = spirv_n_parts (s->module, type); n; n = spirv_n_parts (s->module, type)) {
    const SpirvInst *at = spirv_definition (s->module, type);
    guint i = 0, each = 0;
    for (gboolean found = FALSE; i < n && !found; i += !found) {
      type = at->words[at->opcode == SpvOpTypeStruct ? 2 + i : 2];
      each = MAX (1, rsp_kernel_cells (s->l, spirv_type (s->front, type), RSP_NOWHERE));
      found = at->opcode != SpvOpTypeStruct || cell < each;
      cell -= found ? 0 : each;
    }
    spirv_decorate (s, at->result, (int) i, &own);
    cell %= each;
  }
  return own;
}

static RspExpr *negated (SpirvLowerer *s, RspExpr *own) {
  return rsp_kernel_node (s->l, own->span, RSP_EXPR_UNARY, RSP_OP_LOGICAL_NOT, &kernel_int, own,
                          NULL);
}

/* An error, or a failure where it is the case, if the property of what the pointer points to, or of
 * a part of it, is that it is not accessed so. */
static void bar (SpirvLowerer *s, const SpirvInst *at, const SpirvValue *pointer,
                 SpirvProperty property, const char *what) {
  const guint n = spirv_has (s, property) && pointer->kind == SPIRV_PLACE
                      ? rsp_kernel_cells (s->l, pointer->place.type, at->span)
                      : 0;
  RspExpr *own = NULL;
  for (guint i = 0; i < n && (!own || own->kind != RSP_EXPR_CONSTANT); i++)
    own = at_cell (s, pointer, i).properties[property];
  if (own && own->kind != RSP_EXPR_CONSTANT)
    rsp_kernel_assert (s->l, at->span, negated (s, own),
                       rsp_arena_printf (s->l->arena, "a forbidden access %s", what));
  else if (own && own->u.constant)
    spirv_refuse (s, at, what);
}

void spirv_check_barred (SpirvLowerer *s, const SpirvInst *at, const SpirvValue *pointer,
                         gboolean reads, gboolean writes) {
  if (writes)
    bar (s, at, pointer, SPIRV_NOT_WRITTEN, "to memory that is declared read-only");
  if (reads)
    bar (s, at, pointer, SPIRV_NOT_READ, "from memory that is declared write-only");
  const SpirvInst *variable = spirv_definition (s->module, pointer->base);
  const guint32 type = spirv_definition (s->module, variable->type)->words[3];
  if (writes && pointer->storage == SpvStorageClassUniform && is_block (s->module, type)
      && g_hash_table_add (s->l->built_in, g_strdup (s->module->written[pointer->base])))
    rsp_warning (s->l->diagnostics, at->span, NULL,
                 "a write to `%s`, a uniform block, is invalid in Vulkan: "
                 "VUID-StandaloneSpirv-Uniform-06925",
                 s->module->names[pointer->base]);
}

/* Where the pointers at the place in a variable have the property, as numbers in the place of
 * addresses; FALSE: nowhere. */
static gboolean shadow_at (SpirvLowerer *s, const SpirvValue *own, SpirvProperty property,
                           KernelPlace *place) {
  *place = own->shadow;
  place->type = own->place.type;
  place->base += property * own->step;
  if (own->shadow.address)
    place->address
        = rsp_kernel_step (s->l, RSP_NOWHERE, own->shadow.address, (gint64) property * own->step);
  return spirv_has (s, property) && own->shadow.type;
}

/* Gives what is stored at the place the properties of a pointer, or of what is at another place. */
static void keep_properties (SpirvLowerer *s, const SpirvInst *at, const SpirvValue *to,
                             const SpirvValue *from, gboolean copies) {
  KernelPlace place, other;
  for (guint i = 0; i < SPIRV_PROPERTIES; i++) {
    if (!shadow_at (s, to, i, &place))
      continue;
    KernelValue own = rsp_kernel_dummy (s->l, at->span, place.type);
    if (copies && shadow_at (s, from, i, &other))
      own = rsp_kernel_load (s->l, other, at->span);
    else if (!copies && place.type->kind == C_POINTER && from->properties[i])
      own.cells[0] = from->properties[i];
    rsp_kernel_store (s->l, place, own, at->span);
  }
}

static gboolean has_pointers (SpirvLowerer *s, const CType *type) {
  guint n = rsp_kernel_cells (s->l, type, RSP_NOWHERE);
  while (n && rsp_kernel_leaf (s->l, type, n - 1)->kind != C_POINTER)
    n--;
  return n > 0;
}

/* A variable of this work-item alone. */
static SpirvValue private_variable (SpirvLowerer *s, const SpirvInst *at, guint32 to) {
  KernelLowerer *l = s->l;
  const CType *type = spirv_type (s->front, to);
  const SpirvInput *input = g_hash_table_lookup (s->front->inputs, GUINT_TO_POINTER (at->result));
  const guint first
      = rsp_kernel_add_variable (l, s->module->names[at->result], type,
                                 !l->options->lenient && !input && at->n < 5, TRUE, at->span);
  SpirvValue own = { .kind = SPIRV_PLACE,
                     .to = to,
                     .storage = at->words[3],
                     .base = at->result,
                     .place = rsp_kernel_registers (type, first) };
  if (input) {
    g_autofree char *text = spirv_cells (s->module, to, input);
    const CVariable named = { .name = "@Input", .type = (CType *) type, .span = at->span };
    rsp_kernel_store (l, own.place, rsp_kernel_listed (l, &named, text ? text : "0"), at->span);
  } else if (at->n > 4)
    rsp_kernel_store (l, own.place, spirv_value (s, at, 4), at->span);
  else if (l->options->lenient && l->kernel->has_question)
    rsp_kernel_store (l, own.place, spirv_undefined (s, at, type), at->span);
  else if (!l->options->lenient)
    for (guint i = first; i < l->registers->len; i++)
      rsp_kernel_emit (l, RSP_STATEMENT_DECLARATION, at->span)->reg = i;
  if (has_pointers (s, type)) {
    const CType *all = rsp_kernel_array_of (l->arena, type, SPIRV_PROPERTIES);
    own.step = rsp_kernel_units (l, type, at->span);
    own.shadow
        = rsp_kernel_registers (type, rsp_kernel_add_variable (l, "", all, FALSE, TRUE, at->span));
    const SpirvValue initial = at->n > 4 ? spirv_known (s, at, 4) : own;
    keep_properties (s, at, &own, &initial, FALSE);
  }
  return own;
}

/* Gives an object of the work-group the values of `@Input`, or those that it is defined with. */
static void set_local (SpirvLowerer *s, guint32 id, guint32 to, KernelPlace place) {
  const SpirvInput *input = g_hash_table_lookup (s->front->inputs, GUINT_TO_POINTER (id));
  const SpirvInst *at = spirv_definition (s->module, id);
  if (!input && at->n < 5)
    return;
  g_autofree char *text = spirv_cells (s->module, to, input);
  if (!input && spirv_definition (s->module, at->words[4])->opcode != SpvOpConstantNull)
    spirv_refuse (s, at, "with an initial value that is not null");
  else if (text)
    rsp_kernel_set_local (s->l, s->front->variables[id], place, text);
  else
    spirv_refuse (s, at, "with so many initial values");
}

SpirvValue spirv_variable (SpirvLowerer *s, guint32 id) {
  const SpirvInst *at = spirv_definition (s->module, id),
                  *type = spirv_definition (s->module, at->type);
  const guint32 to = type->words[3];
  SpirvValue own = { .kind = SPIRV_PLACE, .to = to, .storage = at->words[3], .base = id };
  const CVariable *parameter = s->front->variables[id];
  spirv_decorate (s, id, -1, &own);
  switch (own.storage) {
  case SpvStorageClassInput:
    return built_in (s, at, to);
  case SpvStorageClassPrivate:
  case SpvStorageClassFunction:
    return private_variable (s, at, to);
  case SpvStorageClassWorkgroup:
    parameter = spirv_reflected_array (s, id);
    if (parameter) {
      own.place = (KernelPlace){ .type = spirv_type (s->front, to),
                                 .address = rsp_kernel_argument (s->l, parameter).cells[0] };
      return own;
    }
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
    own.value = rsp_kernel_dummy (s->l, at->span, spirv_type (s->front, to));
    for (guint i = 0; i < own.value.n; i++)
      own.value.cells[i]
          = rsp_kernel_constant (s->l, at->span, value.cells[0]->u.constant + i, parameter->type);
  } else
    own.place = (KernelPlace){ .type = spirv_type (s->front, to),
                               .address = value.n ? value.cells[0] : NULL };
  if (own.place.address)
    spirv_reflect_block (s, at, &own);
  return own;
}

/* ---- Access chains -------------------------------------------------------------------------- */

guint32 spirv_part_at (SpirvLowerer *s, const SpirvInst *whole, guint part, gboolean in_cells,
                       guint *units) {
  const CType *type = spirv_type (s->front, whole->result);
  const CStruct *own = type->record;
  if (whole->opcode != SpvOpTypeStruct) {
    *units = part
             * (in_cells ? rsp_kernel_cells (s->l, type->to, RSP_NOWHERE)
                         : rsp_kernel_units (s->l, type->to, RSP_NOWHERE));
    return whole->words[2];
  }
  const guint unit = in_cells ? 0 : s->l->kernel->unit;
  *units
      = unit ? (guint) (rsp_kernel_member_offset (s->l, own, own->members.items[part]) / unit) : 0;
  for (guint i = 0; i < part && !unit; i++)
    *units
        += rsp_kernel_cells (s->l, ((const CVariable *) own->members.items[i])->type, RSP_NOWHERE);
  return whole->words[2 + part];
}

/* Moves the place by index × units. */
static void move_place (SpirvLowerer *s, KernelPlace *place, RspExpr *index, guint units,
                        RspSpan span) {
  KernelLowerer *l = s->l;
  if (index->kind == RSP_EXPR_CONSTANT) {
    const gint64 number = rsp_wrap (index->u.constant, index->type.bits, TRUE);
    const gint64 by = (gint64) ((guint64) number * units);
    const RspRegister *first
        = place->in_registers ? rsp_kernel_register_of (l, span, &place->base) : NULL;
    const gint64 room = first ? first->n_elements - first->element : 0;
    if (number >= 0 && number < room && by < room) {
      place->base += (guint) by;
      return;
    }
    place->address = rsp_kernel_step (l, span, rsp_kernel_address (l, *place, span), by);
  } else {
    RspExpr *base = rsp_kernel_address (l, *place, span),
            *wide
            = rsp_kernel_node (l, span, RSP_EXPR_CAST, RSP_OP_NONE, &kernel_long, index, NULL);
    if (units > 1)
      wide = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_MUL, &kernel_long, wide,
                              rsp_kernel_constant (l, span, units, &kernel_long));
    RspExpr *moved
        = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_ADD, &kernel_long, base, wide);
    moved->type = base->type;
    place->address = moved;
  }
  place->in_registers = FALSE;
}

/* Takes a part of a constant value; an index that is not constant chooses one. */
static void take_part (SpirvLowerer *s, SpirvValue *own, RspExpr *index, guint32 to, guint first,
                       RspSpan span) {
  const CType *type = spirv_type (s->front, to);
  const guint n = rsp_kernel_cells (s->l, type, span);
  KernelValue part = rsp_kernel_cells_value (s->l, type, n);
  for (guint i = 0; i < n; i++)
    part.cells[i] = index->kind == RSP_EXPR_CONSTANT
                        ? own->value.cells[MIN (first + i, own->value.n - 1)]
                        : spirv_choose_at (s, span, index, own->value, i, n, own->value.cells[i]);
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

/* Adds a condition under which something holds; NULL: there is none. */
static void add_condition (SpirvLowerer *s, RspExpr **all, RspExpr *own) {
  *all = *all && own
             ? rsp_kernel_node (s->l, own->span, RSP_EXPR_BINARY, RSP_OP_OR, &kernel_int, *all, own)
         : own ? own
               : *all;
}

void spirv_assert_within (SpirvLowerer *s, const SpirvValue *own, RspSpan span) {
  RspExpr *outside = own->properties[SPIRV_OUTSIDE];
  add_condition (s, &outside, own->properties[SPIRV_BEYOND]);
  if (outside)
    rsp_kernel_assert (s->l, span, negated (s, outside),
                       own->outside ? own->outside
                                    : "access to an element outside of an inner array");
}

/* A part may end although the object around it goes on: an access to it checks that. */
void spirv_stay_within (SpirvLowerer *s, SpirvValue *own, RspExpr *index, guint n, RspSpan span) {
  KernelLowerer *l = s->l;
  RspExpr *wide = rsp_kernel_node (l, span, RSP_EXPR_CAST, RSP_OP_NONE, &kernel_size, index, NULL);
  if (index->kind == RSP_EXPR_CONSTANT)
    wide = rsp_kernel_constant (l, span, index->u.constant, &kernel_size);
  RspExpr *beyond = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_GE, &kernel_int, wide,
                                     rsp_kernel_constant (l, span, n, &kernel_size));
  if (l->options->lenient || (beyond->kind == RSP_EXPR_CONSTANT && !beyond->u.constant))
    return;
  own->properties[SPIRV_BEYOND] = beyond;
  own->outside = rsp_arena_printf (
      l->arena,
      own->base ? "access to an element outside of an array in '%s', which has %u"
                : "access to an element outside of an array or vector%.0s, which has %u",
      s->module->names[own->base], n);
}

/* Follows one index of a chain; FALSE: the type does not have it. */
static gboolean enter (SpirvLowerer *s, SpirvValue *own, const SpirvInst *at, guint word,
                       gboolean is_first) {
  const SpirvInst *type = spirv_definition (s->module, own->to);
  RspExpr *index = spirv_scalar (s, at, word);
  const gboolean in_cells = own->kind == SPIRV_CONTENT;
  guint units = 0;
  const gboolean is_struct = type->opcode == SpvOpTypeStruct;
  guint part = 1; /* of an array, as many units as there are to each element */
  add_condition (s, &own->properties[SPIRV_OUTSIDE], own->properties[SPIRV_BEYOND]);
  own->properties[SPIRV_BEYOND] = NULL;
  if (is_struct) {
    if (index->kind != RSP_EXPR_CONSTANT || index->u.constant < 0
        || index->u.constant >= spirv_n_parts (s->module, own->to))
      return FALSE;
    part = (guint) index->u.constant;
    spirv_decorate (s, own->to, (int) part, own);
    own->inside |= is_mixed (s, spirv_type (s->front, own->to));
    index = rsp_kernel_constant (s->l, at->span, 1, &kernel_long);
  } else {
    if (!spirv_n_parts (s->module, own->to) && type->opcode != SpvOpTypeArray
        && type->opcode != SpvOpTypeRuntimeArray)
      return FALSE;
    if (own->kind == SPIRV_PLACE && type->opcode != SpvOpTypeRuntimeArray
        && (!is_first || type->opcode != SpvOpTypeArray))
      spirv_stay_within (s, own, index, spirv_n_parts (s->module, own->to), at->span);
    const guint size
        = (guint) rsp_kernel_size_of (s->l, spirv_type (s->front, own->to)->to, at->span);
    if (!in_cells && s->l->kernel->unit && size % s->l->kernel->unit)
      rsp_kernel_want_unit (s->l, size & -size);
  }
  const guint32 to = spirv_part_at (s, type, part, in_cells, &units);
  if (own->kind == SPIRV_CONTENT)
    take_part (s, own, index, to,
               index->kind == RSP_EXPR_CONSTANT ? (guint) index->u.constant * units : 0, at->span);
  else {
    move_place (s, &own->place, index, units, at->span);
    if (own->shadow.type)
      move_place (s, &own->shadow, index, units, at->span);
    own->place.type = spirv_type (s->front, to);
  }
  own->to = to;
  return TRUE;
}

static void chain (SpirvLowerer *s, const SpirvInst *at) {
  SpirvValue own = spirv_pointed (s, at, 3, FALSE);
  const gboolean moves
      = at->opcode == SpvOpPtrAccessChain || at->opcode == SpvOpInBoundsPtrAccessChain;
  if (moves && own.kind == SPIRV_PLACE) {
    RspExpr *element = spirv_scalar (s, at, 4);
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
    if (element->kind != RSP_EXPR_CONSTANT || element->u.constant)
      own.properties[SPIRV_BEYOND] = NULL; /* perhaps it is moved back */
    move_place (s, &own.place, element,
                stride ? stride / MAX (1, s->l->kernel->unit)
                       : rsp_kernel_units (s->l, own.place.type, at->span),
                at->span);
  }
  const gboolean whole = spirv_definition (s->module, at->words[3])->opcode == SpvOpVariable;
  for (guint i = moves ? 5 : 4; i < at->n && !s->l->gave_up; i++)
    if (!enter (s, &own, at, i, whole && i == 4))
      spirv_refuse (s, at, "with an index that its type does not have");
  s->values[at->result] = own;
}

/* An error if the pointer may point into several storage classes. */
static void check_class (SpirvLowerer *s, const SpirvInst *at, const SpirvValue *pointer) {
  if (pointer->storage == SpvStorageClassGeneric)
    spirv_refuse (s, at, "of a pointer whose storage class is only known when it runs");
}

/* The same address, as a pointer to another type or into another storage class. */
static void cast_pointer (SpirvLowerer *s, const SpirvInst *at) {
  SpirvValue own = spirv_known (s, at, 3);
  const SpirvInst *type = spirv_definition (s->module, at->type);
  if (own.kind != SPIRV_PLACE || type->opcode != SpvOpTypePointer) {
    spirv_refuse (s, at, "of a pointer");
    return;
  }
  if (at->opcode == SpvOpGenericCastToPtrExplicit && own.storage != at->words[4]) {
    check_class (s, at, &own);
    spirv_set (s, at, spirv_result (s, at));
    return;
  }
  if (at->opcode == SpvOpGenericCastToPtr && own.storage != SpvStorageClassGeneric
      && own.storage != type->words[2])
    rsp_kernel_assert (s->l, at->span, NULL,
                       "a cast to a storage class that the generic pointer does not point into");
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
    own.shadow.type = NULL;
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

SpirvSemantics spirv_semantics (gint64 semantics) {
  static const struct {
    guint bit;
    SpirvSemantics own;
  } bits[] = {
    { SpvMemorySemanticsAcquireMask, { TAG (ACQ), RSP_ORDER_ACQUIRE, 0 } },
    { SpvMemorySemanticsReleaseMask, { TAG (REL), RSP_ORDER_RELEASE, 0 } },
    { SpvMemorySemanticsAcquireReleaseMask, { TAG (ACQ) | TAG (REL), RSP_ORDER_ACQ_REL, 0 } },
    { SpvMemorySemanticsSequentiallyConsistentMask,
      { TAG (ACQ) | TAG (REL), RSP_ORDER_SEQ_CST, 0 } },
    { SpvMemorySemanticsUniformMemoryMask, { TAG (SEMSC0), 0, 0 } },
    { SpvMemorySemanticsWorkgroupMemoryMask, { TAG (SEMSC1), 0, RSP_FENCE_LOCAL } },
    { SpvMemorySemanticsImageMemoryMask, { TAG (SEMSC2), 0, RSP_FENCE_IMAGE } },
    { SpvMemorySemanticsCrossWorkgroupMemoryMask, { TAG (SEMSC3), 0, RSP_FENCE_GLOBAL } },
    { SpvMemorySemanticsMakeAvailableMask, { TAG (SEMAV), 0, 0 } },
    { SpvMemorySemanticsMakeVisibleMask, { TAG (SEMVIS), 0, 0 } },
  };
  SpirvSemantics all = { 0, RSP_ORDER_RELAXED, 0 };
  for (gsize i = 0; i < G_N_ELEMENTS (bits); i++)
    if (semantics & bits[i].bit)
      all = (SpirvSemantics){ all.tags | bits[i].own.tags, MAX (all.order, bits[i].own.order),
                              all.flags | bits[i].own.flags };
  return all;
}

/* A scope or semantics; after an error, 0. */
static gint64 constant (SpirvLowerer *s, const SpirvInst *at, guint word) {
  const RspExpr *expr = spirv_scalar (s, at, word);
  if (expr->kind != RSP_EXPR_CONSTANT)
    spirv_refuse (s, at, "with a scope or semantics that is not constant");
  return expr->kind == RSP_EXPR_CONSTANT ? expr->u.constant : 0;
}

SpirvSemantics spirv_semantics_at (SpirvLowerer *s, const SpirvInst *at, guint word) {
  const gint64 all = SpvMemorySemanticsAcquireMask | SpvMemorySemanticsReleaseMask
                     | SpvMemorySemanticsAcquireReleaseMask
                     | SpvMemorySemanticsSequentiallyConsistentMask;
  const gint64 semantics = constant (s, at, word);
  const gint64 orders = semantics & all;
  if (orders & (orders - 1))
    spirv_refuse (s, at, "with several memory orders");
  return spirv_semantics (semantics);
}

const SpirvScope *spirv_scope (gint64 scope) {
  static const SpirvScope scopes[] = {
    /* in the order of their numbers */
    { SpvScopeCrossDevice, TAG (DV), RSP_LEVEL_DEVICE, RSP_SCOPE_ALL },
    { SpvScopeDevice, TAG (DV), RSP_LEVEL_DEVICE, RSP_SCOPE_DEVICE },
    { SpvScopeWorkgroup, TAG (WG), RSP_LEVEL_WORK_GROUP, RSP_SCOPE_WORK_GROUP },
    { SpvScopeSubgroup, TAG (SG), RSP_LEVEL_SUB_GROUP, RSP_SCOPE_SUB_GROUP },
    { SpvScopeInvocation, 0, RSP_LEVEL_THREAD, RSP_SCOPE_WORK_ITEM },
    { SpvScopeQueueFamily, TAG (QF), RSP_LEVEL_KERNEL, RSP_SCOPE_DEVICE },
  };
  return scope >= 0 && scope < (gint64) G_N_ELEMENTS (scopes) ? &scopes[scope] : NULL;
}

const SpirvScope *spirv_scope_at (SpirvLowerer *s, const SpirvInst *at, guint word) {
  const SpirvScope *scope = spirv_scope (constant (s, at, word));
  if (!scope)
    spirv_refuse (s, at, "with a scope that kernels and compute shaders do not have");
  return scope ? scope : spirv_scope (SpvScopeInvocation);
}

/* ---- Plain accesses ------------------------------------------------------------------------- */

/* Memory operands. */
typedef struct Operands {
  guint64 tags[2]; /* without the storage class; of accesses that decorations make coherent */
  RspLevel reach[2];
  guint end; /* the word behind them */
} Operands;

/* word: of the mask, if there is one. */
static Operands read_operands (SpirvLowerer *s, const SpirvInst *at, guint word,
                               const SpirvValue *pointer, gboolean writes) {
  enum {
    AVAILABLE = SpvMemoryAccessMakePointerAvailableMask,
    VISIBLE = SpvMemoryAccessMakePointerVisibleMask,
    NON_PRIVATE = SpvMemoryAccessNonPrivatePointerMask
  };
  const guint32 mask = word < at->n ? at->words[word] : 0;
  const gboolean vulkan = s->front->vulkan, local = pointer->storage == SpvStorageClassWorkgroup,
                 aligned = (mask & SpvMemoryAccessAlignedMask) != 0;
  const guint32 alignment = aligned ? at->words[word + 1] : 0;
  Operands own = { { 0 }, { RSP_LEVEL_THREAD, RSP_LEVEL_THREAD }, word + 1 + aligned };
  const SpirvScope *scope[2] = { NULL, NULL };
  KernelPlace place = pointer->place;
  spirv_check_barred (s, at, pointer, !writes, writes);
  if (pointer->kind == SPIRV_PLACE)
    rsp_kernel_check_aligned (s->l, &place, alignment, at->span);
  if (aligned && (!alignment || alignment & (alignment - 1)))
    spirv_refuse (s, at, "with an alignment that is not a power of two");
  if (mask & (writes ? AVAILABLE : VISIBLE))
    scope[0] = scope[1] = spirv_scope_at (s, at, own.end + (!writes && mask & AVAILABLE));
  own.end += ((mask & AVAILABLE) != 0) + ((mask & VISIBLE) != 0);
  /* Without Vulkan's model, decorations say that, and it is always so for shared memory. */
  for (guint i = local || mask & SpvMemoryAccessVolatileMask ? 0 : 1; i < 2 && !vulkan; i++)
    scope[i] = spirv_scope (local ? SpvScopeWorkgroup : SpvScopeDevice);
  for (guint i = 0; i < 2; i++) {
    if (mask & NON_PRIVATE || (!vulkan && scope[i]))
      own.tags[i] |= TAG (NONPRIV);
    if (!scope[i])
      continue;
    own.tags[i] |= scope[i]->tag | (writes ? TAG (AV) : TAG (VIS));
    own.reach[i] = scope[i]->reach;
  }
  return own;
}

gboolean spirv_is_tagged (const SpirvLowerer *s, const SpirvValue *pointer) {
  return s->tagged && pointer->kind == SPIRV_PLACE && pointer->storage != SpvStorageClassFunction
         && pointer->storage != SpvStorageClassPrivate
         && pointer->storage != SpvStorageClassPushConstant
         && pointer->storage != SpvStorageClassUniformConstant;
}

/* An access to a part of a cell; value NULL: a read. */
static RspExpr *access_part (SpirvLowerer *s, const SpirvValue *pointer, guint cell, guint part,
                             const Operands *operands, RspExpr *value, const CType *type,
                             RspSpan span) {
  const guint unit = rsp_kernel_unit_at (s->l, pointer->place.type, cell) + part;
  RspExpr *coherent = spirv_has (s, SPIRV_COHERENT)
                          ? at_cell (s, pointer, cell).properties[SPIRV_COHERENT]
                          : NULL,
          *own[2];
  for (guint i = 0; i < 2; i++) {
    const RspCall call = { .kind = value ? RSP_CALL_STORE : RSP_CALL_LOAD,
                           .plain = TRUE,
                           .tags = spirv_class_tag (pointer->storage) | operands->tags[i],
                           .reach = operands->reach[i],
                           .object = rsp_kernel_step (s->l, span, pointer->place.address, unit),
                           .value = value };
    own[i] = rsp_kernel_call_expr (s->l, span, &call, type);
  }
  if (!coherent || coherent->kind == RSP_EXPR_CONSTANT)
    return own[coherent && coherent->u.constant];
  return rsp_kernel_conditional (s->l, span, type, coherent, own[1], own[0]);
}

static KernelValue load (SpirvLowerer *s, SpirvValue pointer, const Operands *operands,
                         RspSpan span) {
  KernelLowerer *l = s->l;
  if (pointer.kind == SPIRV_CONTENT)
    return pointer.value;
  KernelValue value = rsp_kernel_dummy (l, span, pointer.place.type);
  if (!spirv_is_tagged (s, &pointer)) {
    if (value.type->kind == C_ARRAY) /* of which rsp_kernel_load has the address */
      pointer.place.type = spirv_record (l->arena, &value.type, 1);
    const KernelValue whole = rsp_kernel_load (l, pointer.place, span);
    return (KernelValue){ value.type, whole.cells, whole.n };
  }
  pointer.place = rsp_kernel_reuse (l, pointer.place);
  for (guint i = 0; i < value.n; i++) {
    const CType *leaf = rsp_kernel_leaf (l, pointer.place.type, i);
    const guint n = rsp_kernel_n_parts (l, pointer.place, i);
    const CType *type = n > 1 ? rsp_kernel_unit_type (l) : leaf;
    KernelValue parts = rsp_kernel_cells_value (l, type, MAX (1, n));
    if (rsp_kernel_pads (l, pointer.place.type, i))
      continue;
    for (guint k = 0; k < n; k++)
      parts.cells[k] = access_part (s, &pointer, i, k, operands, NULL, type, span);
    value.cells[i] = n > 1 ? rsp_kernel_join_cells (l, span, parts, leaf, 0) : parts.cells[0];
  }
  return value;
}

KernelValue spirv_whole (SpirvLowerer *s, const SpirvValue *pointer, RspSpan span) {
  const KernelValue value = load (s, *pointer, &(Operands){ 0 }, span);
  return spirv_is_tagged (s, pointer) ? rsp_kernel_held (s->l, value, span) : value;
}

static void store (SpirvLowerer *s, SpirvValue pointer, KernelValue value, const Operands *operands,
                   RspSpan span) {
  KernelLowerer *l = s->l;
  if (pointer.kind == SPIRV_CONTENT)
    rsp_kernel_refuse (l, span, NULL, "a write to memory that has constant values");
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
      RspExpr *part
          = n > 1 ? rsp_kernel_join_cells (l, span, rsp_kernel_scalar (l, value.cells[i], leaf),
                                           rsp_kernel_unit_type (l), k)
                  : value.cells[i];
      rsp_kernel_emit_expr (l, access_part (s, &pointer, i, k, operands, part, &kernel_void, span));
    }
  }
}

SpirvValue spirv_pointed (SpirvLowerer *s, const SpirvInst *at, guint word, gboolean accesses) {
  SpirvValue own = spirv_known (s, at, word);
  if (accesses)
    spirv_assert_within (s, &own, at->span);
  if (own.kind == SPIRV_CONTENT
      || (own.kind == SPIRV_PLACE && own.place.type
          && (own.place.in_registers || own.place.address)))
    return own;
  spirv_refuse (s, at, "of a value that is not a pointer");
  own.kind = SPIRV_CONTENT;
  own.value = rsp_kernel_dummy (s->l, at->span, &kernel_int);
  return own;
}

/* The first mask is for the write. A second one is for the read, else the first one is for both. */
static void copy_memory (SpirvLowerer *s, const SpirvInst *at) {
  const SpirvValue to = spirv_pointed (s, at, 1, TRUE), from = spirv_pointed (s, at, 2, TRUE);
  const guint first = at->opcode == SpvOpCopyMemory ? 3 : 4;
  const Operands writing = read_operands (s, at, first, &to, TRUE);
  const guint second = writing.end < at->n ? writing.end : first;
  const Operands reading = read_operands (s, at, second, &from, FALSE);
  const KernelValue value = load (s, from, &reading, at->span);
  store (s, to, rsp_kernel_held (s->l, value, at->span), &writing, at->span);
  keep_properties (s, at, &to, &from, TRUE);
}

static void copy_bytes (SpirvLowerer *s, const SpirvInst *at) {
  const SpirvValue to = spirv_known (s, at, 1), from = spirv_known (s, at, 2);
  gint64 size;
  if (to.kind != SPIRV_PLACE || from.kind != SPIRV_PLACE || to.to != from.to
      || !spirv_literal (s->module, at->words[3], &size)
      || (guint64) size != rsp_kernel_size_of (s->l, to.place.type, at->span))
    spirv_refuse (s, at, "of other than two whole objects of one type");
  else
    copy_memory (s, at);
}

/* The length of an array without a size at the end of a structure: the most elements that one which
 * grows may have. */
static void array_length (SpirvLowerer *s, const SpirvInst *at) {
  const SpirvValue own = spirv_pointed (s, at, 3, TRUE);
  const SpirvInst *record = spirv_definition (s->module, own.to);
  KernelLowerer *l = s->l;
  guint before = 0;
  if (own.kind != SPIRV_PLACE || own.place.in_registers
      || own.place.address->kind != RSP_EXPR_LOCATION || record->opcode != SpvOpTypeStruct
      || at->words[4] + 2 >= record->n) {
    spirv_refuse (s, at, "of an object that is not a structure in memory");
    return;
  }
  const guint32 array = spirv_part_at (s, record, at->words[4], FALSE, &before);
  const guint each = rsp_kernel_units (l, spirv_type (s->front, array)->to, at->span);
  const RspLocation *first
      = &g_array_index (l->locations, RspLocation, own.place.address->u.object);
  const guint all = first->grows ? RSP_KERNEL_MAX_GROWN : first->n_elements,
              n = all - MIN (before, all);
  const CType *type = spirv_type (s->front, at->type);
  spirv_set (s, at, rsp_kernel_number (l, at->span, n / MAX (1, each), type));
}

static void load_value (SpirvLowerer *s, const SpirvInst *at) {
  const SpirvValue own = spirv_pointed (s, at, 3, TRUE);
  const Operands operands = read_operands (s, at, 4, &own, FALSE);
  SpirvValue result = { .kind = SPIRV_VALUE, .value = load (s, own, &operands, at->span) };
  KernelPlace place;
  for (guint i = 0; i < SPIRV_PROPERTIES && result.value.type->kind == C_POINTER; i++)
    if (shadow_at (s, &own, i, &place))
      result.properties[i] = rsp_kernel_load (s->l, place, at->span).cells[0];
  spirv_set (s, at, spirv_qualified (s, &result, at->span));
}

static void store_value (SpirvLowerer *s, const SpirvInst *at) {
  const SpirvValue own = spirv_pointed (s, at, 1, TRUE);
  const Operands operands = read_operands (s, at, 3, &own, TRUE);
  store (s, own, spirv_value (s, at, 2), &operands, at->span);
  const SpirvValue value = spirv_known (s, at, 2);
  keep_properties (s, at, &own, &value, FALSE);
}

/* The class that a generic pointer points into, as memory semantics. */
static void ask_class (SpirvLowerer *s, const SpirvInst *at) {
  const SpirvValue own = spirv_known (s, at, 3);
  check_class (s, at, &own);
  const gint64 bits
      = own.storage == SpvStorageClassWorkgroup        ? SpvMemorySemanticsWorkgroupMemoryMask
        : own.storage == SpvStorageClassCrossWorkgroup ? SpvMemorySemanticsCrossWorkgroupMemoryMask
                                                       : 0;
  spirv_set (s, at, rsp_kernel_number (s->l, at->span, bits, spirv_type (s->front, at->type)));
}

static void variable (SpirvLowerer *s, const SpirvInst *at) {
  s->values[at->result] = spirv_variable (s, at->result);
}

gboolean spirv_memory (SpirvLowerer *s, const SpirvInst *at) {
  static const SpirvRow rows[] = { { SpvOpVariable, variable },
                                   { SpvOpAccessChain, chain },
                                   { SpvOpInBoundsAccessChain, chain },
                                   { SpvOpPtrAccessChain, chain },
                                   { SpvOpInBoundsPtrAccessChain, chain },
                                   { SpvOpPtrCastToGeneric, cast_pointer },
                                   { SpvOpGenericCastToPtr, cast_pointer },
                                   { SpvOpGenericCastToPtrExplicit, cast_pointer },
                                   { SpvOpLoad, load_value },
                                   { SpvOpStore, store_value },
                                   { SpvOpArrayLength, array_length },
                                   { SpvOpGenericPtrMemSemantics, ask_class },
                                   { SpvOpCopyMemory, copy_memory },
                                   { SpvOpCopyMemorySized, copy_bytes } };
  if (at->opcode == SpvOpBitcast
      && spirv_definition (s->module, at->type)->opcode == SpvOpTypePointer)
    cast_pointer (s, at);
  else
    return spirv_lower_by (rows, G_N_ELEMENTS (rows), s, at);
  return TRUE;
}
