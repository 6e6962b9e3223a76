/* What clspv says of kernels in extended instructions (NonSemantic.ClspvReflection): which
 * arguments and data are where, and which constants are the grid's. */
#include "extra/spirv/internal.h"

#include <spirv/unified1/NonSemanticClspvReflection.h>

#define KIND(id) NonSemanticClspvReflection##id

enum { OPERANDS = 5 /* the word of the first operand */ };

/* ---- Operands ------------------------------------------------------------------------------- */

/* A constant; without it 0. */
static gint64 number (const SpirvModule *module, const SpirvInst *at, guint operand) {
  gint64 value = 0;
  if (operand + OPERANDS < at->n)
    spirv_literal (module, at->words[operand + OPERANDS], &value);
  return value;
}

/* A string, or that of the ArgumentInfo that the operand is; without it empty. */
static const char *string (const SpirvModule *module, const SpirvInst *at, guint operand) {
  const SpirvInst *own
      = spirv_definition (module, operand + OPERANDS < at->n ? at->words[operand + OPERANDS] : 0);
  return own->opcode == SpvOpExtInst && own->words[4] == KIND (ArgumentInfo)
             ? string (module, own, 0)
             : spirv_string (own, 2);
}

/* Has the variable the set and binding that this operand and the next one say? */
static gboolean is_bound (const SpirvModule *module, const SpirvInst *at, guint operand,
                          const SpirvInst *variable) {
  const SpirvInst *set
      = spirv_decoration (module, variable->result, -1, SpvDecorationDescriptorSet),
      *binding = spirv_decoration (module, variable->result, -1, SpvDecorationBinding);
  return set && binding && set->words[3] == number (module, at, operand)
         && binding->words[3] == number (module, at, operand + 1);
}

const char *spirv_reflected (const SpirvModule *module, guint32 variable, gboolean is_data) {
  static const struct {
    guint32 kind;
    gboolean is_data;
  } kinds[] = { { KIND (ArgumentStorageBuffer), FALSE },
                { KIND (ArgumentUniform), FALSE },
                { KIND (ConstantDataStorageBuffer), TRUE },
                { KIND (ConstantDataUniform), TRUE },
                { KIND (ProgramScopeVariablesStorageBuffer), TRUE } };
  for (guint i = 0; i < module->reflection.n; i++) {
    const SpirvInst *at = module->reflection.items[i];
    SPIRV_FIND (row, kinds, kinds[row].kind == at->words[4] && kinds[row].is_data == is_data);
    if (row < G_N_ELEMENTS (kinds)
        && is_bound (module, at, is_data ? 0 : 2, spirv_definition (module, variable)))
      return string (module, at, is_data ? 2 : 4);
  }
  return NULL;
}

/* ---- Arguments ------------------------------------------------------------------------------ */

/* An argument of an entry: cells of a block, or the elements of an array of the work-group. */
typedef struct SpirvPod {
  struct SpirvPod *next;
  guint32 entry, variable;
  guint first; /* cell of the block */
  const CVariable *parameter;
} Pod;

/* The array's length in the work-group's memory is the constant; 0: it is another variable. */
static guint32 length_of (const SpirvModule *module, const SpirvInst *at,
                          const SpirvInst *variable) {
  const SpirvInst *array
      = spirv_definition (module, spirv_definition (module, variable->type)->words[3]);
  const guint32 length = array->opcode == SpvOpTypeArray ? array->words[3] : 0;
  const SpirvInst *spec = spirv_decoration (module, length, -1, SpvDecorationSpecId);
  return at->words[4] == KIND (ArgumentWorkgroup) && variable->words[3] == SpvStorageClassWorkgroup
                 && spec && spec->words[3] == number (module, at, 2)
             ? length
             : 0;
}

/* The operand that says at which byte of the variable, a block, the argument begins; before its
 * size and information. 0: it is not in this block. */
static guint offset_of (const SpirvModule *module, const SpirvInst *at, const SpirvInst *variable) {
  const gboolean in_buffer = at->words[4] == KIND (ArgumentPodStorageBuffer)
                             || at->words[4] == KIND (ArgumentPodUniform);
  if (at->words[4] == KIND (ArgumentPodPushConstant))
    return variable->words[3] == SpvStorageClassPushConstant ? 2 : 0;
  return in_buffer && is_bound (module, at, 2, variable) ? 4 : 0;
}

