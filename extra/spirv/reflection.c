/* What clspv says of kernels in extended instructions (NonSemantic.ClspvReflection): which
 * arguments and data are where, and which constants are the grid's. */
#include "extra/spirv/internal.h"

#include <spirv/unified1/NonSemanticClspvReflection.h>
#include <string.h>

#define KIND(id) NonSemanticClspvReflection##id

enum { OPERANDS = 5 /* the word of the first operand */ };

/* ---- Operands ------------------------------------------------------------------------------- */

/* The instruction number i of the set. */
static const SpirvInstruction *reflection (const SpirvModule *module, guint i) {
  return &module->instructions[g_array_index (module->reflection, guint, i)];
}

/* A constant; without it 0. */
static gint64 number (const SpirvModule *module, const SpirvInstruction *at, guint operand) {
  gint64 value = 0;
  if (operand + OPERANDS < at->n)
    spirv_literal (module, at->words[operand + OPERANDS], &value);
  return value;
}

/* A string, or that of the ArgumentInfo that the operand is; without it empty. */
static const char *string (const SpirvModule *module, const SpirvInstruction *at, guint operand) {
  const SpirvInstruction *own
      = spirv_definition (module, operand + OPERANDS < at->n ? at->words[operand + OPERANDS] : 0);
  return own->opcode == SpvOpExtInst && own->words[4] == KIND (ArgumentInfo)
             ? string (module, own, 0)
             : spirv_string (own, 2);
}

/* Has the variable the set and binding that this operand and the next one say? */
static gboolean is_bound (const SpirvModule *module, const SpirvInstruction *at, guint operand,
                          const SpirvInstruction *variable) {
  const SpirvInstruction *set
      = spirv_decoration (module, variable->result, -1, SpvDecorationDescriptorSet),
      *binding = spirv_decoration (module, variable->result, -1, SpvDecorationBinding);
  return set && binding && set->words[3] == number (module, at, operand)
         && binding->words[3] == number (module, at, operand + 1);
}

const char *spirv_reflected_name (const SpirvModule *module, guint32 variable) {
  for (guint i = 0; i < module->reflection->len; i++) {
    const SpirvInstruction *at = reflection (module, i);
    if ((at->words[4] == KIND (ArgumentStorageBuffer) || at->words[4] == KIND (ArgumentUniform))
        && is_bound (module, at, 2, spirv_definition (module, variable)))
      return string (module, at, 4);
  }
  return "";
}

/* ---- Cells ---------------------------------------------------------------------------------- */

typedef struct Cell {
  guint64 byte; /* G_MAXUINT64: a gap */
  guint32 type; /* of a scalar */
} Cell;

/* Appends the cells of the type. end: the byte at which arrays without a size end. */
static void add_cells (const SpirvModule *module, guint32 type, guint64 byte, guint64 end,
                       GArray *cells) {
  const SpirvInstruction *at = spirv_definition (module, type),
                         *stride = spirv_decoration (module, type, -1, SpvDecorationArrayStride);
  const gboolean is_struct = at->opcode == SpvOpTypeStruct;
  const Cell own = { byte, type }, gap = { G_MAXUINT64, at->words[2] };
  const guint64 step = MAX (1, stride ? stride->words[3] : spirv_bytes_of (module, at->words[2]));
  guint n = spirv_n_parts (module, type);
  CType scalar;
  if (spirv_scalar_type (at, &scalar))
    g_array_append_val (cells, own);
  else if (at->opcode == SpvOpTypeRuntimeArray)
    n = byte < end ? (guint) ((end - byte) / step) : 0;
  for (guint i = 0; i < n; i++) {
    const SpirvInstruction *offset = spirv_decoration (module, type, (int) i, SpvDecorationOffset);
    add_cells (module, at->words[is_struct ? 2 + i : 2],
               byte + (is_struct ? offset ? offset->words[4] : 0 : i * step), end, cells);
  }
  if (at->opcode == SpvOpTypeVector && n == 3)
    g_array_append_val (cells, gap);
}

