/* A module's declarations in terms of C: types, the entries' parameters, initial values. */
#include "extra/spirv/internal.h"

#include <string.h>

/* ---- Types ---------------------------------------------------------------------------------- */

enum { FIRST_ELEMENTS = 64 /* of an array without a size behind other members, which grows */ };

/* How many elements an array without a size behind other members has: enough for the object that
 * needs the most cells, of which at least one is another member's. */
static gint64 grown_elements (const SpirvFront *front, guint32 element) {
  const GPtrArray *facts = front->base.facts;
  g_autofree char *cells = spirv_cells (front->module, element, NULL);
  guint n = FIRST_ELEMENTS, each = 1;
  for (const char *at = cells; at && *at; at++)
    each += *at == ',';
  for (guint i = 0; facts && i < facts->len; i++)
    n = MAX (n, (((const RspObjectFacts *) facts->pdata[i])->n_elements + each - 2) / each);
  return n;
}

guint32 spirv_elements_of (const SpirvModule *module, guint32 type) {
  const SpirvInst *own = spirv_definition (module, type);
  const SpirvInst *offset = spirv_decoration (module, type, 0, SpvDecorationOffset);
  if (own->opcode == SpvOpTypeStruct && own->n == 3 && (!offset || !offset->words[4]))
    own = spirv_definition (module, own->words[2]);
  return own->opcode == SpvOpTypeRuntimeArray ? own->words[2] : 0;
}

guint spirv_n_parts (const SpirvModule *module, guint32 type) {
  const SpirvInst *at = spirv_definition (module, type);
  gint64 n = 0;
  if (at->opcode == SpvOpTypeStruct)
    return at->n - 2;
  if (at->opcode == SpvOpTypeVector || at->opcode == SpvOpTypeMatrix)
    return at->words[3];
  return at->opcode == SpvOpTypeArray && spirv_literal (module, at->words[3], &n) ? (guint) n : 0;
}

const char *spirv_member_name (const SpirvModule *module, guint32 structure, guint member) {
  const LitmusList own = spirv_decorations (module, structure);
  for (guint i = 0; i < own.n; i++) {
    const SpirvInst *at = own.items[i];
    if (at->opcode == SpvOpMemberName && at->words[2] == member && *spirv_string (at, 3))
      return spirv_string (at, 3);
  }
  return rsp_arena_printf (module->arena, "m%u", member);
}

static RspSpace space_of (SpvStorageClass storage) {
  switch (storage) {
  case SpvStorageClassWorkgroup:
    return RSP_SPACE_LOCAL;
  case SpvStorageClassUniformConstant:
  case SpvStorageClassPushConstant:
    return RSP_SPACE_CONSTANT;
  case SpvStorageClassFunction:
  case SpvStorageClassPrivate:
  case SpvStorageClassInput:
    return RSP_SPACE_PRIVATE;
  default:
    return RSP_SPACE_GLOBAL;
  }
}

/* The bytes of a value of the type; 0: it contains structures. */
static guint64 bytes_of (const SpirvModule *module, guint32 type) {
  const SpirvInst *at = spirv_definition (module, type);
  switch ((SpvOp) at->opcode) {
  case SpvOpTypeInt:
  case SpvOpTypeFloat:
    return MAX (8, at->words[2]) / 8;
  case SpvOpTypeVector:
    return bytes_of (module, at->words[2]) * (at->words[3] == 3 ? 4 : at->words[3]);
  case SpvOpTypeArray:
    return (guint64) spirv_n_parts (module, type)
           * (spirv_stride (module, type) ? spirv_stride (module, type)
                                          : bytes_of (module, at->words[2]));
  default:
    return 0;
  }
}

guint32 spirv_stride (const SpirvModule *module, guint32 type) {
  const SpirvInst *at = spirv_definition (module, type),
                  *stride = spirv_decoration (module, type, -1, SpvDecorationArrayStride);
  const guint64 bytes
      = stride ? bytes_of (module, at->words[at->opcode == SpvOpTypePointer ? 3 : 2]) : 0;
  return bytes && bytes != stride->words[3] ? stride->words[3] : 0;
}

CType *spirv_pointer (RspArena *arena, const CType *to, RspSpace space) {
  CType *type = rsp_arena_new0 (arena, CType, 1);
  *type = (CType){ .kind = C_POINTER, .bits = 64, .space = RSP_SPACE_PRIVATE };
  type->to = rsp_arena_copy (arena, to, sizeof *to);
  type->to->space = space;
  return type;
}