/* The type of the cells between the bytes that this operand and the next one say: a number, or a
 * vector; NULL: they have several types. first: of the cells */
static const CType *type_of_cells (SpirvFront *front, const SpirvInst *at, guint operand,
                                   guint32 block, guint *first) {
  const gint64 begin = number (front->module, at, operand),
               end = begin + number (front->module, at, operand + 1);
  g_auto (GStrv) bytes = spirv_cell_bytes (front->module, block);
  CType *type = rsp_arena_new0 (front->arena, CType, 1);
  *type = (CType){ .kind = C_VECTOR };
  for (guint i = 0; bytes[i]; i++) {
    char *rest;
    const gint64 byte = g_ascii_strtoll (bytes[i], &rest, 10);
    CType *own = (CType *) spirv_type (front, (guint32) g_ascii_strtoull (rest + 1, NULL, 10));
    if (byte < begin || byte >= end)
      continue;
    *first = type->lanes ? *first : i;
    if (type->lanes++ && type->to != own)
      return NULL;
    type->to = own;
  }
  return type->lanes == 1 ? type->to : type->lanes && type->lanes <= 16 ? type : NULL;
}

static void add_pod (SpirvFront *front, LitmusParser *parser, const SpirvInst *entry,
                     const SpirvInst *at, const SpirvInst *variable, LitmusList *parameters) {
  const SpirvModule *module = front->module;
  const guint offset = offset_of (module, at, variable);
  const guint32 length = length_of (module, at, variable);
  const gboolean is_array = length != 0;
  const char *name = string (module, at, is_array ? 4 : offset + 2);
  Pod own = { front->pods, entry->words[2], variable->result, 0, NULL };
  if (is_array ? g_hash_table_contains (front->inputs, GUINT_TO_POINTER (length))
               : !offset || !*name)
    return;
  name = *name ? name : module->names[variable->result];
  for (guint i = 0; i < parameters->n; i++)
    if (g_strcmp0 (((const CVariable *) parameters->items[i])->name, name) == 0)
      return;
  CVariable *parameter = rsp_arena_new0 (front->arena, CVariable, 1);
  *parameter = (CVariable){ .name = name, .span = at->span, .is_optional = TRUE };
  const guint32 to = spirv_definition (module, variable->type)->words[3];
  parameter->type = is_array
                        ? spirv_pointer (front->arena, spirv_type (front, to)->to, RSP_SPACE_LOCAL)
                        : (CType *) type_of_cells (front, at, offset, to, &own.first);
  if (!parameter->type)
    return;
  own.parameter = parameter;
  front->pods = rsp_arena_copy (front->arena, &own, sizeof own);
  *parameters = rsp_litmus_append (parser, *parameters, parameter);
}

/* Is the instruction about the kernel of the entry? */
static gboolean is_of (const SpirvModule *module, const SpirvInst *at, const SpirvInst *entry) {
  const SpirvInst *kernel = spirv_definition (module, at->words[OPERANDS]);
  return entry && kernel->opcode == SpvOpExtInst && kernel->words[OPERANDS] == entry->words[2];
}

LitmusList spirv_reflect_parameters (SpirvFront *front, LitmusParser *parser,
                                     const SpirvInst *entry, LitmusList parameters) {
  const SpirvModule *module = front->module;
  for (guint i = 0; i < module->reflection.n; i++)
    for (guint k = 0; k < module->n_outside && is_of (module, module->reflection.items[i], entry);
         k++)
      if (module->instructions[k].opcode == SpvOpVariable)
        add_pod (front, parser, entry, module->reflection.items[i], &module->instructions[k],
                 &parameters);
  return parameters;
}

const CVariable *spirv_reflected_array (const SpirvLowerer *s, guint32 variable) {
  const Pod *own = s->front->pods;
  while (own && (own->variable != variable || own->entry != s->entry))
    own = own->next;
  return own ? own->parameter : NULL;
}

/* ---- The grid ------------------------------------------------------------------------------- */