/* ---- Data ----------------------------------------------------------------------------------- */

char *spirv_reflected_data (const SpirvModule *module, const SpirvInstruction *variable) {
  const guint32 to = spirv_definition (module, variable->type)->words[3],
                elements = spirv_elements_of (module, to);
  const char *hex = NULL;
  for (guint i = 0; i < module->reflection->len && !hex; i++) {
    const SpirvInstruction *at = reflection (module, i);
    if ((at->words[4] == KIND (ConstantDataStorageBuffer)
         || at->words[4] == KIND (ConstantDataUniform)
         || at->words[4] == KIND (ProgramScopeVariablesStorageBuffer))
        && is_bound (module, at, 0, variable))
      hex = string (module, at, 2);
  }
  if (!hex)
    return NULL;
  g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (Cell)),
                     element = g_array_new (FALSE, FALSE, sizeof (Cell));
  g_autoptr (GString) values = g_string_new (NULL);
  const gsize n = strlen (hex) / 2;
  add_cells (module, to, 0, n, cells);
  add_cells (module, elements ? elements : to, 0, n, element);
  for (guint i = 0; i < cells->len; i++) {
    const Cell cell = g_array_index (cells, Cell, i);
    const guint64 bytes
        = cell.byte < n ? MIN (spirv_bytes_of (module, cell.type), n - cell.byte) : 0;
    SpirvInput input = { .is_constant = TRUE };
    for (guint64 k = 0; k < bytes; k++) {
      const char *digits = hex + 2 * (cell.byte + k);
      const int byte = g_ascii_xdigit_value (digits[0]) << 4 | g_ascii_xdigit_value (digits[1]);
      input.number |= (gint64) ((guint64) (byte & 0xff) << (8 * k));
    }
    g_autofree char *value = spirv_cells (module, cell.type, &input);
    g_string_append_printf (values, "%s%s", i ? "," : "=", value);
  }
  return g_strdup_printf ("%s[%u]%s", module->names[variable->result],
                          MAX (1, cells->len / MAX (1, element->len)), values->str);
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
static guint32 length_of (const SpirvModule *module, const SpirvInstruction *at,
                          const SpirvInstruction *variable) {
  const SpirvInstruction *array
      = spirv_definition (module, spirv_definition (module, variable->type)->words[3]);
  const guint32 length = array->opcode == SpvOpTypeArray ? array->words[3] : 0;
  const SpirvInstruction *spec = spirv_decoration (module, length, -1, SpvDecorationSpecId);
  return at->words[4] == KIND (ArgumentWorkgroup) && variable->words[3] == SpvStorageClassWorkgroup
                 && spec && spec->words[3] == number (module, at, 2)
             ? length
             : 0;
}

/* The operand that says at which byte of the variable, a block, the argument begins; before its
 * size and information. 0: it is not in this block. */
static guint offset_of (const SpirvModule *module, const SpirvInstruction *at,
                        const SpirvInstruction *variable) {
  const gboolean in_buffer = at->words[4] == KIND (ArgumentPodStorageBuffer)
                             || at->words[4] == KIND (ArgumentPodUniform);
  if (at->words[4] == KIND (ArgumentPodPushConstant))
    return variable->words[3] == SpvStorageClassPushConstant ? 2 : 0;
  return in_buffer && is_bound (module, at, 2, variable) ? 4 : 0;
}

static const CType *local_pointer (SpirvFront *front, const SpirvInstruction *variable) {
  const SpirvInstruction *to = spirv_definition (front->module, variable->type);
  CType *type = rsp_arena_new0 (front->arena, CType, 1);
  *type = (CType){ .kind = C_POINTER, .bits = 64, .space = RSP_SPACE_PRIVATE };
  type->to = rsp_arena_copy (front->arena, spirv_type (front, to->words[3])->to, sizeof *type->to);
  type->to->space = RSP_SPACE_LOCAL;
  return type;
}