CType *spirv_record (RspArena *arena, const CType *const *types, guint n) {
  CType *type = rsp_arena_new0 (arena, CType, 1);
  LitmusParser parser = { .arena = arena };
  *type = (CType){ .kind = C_STRUCT, .record = rsp_arena_new0 (arena, CStruct, 1) };
  *type->record = (CStruct){ .name = "", .complete = TRUE };
  for (guint i = 0; i < n; i++) {
    CVariable *member = rsp_arena_new0 (arena, CVariable, 1);
    *member = (CVariable){ .name = "", .type = (CType *) types[i] };
    type->record->members = rsp_litmus_append (&parser, type->record->members, member);
  }
  return type;
}

/* The element, in a structure of the size that the decoration of an array or pointer says: memory
 * is then laid out in bytes, or in units of 4; a structure with offsets has the size itself. */
static const CType *strided (SpirvFront *front, guint32 holder, const CType *element) {
  const SpirvInst *stride = spirv_decoration (front->module, holder, -1, SpvDecorationArrayStride);
  const CStruct *own = element->record;
  CType *type;
  if (element->kind == C_STRUCT) {
    if (!stride || !own->members.n || !((const CVariable *) own->members.items[0])->offset)
      return element;
    type = rsp_arena_copy (front->arena, element, sizeof *type);
    type->record = rsp_arena_copy (front->arena, own, sizeof *own);
  } else {
    if (!spirv_stride (front->module, holder))
      return element;
    type = spirv_record (front->arena, &element, 1);
    front->unit = stride->words[3] % 4 ? 1 : 4;
  }
  type->record->n_bytes = stride->words[3];
  type->record->alignment = 1;
  return type;
}

/* ---- Extents ---- */
static void refuse (SpirvFront *front, const SpirvInst *at, const char *what) {
  if (!front->refused)
    front->refused_at = at->span;
  front->refused = front->refused ? front->refused : what;
}

/* The extent of the type; those of elements and members are known. */
static SpirvExtent extent_of (SpirvFront *front, const SpirvInst *at) {
  const SpirvExtent part = front->extents[at->words[2] < front->module->bound ? at->words[2] : 0];
  const SpirvInst *stride
      = spirv_decoration (front->module, at->result, -1, SpvDecorationArrayStride);
  const guint64 step = stride ? stride->words[3] : part.bytes;
  const guint n = spirv_n_parts (front->module, at->result);
  switch ((SpvOp) at->opcode) {
  case SpvOpTypeVector:
  case SpvOpTypeMatrix:
    return (SpirvExtent){ part.bytes * at->words[3], part.irregular, FALSE };
  case SpvOpTypeArray:
  case SpvOpTypeRuntimeArray:
    if (step < part.bytes)
      refuse (front, at, "an array whose elements overlap");
    return (SpirvExtent){ at->opcode == SpvOpTypeRuntimeArray ? G_MAXUINT32
                          : n > 0 ? MIN ((guint64) (n - 1) * step + part.bytes, G_MAXUINT32)
                                  : 0,
                          part.irregular, part.common };
  default:
    return (SpirvExtent){ at->opcode == SpvOpTypePointer ? 8 : bytes_of (front->module, at->result),
                          FALSE, FALSE };
  }
}

/* The extent of a member; its decorations say how a matrix in it is laid out: as an array of
 * columns, like in C, or not. */
static SpirvExtent member_extent (SpirvFront *front, const SpirvInst *record, guint member) {
  const SpirvModule *module = front->module;
  SpirvExtent own = front->extents[record->words[2 + member]];
  const SpirvInst *at
      = spirv_definition (module, record->words[2 + member]),
      *stride = spirv_decoration (module, record->result, (int) member, SpvDecorationMatrixStride);
  while (at->opcode == SpvOpTypeArray || at->opcode == SpvOpTypeRuntimeArray)
    at = spirv_definition (module, at->words[2]);
  if (at->opcode != SpvOpTypeMatrix || !stride)
    return own;
  const gboolean by_rows
      = spirv_decoration (module, record->result, (int) member, SpvDecorationRowMajor) != NULL;
  const guint rows = spirv_definition (module, at->words[2])->words[3];
  own.bytes += (guint64) stride->words[4] * (by_rows ? rows : at->words[3])
               - front->extents[at->result].bytes;
  own.irregular |= by_rows || stride->words[4] != bytes_of (module, at->words[2]);
  return own;
}

typedef struct Bytes {
  guint64 begin, end;
} Bytes;

static int compare_begins (gconstpointer a, gconstpointer b) {
  const Bytes *x = a, *y = b;
  return (x->begin > y->begin) - (x->begin < y->begin);
}