gboolean spirv_required_size (const SpirvModule *module, const SpirvInst *entry, gint64 *sizes) {
  for (guint i = 0; i < module->reflection.n; i++) {
    const SpirvInst *at = module->reflection.items[i];
    if (at->words[4] != KIND (PropertyRequiredWorkgroupSize) || !is_of (module, at, entry))
      continue;
    for (guint d = 0; d < RSP_GRID_DIMENSIONS; d++)
      sizes[d] = number (module, at, 1 + d);
    return TRUE;
  }
  return FALSE;
}

void spirv_reflect_grid (SpirvModule *module, const RspGrid *grid) {
  const struct {
    guint32 kind;
    guint n;
    const guint *values;
  } constants[] = { { KIND (SpecConstantWorkgroupSize), RSP_GRID_DIMENSIONS, grid->item_sizes },
                    { KIND (SpecConstantGlobalOffset), RSP_GRID_DIMENSIONS, grid->offsets },
                    { KIND (SpecConstantWorkDim), 1, &grid->dimensions },
                    { KIND (SpecConstantSubgroupMaxSize), 1, &grid->items } };
  for (guint32 id = 1; id < module->bound; id++) {
    const SpirvInst *spec = spirv_decoration (module, id, -1, SpvDecorationSpecId);
    for (guint i = 0; spec && i < module->reflection.n; i++) {
      const SpirvInst *at = module->reflection.items[i];
      SPIRV_FIND (row, constants, constants[row].kind == at->words[4]);
      for (guint d = 0; row < G_N_ELEMENTS (constants) && d < constants[row].n; d++)
        if (spec->words[3] == number (module, at, d))
          spirv_specialise (module, id, constants[row].values[d]);
    }
  }
}

void spirv_reflect_block (SpirvLowerer *s, const SpirvInst *variable, SpirvValue *own) {
  static const struct {
    guint32 kind;
    const char *name; /* NULL: 0 */
  } sizes[] = { { KIND (PushConstantGlobalOffset), "get_global_offset" },
                { KIND (PushConstantEnqueuedLocalSize), "get_enqueued_local_size" },
                { KIND (PushConstantGlobalSize), "get_global_size" },
                { KIND (PushConstantRegionOffset), NULL },
                { KIND (PushConstantNumWorkgroups), "get_num_groups" },
                { KIND (PushConstantRegionGroupOffset), NULL } };
  const SpirvModule *module = s->module;
  const gboolean asks = own->storage == SpvStorageClassPushConstant && module->reflection.n;
  g_auto (GStrv) bytes = asks ? spirv_cell_bytes (module, own->to) : NULL;
  KernelValue value = { 0 };
  for (const Pod *pod = s->front->pods; pod; pod = pod->next) {
    if (pod->entry != s->entry || pod->variable != variable->result
        || !rsp_kernel_is_given (s->l, pod->parameter))
      continue;
    value = value.n ? value : spirv_whole (s, own, variable->span);
    const KernelValue argument = rsp_kernel_argument (s->l, pod->parameter);
    for (guint i = 0; i < argument.n && pod->first + i < value.n; i++)
      value.cells[pod->first + i] = argument.cells[i];
  }
  for (guint i = 0; i < module->reflection.n && asks; i++) {
    const SpirvInst *at = module->reflection.items[i];
    SPIRV_FIND (row, sizes, sizes[row].kind == at->words[4]);
    const gint64 begin = number (module, at, 0), end = begin + number (module, at, 1);
    for (guint k = 0; bytes[k] && row < G_N_ELEMENTS (sizes); k++) {
      const gint64 byte = g_ascii_strtoll (bytes[k], NULL, 10);
      if (byte < begin || byte >= end)
        continue;
      value = value.n ? value : spirv_whole (s, own, variable->span);
      value.cells[k] = spirv_ask_grid (s, variable->span, sizes[row].name, TRUE,
                                       MIN ((guint) (byte - begin) / 4, RSP_GRID_DIMENSIONS - 1),
                                       rsp_kernel_leaf (s->l, value.type, k));
    }
  }
  if (value.n) {
    own->kind = SPIRV_CONTENT;
    own->value = value;
  }
}