/* The type of the argument's cells: a scalar, or a structure of several; NULL: it has none. */
static const CType *type_of_pod (SpirvFront *front, const SpirvInstruction *at, guint operand,
                                 const SpirvInstruction *variable, guint *first) {
  const SpirvModule *module = front->module;
  const guint64 offset = (guint64) number (module, at, operand),
                end = offset + (guint64) number (module, at, operand + 1);
  g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  LitmusParser parser = { .arena = front->arena };
  CType *type = rsp_arena_new0 (front->arena, CType, 1);
  *type = (CType){ .kind = C_STRUCT, .record = rsp_arena_new0 (front->arena, CStruct, 1) };
  type->record->name = "";
  type->record->complete = TRUE;
  add_cells (module, spirv_definition (module, variable->type)->words[3], 0, 0, cells);
  for (guint i = 0; i < cells->len; i++) {
    const Cell cell = g_array_index (cells, Cell, i);
    CVariable *member = rsp_arena_new0 (front->arena, CVariable, 1);
    if (cell.byte < offset || cell.byte >= end)
      continue;
    *first = type->record->members.n ? *first : i;
    *member = (CVariable){ .name = "", .type = (CType *) spirv_type (front, cell.type) };
    type->record->members = rsp_litmus_append (&parser, type->record->members, member);
  }
  const LitmusList all = type->record->members;
  return all.n == 1 ? ((const CVariable *) all.items[0])->type : all.n ? type : NULL;
}

static void add_pod (SpirvFront *front, LitmusParser *parser, const SpirvInstruction *entry,
                     const SpirvInstruction *at, const SpirvInstruction *variable,
                     LitmusList *parameters) {
  const SpirvModule *module = front->module;
  const guint offset = offset_of (module, at, variable);
  const gboolean is_array = length_of (module, at, variable) != 0;
  const char *name = string (module, at, is_array ? 4 : offset + 2);
  Pod own = { front->pods, entry->words[2], variable->result, 0, NULL };
  if (!is_array && (!offset || !*name))
    return;
  name = *name ? name : module->names[variable->result];
  for (guint i = 0; i < parameters->n; i++)
    if (g_strcmp0 (((const CVariable *) parameters->items[i])->name, name) == 0)
      return;
  CVariable *parameter = rsp_arena_new0 (front->arena, CVariable, 1);
  *parameter = (CVariable){ .name = name, .span = at->span, .is_optional = TRUE };
  parameter->type = (CType *) (is_array ? local_pointer (front, variable)
                                        : type_of_pod (front, at, offset, variable, &own.first));
  if (!parameter->type)
    return;
  own.parameter = parameter;
  front->pods = rsp_arena_copy (front->arena, &own, sizeof own);
  *parameters = rsp_litmus_append (parser, *parameters, parameter);
}

/* Is the instruction about the kernel of the entry? */
static gboolean is_of (const SpirvModule *module, const SpirvInstruction *at,
                       const SpirvInstruction *entry) {
  const SpirvInstruction *kernel = spirv_definition (module, at->words[OPERANDS]);
  return entry && kernel->opcode == SpvOpExtInst && kernel->words[OPERANDS] == entry->words[2];
}

LitmusList spirv_reflect_parameters (SpirvFront *front, LitmusParser *parser,
                                     const SpirvInstruction *entry, LitmusList parameters) {
  const SpirvModule *module = front->module;
  for (guint i = 0; i < module->reflection->len; i++)
    for (guint k = 0; k < module->n_outside && is_of (module, reflection (module, i), entry); k++)
      if (module->instructions[k].opcode == SpvOpVariable)
        add_pod (front, parser, entry, reflection (module, i), &module->instructions[k],
                 &parameters);
  return parameters;
}