static gboolean have_common (GArray *all) {
  guint64 end = 0;
  g_array_sort (all, compare_begins);
  for (guint i = 0; i < all->len; i++) {
    const Bytes *own = &g_array_index (all, Bytes, i);
    if (own->begin < end && own->begin < own->end)
      return TRUE;
    end = MAX (end, own->end);
  }
  return FALSE;
}

/* Members are where their offsets say. If the structure, or one in it, cannot be laid out so, it is
 * laid out as in C, which is not observable unless bytes are shared. */
static void place_members (SpirvFront *front, const SpirvInst *at, CStruct *record) {
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Bytes));
  SpirvExtent *whole = &front->extents[at->result];
  for (guint i = 0; i + 2 < at->n; i++) {
    const SpirvInst *offset
        = spirv_decoration (front->module, at->result, (int) i, SpvDecorationOffset);
    const SpirvExtent own = member_extent (front, at, i);
    const Bytes bytes
        = { offset ? offset->words[4] : 0, (offset ? offset->words[4] : 0) + own.bytes };
    if (offset)
      g_array_append_val (all, bytes);
    whole->irregular |= own.irregular || !offset;
    whole->common |= own.common;
    whole->bytes = MAX (whole->bytes, bytes.end);
  }
  for (guint i = 0; i < record->members.n && !whole->irregular; i++)
    ((CVariable *) record->members.items[i])->offset = g_array_index (all, Bytes, i).begin + 1;
  const gboolean common = record->is_union = have_common (all);
  whole->common |= common;
  if (common && whole->irregular)
    refuse (front, at,
            "overlapping members, of which one has no offset, or a matrix by rows or with gaps");
}

static void fill_struct (SpirvFront *front, const SpirvInst *at, CType *type) {
  CStruct *record = type->record = rsp_arena_new0 (front->arena, CStruct, 1);
  LitmusParser parser = { .arena = front->arena };
  record->name = front->module->names[at->result];
  record->complete = TRUE;
  record->aligned.packed
      = spirv_decoration (front->module, at->result, -1, SpvDecorationCPacked) != NULL;
  for (guint i = 2; i < at->n; i++) {
    CVariable *member = rsp_arena_new0 (front->arena, CVariable, 1);
    member->name = spirv_member_name (front->module, at->result, i - 2);
    member->type = (CType *) spirv_type (front, at->words[i]);
    member->span = at->span;
    record->members = rsp_litmus_append (&parser, record->members, member);
  }
  place_members (front, at, record);
}

static void fill_pointer (SpirvFront *front, const SpirvInst *at, CType *type) {
  const guint32 elements = spirv_elements_of (front->module, at->words[3]);
  const SpirvInst *to_type = spirv_definition (front->module, at->words[3]);
  const guint32 array = to_type->opcode == SpvOpTypeStruct ? to_type->words[2] : at->words[3];
  const CType *to = elements ? strided (front, array, spirv_type (front, elements))
                             : spirv_type (front, at->words[3]);
  *type = *spirv_pointer (front->arena, to, space_of (at->words[2]));
}

gboolean spirv_scalar_type (const SpirvInst *at, CType *type) {
  if (at->opcode == SpvOpTypeBool)
    *type = kernel_bool;
  else if (at->opcode == SpvOpTypeInt)
    *type = (CType){ .kind = C_INTEGER, .bits = (guint8) at->words[2], .is_signed = at->words[3] };
  else if (at->opcode == SpvOpTypeFloat)
    *type = (CType){ .kind = C_FLOAT, .bits = (guint8) at->words[2] };
  else
    return FALSE;
  return TRUE;
}

const CType *spirv_type (SpirvFront *front, guint32 id) {
  const SpirvInst *at = spirv_definition (front->module, id);
  if (id >= front->module->bound || front->types[id])
    return id < front->module->bound ? front->types[id] : &kernel_void;
  CType *type = rsp_arena_new0 (front->arena, CType, 1);
  const guint n = spirv_n_parts (front->module, id);
  front->types[id] = type;
  if (spirv_scalar_type (at, type)) {
    front->extents[id] = extent_of (front, at);
    return type;
  }
  switch ((SpvOp) at->opcode) {
  case SpvOpTypeVector:
  case SpvOpTypeMatrix: {
    const CType *part = spirv_type (front, at->words[2]);
    *type = *rsp_kernel_array_of (front->arena, part, at->words[3]);
    if (rsp_kernel_is_scalar (part) && at->words[3] <= 16)
      *type = (CType){ .kind = C_VECTOR, .to = (CType *) part, .lanes = at->words[3] };
    break;
  }
  case SpvOpTypeArray:
    if (n == 0)
      refuse (front, at, "an array without elements");
    *type = *rsp_kernel_array_of (
        front->arena, strided (front, id, spirv_type (front, at->words[2])), MAX (n, 1));
    break;
  case SpvOpTypeRuntimeArray:
    *type
        = *rsp_kernel_array_of (front->arena, strided (front, id, spirv_type (front, at->words[2])),
                                grown_elements (front, at->words[2]));
    break;
  case SpvOpTypeStruct:
    type->kind = C_STRUCT;
    fill_struct (front, at, type);
    break;
  case SpvOpTypePointer:
    fill_pointer (front, at, type);
    break;
  case SpvOpTypeVoid:
  case SpvOpTypeFunction:
    *type = kernel_void;
    break;
  default:
    *type = (CType){ .kind = C_OPAQUE, .name = front->module->names[id] };
    break;
  }
  if (at->opcode != SpvOpTypeStruct)
    front->extents[id] = extent_of (front, at);
  return type;
}

/* ---- Parameters ----------------------------------------------------------------------------- */

/* Variables in memory outside of functions are parameters, besides those of the entry; outputs too,
 * which tests compare, as compute shaders have no later stage. */

static gboolean is_shared (const SpirvInst *at) {
  static const SpvStorageClass shared[]
      = { SpvStorageClassStorageBuffer,   SpvStorageClassUniform,
          SpvStorageClassUniformConstant, SpvStorageClassPushConstant,
          SpvStorageClassCrossWorkgroup,  SpvStorageClassOutput };
  SPIRV_FIND (i, shared, shared[i] == at->words[3]);
  return at->opcode == SpvOpVariable && i < G_N_ELEMENTS (shared);
}

/* Is the variable an image or a sampler, or an array of them? */
static gboolean is_image (const SpirvModule *module, const SpirvInst *variable) {
  const SpirvInst *at
      = spirv_definition (module, spirv_definition (module, variable->type)->words[3]);
  while (at->opcode == SpvOpTypeArray || at->opcode == SpvOpTypeRuntimeArray)
    at = spirv_definition (module, at->words[2]);
  return at->opcode >= SpvOpTypeImage && at->opcode <= SpvOpTypeSampledImage;
}

/* A wrapper's parameter has the name of the one that it is passed on to. A block without a name of
 * its own has that of its type or, if it is one array, the array's, by which GLSL calls it. */
static const char *name_of (const SpirvModule *module, guint32 id) {
  if (module->names[id] != module->written[id])
    return module->names[id];
  const SpirvInst *pointer = spirv_definition (module, spirv_definition (module, id)->type);
  const char *own = spirv_reflected (module, id, FALSE);
  if (own && *own)
    return own;
  const guint32 block = pointer->opcode == SpvOpTypePointer ? pointer->words[3] : 0;
  if (spirv_definition (module, block)->opcode == SpvOpTypeStruct
      && module->names[block] != module->written[block])
    return spirv_elements_of (module, block) ? spirv_member_name (module, block, 0)
                                             : module->names[block];
  if (spirv_definition (module, id)->opcode != SpvOpFunctionParameter)
    return module->names[id];
  for (guint i = module->definitions[id]; i < module->n; i++) {
    const SpirvInst *at = &module->instructions[i];
    if (at->opcode == SpvOpFunctionEnd)
      break;
    const guint callee = at->opcode == SpvOpFunctionCall && at->words[3] < module->bound
                             ? module->definitions[at->words[3]]
                             : 0;
    for (guint k = 4; callee && k < at->n && callee + k - 4 < module->n; k++)
      if (at->words[k] == id
          && module->instructions[callee + k - 4].opcode == SpvOpFunctionParameter)
        return module->names[module->instructions[callee + k - 4].result];
  }
  return module->names[id];
}

void spirv_name_parameters (SpirvModule *module) {
  g_autoptr (GHashTable) taken = g_hash_table_new (g_str_hash, g_str_equal),
                         inner = g_hash_table_new (g_str_hash, g_str_equal);
  for (all_instructions (at, module)) {
    if (at->opcode == SpvOpFunction)
      g_hash_table_remove_all (inner);
    if (!is_shared (at) && at->opcode != SpvOpFunctionParameter)
      continue;
    const char *name = name_of (module, at->result);
    const gboolean is_taken
        = g_hash_table_contains (taken, name) || g_hash_table_contains (inner, name);
    module->names[at->result] = is_taken ? module->written[at->result] : name;
    g_hash_table_add (is_shared (at) ? taken : inner, (gpointer) module->names[at->result]);
  }
}