void spirv_reflect_lengths (SpirvFront *front, const SpirvInstruction *entry) {
  const SpirvModule *module = front->module;
  for (guint i = 0; i < module->reflection->len; i++)
    for (guint k = 0; k < module->n_outside && is_of (module, reflection (module, i), entry); k++) {
      const SpirvInstruction *at = reflection (module, i), *variable = &module->instructions[k];
      const guint32 length
          = variable->opcode == SpvOpVariable ? length_of (module, at, variable) : 0;
      const char *name = string (module, at, 4);
      gint64 n;
      if (g_hash_table_contains (front->inputs, GUINT_TO_POINTER (length))
          && spirv_literal (module, length, &n))
        g_ptr_array_add (front->arguments,
                         g_strdup_printf ("%s[%" G_GINT64_FORMAT "]",
                                          *name ? name : module->names[variable->result], n));
    }
}

const CVariable *spirv_reflected_array (const SpirvLowerer *s, guint32 variable) {
  const Pod *own = s->front->pods;
  while (own && (own->variable != variable || own->entry != s->entry))
    own = own->next;
  return own ? own->parameter : NULL;
}

/* ---- The grid ------------------------------------------------------------------------------- */

gboolean spirv_required_size (const SpirvModule *module, const SpirvInstruction *entry,
                              gint64 *sizes) {
  for (guint i = 0; i < module->reflection->len; i++) {
    const SpirvInstruction *at = reflection (module, i);
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
  for (guint i = 0; i < module->reflection->len; i++) {
    const SpirvInstruction *at = reflection (module, i);
    SPIRV_FIND (row, constants, constants[row].kind == at->words[4]);
    for (guint d = 0; row < G_N_ELEMENTS (constants) && d < constants[row].n; d++)
      for (guint32 id = 1; id < module->bound; id++) {
        const SpirvInstruction *spec = spirv_decoration (module, id, -1, SpvDecorationSpecId);
        if (spec && spec->words[3] == number (module, at, d))
          spirv_specialise (module, id, constants[row].values[d]);
      }
  }
}

/* ---- Blocks --------------------------------------------------------------------------------- */

void spirv_reflect_block (SpirvLowerer *s, const SpirvInstruction *variable, SpirvValue *own) {
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
  g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  KernelValue value = { 0 };
  add_cells (module, own->to, 0, 0, cells);
  for (const Pod *pod = s->front->pods; pod; pod = pod->next) {
    if (pod->entry != s->entry || pod->variable != variable->result
        || !kernel_is_given (s->l, pod->parameter))
      continue;
    value = value.n ? value : spirv_whole (s, own, variable->span);
    const KernelValue argument = rsp_kernel_argument (s->l, pod->parameter);
    for (guint i = 0; i < argument.n && pod->first + i < value.n; i++)
      value.cells[pod->first + i] = argument.cells[i];
  }
  for (guint i = 0; i < module->reflection->len && own->storage == SpvStorageClassPushConstant;
       i++) {
    const SpirvInstruction *at = reflection (module, i);
    SPIRV_FIND (row, sizes, sizes[row].kind == at->words[4]);
    const guint64 begin = (guint64) number (module, at, 0), end = begin + number (module, at, 1);
    for (guint k = 0; k < cells->len && row < G_N_ELEMENTS (sizes); k++) {
      const Cell cell = g_array_index (cells, Cell, k);
      if (cell.byte < begin || cell.byte >= end)
        continue;
      value = value.n ? value : spirv_whole (s, own, variable->span);
      const guint d = MIN ((guint) (cell.byte - begin) / 4, RSP_GRID_DIMENSIONS - 1);
      value.cells[k] = spirv_ask_grid (s, variable->span, sizes[row].name, TRUE, d,
                                       spirv_type (s->front, cell.type));
    }
  }
  if (value.n) {
    own->kind = SPIRV_CONTENT;
    own->value = value;
  }
}