static CVariable *declare (SpirvFront *front, const SpirvInst *at, const CType *type) {
  CVariable *own = rsp_arena_new0 (front->arena, CVariable, 1);
  *own = (CVariable){ .name = front->module->names[at->result],
                      .type = (CType *) type,
                      .span = at->span };
  front->variables[at->result] = own;
  return own;
}

/* Images and samplers, and arrays of them, are values. What is passed by value (ByVal) is behind a
 * pointer of the class Function, and constant for all work-items. */
static CVariable *parameter_of (SpirvFront *front, const SpirvInst *at) {
  const CType *type = spirv_type (front, at->type);
  if (at->opcode == SpvOpVariable && is_image (front->module, at))
    for (type = type->to; type->kind == C_ARRAY;)
      type = type->to;
  if (at->opcode == SpvOpFunctionParameter && type->to && type->to->space == RSP_SPACE_PRIVATE)
    type = spirv_pointer (front->arena, type->to, RSP_SPACE_CONSTANT);
  return declare (front, at, type);
}

const CVariable *spirv_local (SpirvFront *front, const SpirvInst *at) {
  const guint32 type = spirv_definition (front->module, at->type)->words[3];
  const CVariable *own = front->variables[at->result];
  return own ? own : declare (front, at, spirv_type (front, type));
}

/* ---- Shared memory ---- */
/* Variables of an entry with the same binding share one memory, and so do the blocks of a
 * work-group. */

/* A key that variables of one memory share; 0: the variable has its own. */
static guint64 memory_of (const SpirvModule *module, const SpirvInst *at) {
  const SpirvInst *set = spirv_decoration (module, at->result, -1, SpvDecorationDescriptorSet),
                  *binding = spirv_decoration (module, at->result, -1, SpvDecorationBinding);
  const guint32 to = spirv_definition (module, at->type)->words[3];
  const gboolean is_block = spirv_decoration (module, to, -1, SpvDecorationBlock) != NULL;
  if (at->opcode == SpvOpVariable && at->words[3] == SpvStorageClassWorkgroup)
    return is_block ? G_MAXUINT64 : 0;
  const gboolean is_uniform = at->words[3] == SpvStorageClassUniform && is_block;
  return is_shared (at) && set && binding
             ? ((guint64) set->words[3] << 33 | (guint64) is_uniform << 32 | binding->words[3]) + 1
             : 0;
}

void spirv_mark_used (const SpirvModule *module, guint32 function, guint8 *used) {
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (open, function);
  for (guint f = 0; f < open->len; f++) {
    const guint32 id = g_array_index (open, guint32, f);
    for (guint i = id < module->bound ? module->definitions[id] : 0;
         i && i < module->n && module->instructions[i].opcode != SpvOpFunctionEnd; i++) {
      const SpirvInst *at = &module->instructions[i];
      for (guint w = 1; w < at->n; w++)
        if (at->words[w] < module->bound)
          used[at->words[w]] |= 1;
      if (at->opcode == SpvOpFunctionCall && !(used[at->words[3]] & 2)) {
        used[at->words[3]] |= 2;
        g_array_append_val (open, at->words[3]);
      }
    }
  }
}

static guint32 holder_of (const SpirvFront *front, guint32 id) {
  while (front->holders[id])
    id = front->holders[id];
  return id;
}

/* Gives both variables one memory: of the one with initial values, else of the larger one. */
static gboolean unite (SpirvFront *front, guint32 a, guint32 b, RspDiagnostics *diagnostics) {
  const SpirvModule *module = front->module;
  const guint32 all[] = { holder_of (front, a), holder_of (front, b) };
  guint32 types[2];
  gboolean given[2];
  for (guint i = 0; i < 2; i++) {
    types[i] = spirv_definition (module, spirv_definition (module, all[i])->type)->words[3];
    given[i] = g_hash_table_contains (front->inputs, GUINT_TO_POINTER (all[i]));
    spirv_type (front, types[i]);
  }
  if (all[0] == all[1])
    return TRUE;
  const SpirvExtent *extents[] = { &front->extents[types[0]], &front->extents[types[1]] };
  const gboolean irregular = extents[0]->irregular || extents[1]->irregular;
  if ((given[0] && given[1]) || (types[0] != types[1] && irregular)) {
    rsp_error (diagnostics, spirv_definition (module, b)->span,
               irregular ? NULL : "give them to one of both",
               "`%s` and `%s` are one memory, and %s", module->names[all[0]], module->names[all[1]],
               irregular ? "one has a member without an offset, or a matrix by rows or with gaps: "
                           "this is not supported"
                         : "both have initial values");
    return FALSE;
  }
  const guint greater = given[0] ? 0 : given[1] ? 1 : extents[1]->bytes > extents[0]->bytes;
  front->holders[all[!greater]] = all[greater];
  ((CVariable *) front->variables[all[!greater]])->same = front->variables[all[greater]];
  return TRUE;
}

static gboolean unite_all (SpirvFront *front, const SpirvInst *entry, RspDiagnostics *diagnostics) {
  const SpirvModule *module = front->module;
  g_autofree guint8 *used = g_new0 (guint8, module->bound);
  g_autoptr (GHashTable) first = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  gboolean good = TRUE;
  spirv_mark_used (module, entry->words[2], used);
  for (guint i = 0; i < module->n_outside && good; i++) {
    const SpirvInst *at = &module->instructions[i];
    const guint64 key
        = at->opcode == SpvOpVariable && used[at->result] ? memory_of (module, at) : 0;
    if (!key || (key != G_MAXUINT64 && front->variables[at->result]->type->kind != C_POINTER))
      continue;
    spirv_local (front, at);
    const gpointer other = g_hash_table_lookup (first, &key);
    if (other)
      good = unite (front, GPOINTER_TO_UINT (other), at->result, diagnostics);
    else
      g_hash_table_insert (first, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (at->result));
  }
  return good;
}

static CFunction *declare_entry (SpirvFront *front, LitmusParser *parser, const SpirvInst *entry,
                                 LitmusList globals) {
  const SpirvModule *module = front->module;
  CFunction *own = rsp_arena_new0 (front->arena, CFunction, 1);
  own->name = spirv_string (entry, 3);
  own->is_kernel = TRUE;
  own->result = (CType *) &kernel_void;
  own->parameters = globals;
  guint i = module->definitions[entry->words[2]];
  own->span = module->instructions[i - 1].span;
  for (; i < module->n && module->instructions[i].opcode == SpvOpFunctionParameter; i++)
    own->parameters = rsp_litmus_append (parser, own->parameters,
                                         parameter_of (front, &module->instructions[i]));
  own->parameters = spirv_reflect_parameters (front, parser, entry, own->parameters);
  return own;
}

gboolean spirv_declare (RspKernelFront *base, CUnit *unit, const CExpr **filter, RspArena *arena,
                        RspDiagnostics *diagnostics) {
  SpirvFront *front = (SpirvFront *) base;
  const SpirvModule *module = front->module;
  LitmusParser parser = { .arena = arena, .diagnostics = diagnostics };
  LitmusList globals = { 0 };
  spirv_fold_constants (front->module, base->grid);
  front->arena = arena;
  front->types = rsp_arena_new0 (arena, const CType *, module->bound);
  front->extents = rsp_arena_new0 (arena, SpirvExtent, module->bound);
  front->holders = rsp_arena_new0 (arena, guint32, module->bound);
  front->refused = NULL;
  front->pods = NULL;
  front->variables = rsp_arena_new0 (arena, const CVariable *, module->bound);
  for (all_declarations (at, module))
    if (is_shared (at))
      globals = rsp_litmus_append (&parser, globals, parameter_of (front, at));
  const SpirvInst *other = NULL;
  for (all_declarations (at, module)) {
    if (at->opcode == SpvOpEntryPoint && !spirv_is_compute (at))
      other = at;
    else if (at->opcode == SpvOpEntryPoint) {
      if (!module->definitions[at->words[2]]) {
        rsp_error (diagnostics, at->span, NULL, "the function of `%s` is not defined",
                   spirv_string (at, 3));
        return FALSE;
      }
      unit->functions = rsp_litmus_append (&parser, unit->functions,
                                           declare_entry (front, &parser, at, globals));
      if (!unite_all (front, at, diagnostics))
        return FALSE;
    }
  }
  if (other && !unit->functions.n) {
    rsp_error (diagnostics, other->span, NULL,
               "`%s` is neither a compute shader nor a kernel: others are not supported",
               spirv_string (other, 3));
    return FALSE;
  }
  for (guint i = 0; i < front->outputs->len; i++) {
    const CExpr *output
        = spirv_question (front, g_array_index (front->outputs, RspSpan, i), diagnostics);
    if (!output)
      return FALSE;
    unit->asserts = rsp_litmus_append (&parser, unit->asserts, (gpointer) output);
  }
  *filter = front->filter.source ? spirv_question (front, front->filter, diagnostics) : NULL;
  return *filter || !front->filter.source;
}

/* ---- Initial values ------------------------------------------------------------------------- */

/* The float that has the bits. */
static double real_of (guint8 bits, gint64 number) {
  const RspNumberType from = { .bits = bits, .is_float = TRUE },
                      to = { .bits = 64, .is_float = TRUE };
  const gint64 convert = rsp_float_function ("convert", to, &from, 1);
  double value;
  number = convert ? rsp_float_calculate (convert, &number) : 0;
  memcpy (&value, &number, sizeof value);
  return value;
}

enum { MOST_VALUES = 4194304 /* of a list, with those of the lists in it */ };

/* The byte at which a part of the type begins; of the fourth of three lanes, -1. */
static gint64 part_byte (const SpirvModule *module, const SpirvInst *at, gint64 i) {
  const SpirvInst *stride = spirv_decoration (module, at->result, -1, SpvDecorationArrayStride),
                  *offset = spirv_decoration (module, at->result, (int) i, SpvDecorationOffset);
  if (at->opcode == SpvOpTypeStruct)
    return offset ? offset->words[4] : 0;
  if (at->opcode == SpvOpTypeVector && i >= at->words[3])
    return -1;
  return i * (gint64) (stride ? stride->words[3] : bytes_of (module, at->words[2]));
}

/* The number of the type that begins at the byte of the bytes. */
static SpirvInput read_bytes (const SpirvModule *module, guint32 type, const SpirvInput *bytes,
                              gint64 byte) {
  SpirvInput own = { .is_constant = TRUE };
  const gint64 end = MIN (byte + (gint64) bytes_of (module, type), bytes->number);
  for (gint64 k = byte; k >= 0 && k < end; k++)
    own.number |= (gint64) ((guint64) (g_ascii_xdigit_value (bytes->hex[2 * k]) << 4
                                       | g_ascii_xdigit_value (bytes->hex[2 * k + 1]))
                            << (8 * (k - byte)));
  return own;
}

/* Appends the values of the type's cells; input NULL: 0. room: how many more values fit; 0
 * afterwards: some are missing. byte: where it begins in the input's bytes, if it has these; if
 * they are empty, the bytes are listed themselves. */
static void add_cells (const SpirvModule *module, guint32 type, const SpirvInput *input,
                       gint64 byte, guint *room, GString *out) {
  const SpirvInst *at = spirv_definition (module, type);
  const LitmusList items = input ? input->items : (LitmusList){ 0 };
  const char *hex = input ? input->hex : NULL;
  gint64 n = spirv_n_parts (module, type);
  SpirvInput own;
  *room -= *room > 0;
  switch ((SpvOp) at->opcode) {
  case SpvOpTypeVector:
  case SpvOpTypeStruct:
  case SpvOpTypeMatrix:
  case SpvOpTypeArray:
    n += n == 3 && at->opcode == SpvOpTypeVector; /* a gap */
    break;
  case SpvOpTypeRuntimeArray:
    n = items.n ? items.n : hex ? (input->number - byte) / MAX (1, part_byte (module, at, 1)) : 0;
    break;
  default:
    own = hex ? read_bytes (module, type, input, byte) : input ? *input : (SpirvInput){ 0 };
    g_string_append (out, out->len ? "," : "");
    if (hex && !*hex)
      g_string_append_printf (out, "%" G_GINT64_FORMAT ":%u", byte, type);
    else if (at->opcode == SpvOpTypeFloat)
      g_string_append_printf (out, "%.17g",
                              own.is_constant ? real_of ((guint8) at->words[2], own.number)
                                              : (double) own.number);
    else if (at->opcode == SpvOpTypeInt)
      g_string_append_printf (out, at->words[3] ? "%" G_GINT64_FORMAT : "%" G_GUINT64_FORMAT,
                              rsp_wrap (own.number, (guint8) at->words[2], at->words[3]));
    else
      g_string_append_printf (out, "%" G_GINT64_FORMAT, own.number);
    return;
  }
  for (gint64 i = 0; i < n && *room; i++) {
    const gint64 part = hex ? part_byte (module, at, i) : 0;
    add_cells (module, at->words[at->opcode == SpvOpTypeStruct ? 2 + i : 2],
               !items.n      ? input
               : i < items.n ? items.items[i]
                             : NULL, /* a number is all's */
               part < 0 ? part : byte + part, room, out);
  }
}

char **spirv_cell_bytes (const SpirvModule *module, guint32 type) {
  g_autoptr (GString) out = g_string_new (NULL);
  const SpirvInput bytes = { .hex = "" };
  guint room = MOST_VALUES;
  add_cells (module, type, &bytes, 0, &room, out);
  return g_strsplit (out->str, ",", -1);
}

char *spirv_cells (const SpirvModule *module, guint32 type, const SpirvInput *input) {
  GString *out = g_string_new (NULL);
  guint room = MOST_VALUES;
  add_cells (module, type, input, 0, &room, out);
  return g_string_free (out, !room);
}

/* The constant as an input. */
static SpirvInput *input_of_constant (const SpirvModule *module, guint32 id) {
  const SpirvInst *at = spirv_definition (module, id);
  SpirvInput *own = rsp_arena_new0 (module->arena, SpirvInput, 1);
  LitmusParser parser = { .arena = module->arena };
  own->is_constant = spirv_literal (module, id, &own->number);
  if (at->opcode == SpvOpConstantComposite || at->opcode == SpvOpSpecConstantComposite)
    for (guint i = 3; i < at->n; i++)
      own->items
          = rsp_litmus_append (&parser, own->items, input_of_constant (module, at->words[i]));
  return own;
}

/* FALSE: it has too many values. */
static gboolean add_argument (SpirvFront *front, const SpirvInst *at, const SpirvInput *input) {
  const SpirvModule *module = front->module;
  const SpirvInst *type = spirv_definition (module, at->type), *to;
  const char *name = module->names[at->result];
  g_autoptr (GString) values = g_string_new (NULL);
  guint room = MOST_VALUES;
  if (type->opcode != SpvOpTypePointer) {
    if (input)
      add_cells (module, at->type, input, 0, &room, values);
    else
      g_string_assign (values, "any");
    g_ptr_array_add (front->arguments, g_strdup_printf ("%s=%s", name, values->str));
    return room > 0;
  }
  const guint32 elements = spirv_elements_of (module, type->words[3]);
  const gboolean of_kernel = at->opcode == SpvOpFunctionParameter;
  to = spirv_definition (module, type->words[3]);
  if (elements && input && input->items.n && to->opcode == SpvOpTypeStruct)
    input = input->items.items[0];
  if (!input && to->opcode == SpvOpTypeStruct && to->n > 2
      && spirv_definition (module, to->words[to->n - 1])->opcode == SpvOpTypeRuntimeArray)
    return TRUE; /* it grows */
  const gboolean listed = elements || of_kernel, has_bytes = input && input->hex;
  const SpirvInst *array
      = to->opcode == SpvOpTypeStruct ? spirv_definition (module, to->words[2]) : to;
  const gint64 step = elements ? MAX (1, part_byte (module, array, 1)) : 0;
  const guint n = !listed     ? 1
                  : has_bytes ? (guint) (input->number / MAX (1, step))
                  : input     ? input->items.n
                              : 0;
  if (!n)
    return TRUE;
  for (guint i = 0; i < n && (input || at->words[3] == SpvStorageClassPushConstant); i++)
    add_cells (module, elements ? elements : type->words[3],
               listed && !has_bytes ? input->items.items[i] : input, i * step, &room, values);
  g_ptr_array_add (front->arguments,
                   g_strdup_printf ("%s[%u]%s%s", name, n, values->len ? "=" : "", values->str));
  return room > 0;
}

/* Is it the entry's: an input, or, in a test, any number? */
static gboolean is_taken (const SpirvFront *front, const SpirvInst *at, guint32 function,
                          const SpirvInput *input, const char *entry) {
  return spirv_entry (front->module, function, entry)
         && (input
             || (front->config[0]
                 && spirv_definition (front->module, at->type)->opcode == SpvOpTypeInt));
}

gboolean spirv_add_arguments (SpirvFront *front, const char *entry, RspDiagnostics *diagnostics) {
  const SpirvModule *module = front->module;
  guint32 function = 0;
  for (all_instructions (at, module)) {
    function = at->opcode == SpvOpFunction ? at->result : function;
    const SpirvInput *input = g_hash_table_lookup (front->inputs, GUINT_TO_POINTER (at->result));
    SpirvInput data = { .hex = is_shared (at) ? spirv_reflected (module, at->result, TRUE) : NULL };
    const gsize digits = data.hex ? strlen (data.hex) : 0;
    data.number = (gint64) digits / 2;
    if (digits && (digits % 2 || strspn (data.hex, "0123456789abcdefABCDEF") != digits)) {
      rsp_error (diagnostics, at->span, NULL,
                 "the reflection of `%s` has data that are not pairs of hexadecimal digits",
                 module->names[at->result]);
      return FALSE;
    }
    if (is_shared (at) && !input)
      input = at->n > 4 ? input_of_constant (module, at->words[4]) : digits ? &data : NULL;
    if (((is_shared (at) && !is_image (module, at))
         || (at->opcode == SpvOpFunctionParameter && is_taken (front, at, function, input, entry)))
        && !add_argument (front, at, input)) {
      rsp_error (diagnostics, at->span, NULL, "`%s` has too many initial values",
                 module->names[at->result]);
      return FALSE;
    }
  }
  return TRUE;
}
