/* The body of a work-item: functions are inlined, blocks are statements between labels, and phis
 * are assigned on the ways to their blocks. */
#include "extra/spirv/internal.h"

#include <string.h>

/* A jump, which is emitted before its label. */
typedef struct Jump {
  RspStatement *statement;
  guint32 label; /* 0: the end of the function */
} Jump;

/* A loop, whose rounds are counted: work-items are together at an operation of their group in the
 * same round. */
typedef struct Loop {
  guint32 header;
  GHashTable *inside; /* labels */
  guint reg;
} Loop;

typedef struct Block {
  guint32 label;
  guint first; /* the number of its first instruction */
  guint place; /* in the order + 1; 0: it is not reached */
  RspStatement *begin;
  GArray *targets; /* while it is on the search's path: of guint32, those to be visited */
} Block;

/* A function that is being inlined. */
typedef struct Inlined {
  SpirvLowerer *s;
  guint begin, end;   /* its instructions */
  GHashTable *blocks; /* labels → Block */
  GPtrArray *order;   /* of Block: those that are reached, each after its dominators */
  GArray *jumps;      /* of Jump */
  GArray *loops;      /* of Loop, outer ones first; only if the module `counts` */
  guint32 block;      /* the label of the block that is emitted */
  KernelValue result;
} Inlined;

void spirv_refuse (SpirvLowerer *s, const SpirvInst *at, const char *what) {
  g_autofree char *name = spirv_opcode_name (at->opcode);
  rsp_kernel_refuse (s->l, at->span, NULL, "`%s`%s%s", name, what ? " " : "", what ? what : "");
}

/* ---- Values --------------------------------------------------------------------------------- */

KernelValue spirv_undefined (SpirvLowerer *s, const SpirvInst *at, const CType *type) {
  KernelLowerer *l = s->l;
  KernelValue value = rsp_kernel_cells_value (l, type, rsp_kernel_cells (l, type, at->span));
  for (guint i = 0; i < value.n; i++) {
    RspExpr *own[] = { rsp_kernel_constant (l, at->span, s->n_undefined++, &kernel_int),
                       rsp_kernel_constant (l, at->span, l->thread, &kernel_int),
                       rsp_kernel_constant (l, at->span, i, &kernel_int) };
    value.cells[i] = rsp_kernel_apply (l, at->span, "undef", rsp_kernel_leaf (l, type, i), own, 3);
  }
  g_string_append_printf (l->identity, "undef %u;", l->thread);
  return value;
}

static KernelValue make_constant (SpirvLowerer *s, const SpirvInst *at) {
  KernelLowerer *l = s->l;
  const CType *type = spirv_type (s->front, at->type);
  KernelValue value = rsp_kernel_dummy (l, at->span, type);
  gint64 number;
  guint n = 0;
  switch ((SpvOp) at->opcode) {
  case SpvOpConstantComposite:
  case SpvOpSpecConstantComposite:
    for (guint i = 3; i < at->n; i++) {
      const KernelValue part = spirv_value (s, at, i);
      for (guint k = 0; k < part.n && n < value.n; k++)
        value.cells[n++] = part.cells[k];
    }
    return value;
  case SpvOpUndef:
    return spirv_undefined (s, at, type);
  default:
    if (spirv_literal (s->module, at->result, &number) && value.n == 1)
      value.cells[0] = rsp_kernel_constant (l, at->span, rsp_kernel_wrap (number, type), type);
    return value;
  }
}

/* Constants belong at the beginning of a module; some producers write them into functions, too. */
static gboolean is_constant (guint16 opcode) {
  return opcode == SpvOpUndef || (opcode >= SpvOpConstantTrue && opcode <= SpvOpConstantNull);
}

/* A constant or variable of the module. */
static SpirvValue module_value (SpirvLowerer *s, guint32 id) {
  const SpirvInst *at = spirv_definition (s->module, id);
  SpirvValue own = { .kind = SPIRV_VALUE };
  if (at->opcode == SpvOpVariable)
    return spirv_variable (s, id);
  const SpirvInst *built_in = spirv_decoration (s->module, id, -1, SpvDecorationBuiltIn);
  own.value = make_constant (s, at);
  if (built_in && built_in->words[3] == SpvBuiltInWorkgroupSize)
    for (guint d = 0; d < own.value.n && d < RSP_GRID_DIMENSIONS; d++)
      own.value.cells[d]
          = rsp_kernel_constant (s->l, at->span, s->l->options->grid.item_sizes[d], &kernel_uint);
  else if (at->opcode == SpvOpSpecConstantOp) {
    guint32 *words = rsp_arena_copy (s->l->arena, at->words, at->n * sizeof (guint32));
    SpirvInst operation = *at;
    memmove (words + 3, words + 4, (at->n - 4) * sizeof (guint32));
    operation.opcode = (guint16) at->words[3];
    operation.n--;
    operation.words = words;
    if (!spirv_calculate (s, &operation))
      spirv_refuse (s, &operation, "in a constant");
    return s->values[id];
  }
  return own;
}

/* Makes a pointer that is a value the place it points to. */
static void make_place (SpirvLowerer *s, guint32 id, SpirvValue *own) {
  const SpirvInst *at = spirv_definition (s->module, id),
                  *type = spirv_definition (s->module, at->type);
  if (own->kind != SPIRV_VALUE || type->opcode != SpvOpTypePointer || !own->value.n)
    return;
  own->kind = SPIRV_PLACE;
  own->to = type->words[3];
  own->storage = type->words[2];
  own->place
      = (KernelPlace){ .type = spirv_type (s->front, own->to), .address = own->value.cells[0] };
  spirv_decorate (s, id, -1, own);
}

static gboolean is_input (const SpirvInst *at) {
  return at->opcode == SpvOpVariable && at->words[3] == SpvStorageClassInput;
}

SpirvValue spirv_known (SpirvLowerer *s, const SpirvInst *user, guint word) {
  KernelLowerer *l = s->l;
  const guint32 id = user->words[word];
  const SpirvValue none
      = { .kind = SPIRV_VALUE, .value = rsp_kernel_dummy (l, user->span, &kernel_int) };
  if (id >= s->module->bound || l->gave_up)
    return none;
  const SpirvInst *at = spirv_definition (s->module, id);
  if (s->values[id].kind == SPIRV_NONE && is_input (at))
    s->values[id] = spirv_variable (s, id);
  else if (s->values[id].kind == SPIRV_NONE) {
    rsp_kernel_refuse (l, user->span, NULL, "a use of `%s` where it has no value",
                       s->module->written[id]);
    return none;
  }
  SpirvValue own = s->values[id];
  if (at->opcode == SpvOpUndef) /* another value at each use */
    own.value = spirv_undefined (s, at, own.value.type);
  make_place (s, id, &own);
  return own;
}

KernelValue spirv_value (SpirvLowerer *s, const SpirvInst *at, guint word) {
  const SpirvValue own = spirv_known (s, at, word);
  if (own.kind == SPIRV_VALUE)
    return own.value;
  if (own.kind == SPIRV_CONTENT)
    rsp_kernel_refuse (s->l, at->span, NULL, "the address of a built-in variable as a value");
  if (own.kind != SPIRV_PLACE)
    return rsp_kernel_dummy (s->l, at->span, &kernel_int);
  return rsp_kernel_scalar (s->l, rsp_kernel_address (s->l, own.place, at->span),
                            rsp_kernel_pointer_to (s->l, own.place.type));
}

KernelValue spirv_result (SpirvLowerer *s, const SpirvInst *at) {
  return rsp_kernel_dummy (s->l, at->span, spirv_type (s->front, at->type));
}

RspExpr *spirv_scalar (SpirvLowerer *s, const SpirvInst *at, guint word) {
  const KernelValue value = spirv_value (s, at, word);
  return value.n ? value.cells[0] : rsp_kernel_constant (s->l, at->span, 0, &kernel_int);
}

KernelValue spirv_qualified (const SpirvLowerer *s, const SpirvValue *own, RspSpan span) {
  const CType *types[1 + SPIRV_PROPERTIES] = { own->value.type };
  RspExpr *cells[1 + SPIRV_PROPERTIES] = { own->value.n ? own->value.cells[0] : NULL };
  guint n = 1;
  for (guint i = 0; i < SPIRV_PROPERTIES && types[0]->kind == C_POINTER && cells[0]; i++)
    if (spirv_has (s, i)) {
      types[n] = &kernel_int;
      cells[n++] = own->properties[i] ? own->properties[i]
                                      : rsp_kernel_constant (s->l, span, 0, &kernel_int);
    }
  if (n == 1)
    return own->value;
  return (KernelValue){ spirv_record (s->l->arena, types, n),
                        rsp_arena_copy (s->l->arena, cells, sizeof cells), n };
}

KernelValue spirv_qualified_at (SpirvLowerer *s, const SpirvInst *at, guint word) {
  SpirvValue own = spirv_known (s, at, word);
  own.value = spirv_value (s, at, word);
  return spirv_qualified (s, &own, at->span);
}

void spirv_set_held (SpirvLowerer *s, const SpirvInst *at, KernelValue value) {
  const CType *type = spirv_type (s->front, at->type);
  SpirvValue own = { .kind = SPIRV_VALUE, .value = value };
  if (type->kind == C_POINTER && value.n > 1) {
    own.value = rsp_kernel_scalar (s->l, value.cells[0], type);
    for (guint i = 0, n = 1; i < SPIRV_PROPERTIES; i++)
      if (spirv_has (s, i))
        own.properties[i] = value.cells[n++];
  }
  s->values[at->result] = own;
}

void spirv_set (SpirvLowerer *s, const SpirvInst *at, KernelValue value) {
  spirv_set_held (s, at, rsp_kernel_held (s->l, value, at->span));
}

/* New registers for a value of the kind, a number each even where memory consists of bytes. */
static KernelValue registers_for (SpirvLowerer *s, const char *name, KernelValue like,
                                  RspSpan span) {
  KernelValue own = rsp_kernel_cells_value (s->l, like.type, like.n);
  for (guint i = 0; i < own.n; i++)
    own.cells[i] = rsp_kernel_register (
        s->l, span,
        rsp_kernel_add_registers (s->l, name, rsp_kernel_leaf (s->l, like.type, i), FALSE, span));
  return own;
}

KernelValue spirv_qualified_result (SpirvLowerer *s, const SpirvInst *at) {
  const SpirvValue own = { .kind = SPIRV_VALUE, .value = spirv_result (s, at) };
  return spirv_qualified (s, &own, at->span);
}

/* ---- Blocks --------------------------------------------------------------------------------- */

static const SpirvInst *instruction (const Inlined *f, guint i) {
  return &f->s->module->instructions[i];
}

static Block *block_of (const Inlined *f, guint32 label) {
  return g_hash_table_lookup (f->blocks, GUINT_TO_POINTER (label));
}

/* The labels that the block may go to. Blocks may lack an end. */
static void add_targets (const Inlined *f, const Block *block, GArray *out) {
  guint i = block ? block->first : f->end;
  while (i < f->end && !spirv_ends_block (instruction (f, i)->opcode))
    i++;
  if (i >= f->end)
    return;
  const SpirvModule *module = f->s->module;
  const SpirvInst *at = instruction (f, i),
                  *type = spirv_definition (module, spirv_definition (module, at->words[1])->type);
  const gboolean is_branch = at->opcode == SpvOpBranch, is_switch = at->opcode == SpvOpSwitch,
                 is_wide = type->opcode == SpvOpTypeInt && type->words[2] > 32,
                 chooses = at->opcode == SpvOpBranchConditional;
  const guint end = is_switch ? at->n : is_branch ? 2 : chooses ? 4 : 0;
  for (guint k = is_branch ? 1 : 2; k < end; k += !is_switch ? 1 : is_wide ? 3 : 2)
    g_array_append_vals (out, at->words + k, 1);
}

static int compare_blocks (gconstpointer a, gconstpointer b, gpointer data) {
  const Block *x = block_of (data, *(const guint32 *) a),
              *y = block_of (data, *(const guint32 *) b);
  return ((x ? x->first : 0) > (y ? y->first : 0)) - ((x ? x->first : 0) < (y ? y->first : 0));
}

/* Begins to visit the block; the last of its targets in the text is the first to be visited. */
static void visit (Inlined *f, guint32 label, GPtrArray *open) {
  Block *own = block_of (f, label);
  if (!own || own->targets)
    return;
  own->targets = g_array_new (FALSE, FALSE, sizeof (guint32));
  add_targets (f, own, own->targets);
  g_array_sort_with_data (own->targets, compare_blocks, f);
  g_ptr_array_add (open, own);
}

/* Finds the reachable blocks in reverse postorder, so that each comes after its dominators. */
static void find_reachable (Inlined *f) {
  g_autoptr (GPtrArray) open = g_ptr_array_new ();
  guint32 first = 0;
  for (guint i = f->begin; i < f->end; i++)
    if (instruction (f, i)->opcode == SpvOpLabel) {
      Block *own = rsp_arena_new0 (f->s->l->arena, Block, 1);
      *own = (Block){ .label = instruction (f, i)->result, .first = i + 1 };
      g_hash_table_insert (f->blocks, GUINT_TO_POINTER (own->label), own);
      first = first ? first : own->label;
    }
  visit (f, first, open);
  while (open->len) {
    Block *own = open->pdata[open->len - 1];
    const guint n = own->targets->len;
    if (n) {
      const guint32 next = g_array_index (own->targets, guint32, n - 1);
      g_array_set_size (own->targets, n - 1);
      visit (f, next, open);
      continue;
    }
    g_ptr_array_insert (f->order, 0, own);
    g_array_unref (own->targets);
    g_ptr_array_set_size (open, open->len - 1);
  }
  for (guint k = 0; k < f->order->len; k++)
    ((Block *) f->order->pdata[k])->place = k + 1;
}

/* condition NULL: always. */
static RspStatement *jump (Inlined *f, guint32 label, RspExpr *condition, RspSpan span) {
  Jump own = { rsp_kernel_emit (f->s->l, RSP_STATEMENT_JUMP, span), label };
  own.statement->expr = condition;
  g_array_append_val (f->jumps, own);
  return own.statement;
}

/* The phis of a block, which compilers do not always put first. */
static const SpirvInst *phi (const Inlined *f, guint32 label, guint i) {
  const Block *own = block_of (f, label);
  for (guint k = own && own->place ? own->first : f->end; k < f->end; k++) {
    const SpirvInst *at = instruction (f, k);
    if (at->opcode == SpvOpPhi && i-- == 0)
      return at;
    if (spirv_ends_block (at->opcode))
      break;
  }
  return NULL;
}

/* ---- Rounds ---- */
static const Loop *loop_at (const Inlined *f, guint32 header) {
  for (guint i = 0; i < f->loops->len; i++)
    if (g_array_index (f->loops, Loop, i).header == header)
      return &g_array_index (f->loops, Loop, i);
  return NULL;
}

/* The block's place in the order, from 1. */
static guint order_of (const Inlined *f, guint32 label) {
  return block_of (f, label) ? block_of (f, label)->place : 0;
}

/* Finds the blocks inside the loop: those reached from the header without leaving to its merge
 * block or an outer loop. */
static void find_inside (Inlined *f, Loop *loop, guint32 merge) {
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint32));
  const guint first = order_of (f, loop->header);
  g_array_append_val (open, loop->header);
  for (guint k = 0; k < open->len; k++) {
    const guint32 label = g_array_index (open, guint32, k);
    if (label == merge || order_of (f, label) < first
        || !g_hash_table_add (loop->inside, GUINT_TO_POINTER (label)))
      continue;
    add_targets (f, block_of (f, label), open);
  }
}

static void find_loops (Inlined *f) {
  for (guint k = 0; k < f->order->len; k++) {
    const Block *block = f->order->pdata[k];
    Loop own = { .header = block->label };
    guint i = block->first;
    while (i < f->end && !spirv_ends_block (instruction (f, i)->opcode)
           && instruction (f, i)->opcode != SpvOpLoopMerge)
      i++;
    if (i == f->end || instruction (f, i)->opcode != SpvOpLoopMerge)
      continue;
    own.inside = g_hash_table_new (NULL, NULL);
    own.reg = rsp_kernel_add_registers (f->s->l, "", &kernel_uint, FALSE, instruction (f, i)->span);
    find_inside (f, &own, instruction (f, i)->words[1]);
    g_array_append_val (f->loops, own);
  }
}

/* The rounds of all loops around the block and its calls, as one number. Inner loops have at most
 * MOST_ROUNDS; more give a number beyond all memory. */
static RspExpr *rounds_at (const Inlined *f, RspSpan span) {
  enum { MOST_ROUNDS = 32, BEYOND = RSP_KERNEL_MAX_CELLS };
  KernelLowerer *l = f->s->l;
  RspExpr *all = f->s->rounds;
  const char *text = rsp_arena_printf (
      l->arena, "uint f (uint outer, uint inner) { return inner < %d ? outer * %d + inner : %d; }",
      MOST_ROUNDS, MOST_ROUNDS, BEYOND);
  for (guint i = 0; i < f->loops->len; i++) {
    const Loop *own = &g_array_index (f->loops, Loop, i);
    if (!g_hash_table_contains (own->inside, GUINT_TO_POINTER (f->block)))
      continue;
    RspExpr *mine = rsp_kernel_register (l, span, own->reg);
    if (!all) {
      all = mine;
      continue;
    }
    const KernelValue both[]
        = { rsp_kernel_scalar (l, all, &kernel_uint), rsp_kernel_scalar (l, mine, &kernel_uint) };
    all = rsp_kernel_inline_text (l, span, text, both).cells[0];
  }
  return all ? rsp_kernel_held (l, rsp_kernel_scalar (l, all, &kernel_uint), span).cells[0] : NULL;
}

static void assign (KernelLowerer *l, RspExpr *target, RspExpr *value, const CType *type,
                    RspSpan span) {
  rsp_kernel_emit_expr (
      l, rsp_kernel_node (l, span, RSP_EXPR_ASSIGN, RSP_OP_NONE, type, target, value));
}

static void assign_all (KernelLowerer *l, KernelValue target, KernelValue value, RspSpan span) {
  for (guint i = 0; i < target.n && i < value.n; i++)
    assign (l, target.cells[i], value.cells[i], rsp_kernel_leaf (l, target.type, i), span);
}

static void count_round (Inlined *f, const Loop *loop, RspSpan span) {
  KernelLowerer *l = f->s->l;
  RspExpr *own = rsp_kernel_register (l, span, loop->reg),
          *next = rsp_kernel_constant (l, span, 0, &kernel_uint);
  if (order_of (f, f->block) >= order_of (f, loop->header))
    next = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_ADD, &kernel_uint, own,
                            rsp_kernel_constant (l, span, 1, &kernel_uint));
  assign (l, own, next, &kernel_uint, span);
}

/* ---- Branches ---- */
/* The phi's value on the way from the block that is emitted. */
static KernelValue incoming (Inlined *f, const SpirvInst *at) {
  for (guint i = 3; i + 1 < at->n; i += 2)
    if (at->words[i + 1] == f->block)
      return spirv_qualified_at (f->s, at, i);
  spirv_refuse (f->s, at, "without a value on the way from a block");
  return rsp_kernel_dummy (f->s->l, at->span, spirv_type (f->s->front, at->type));
}

/* Goes to the block. Its phis are assigned simultaneously: one may be another's value. */
static void go_to (Inlined *f, guint32 label, RspSpan span) {
  KernelLowerer *l = f->s->l;
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (KernelValue));
  const SpirvInst *at;
  const gboolean several = phi (f, label, 1) != NULL;
  for (guint i = 0; (at = phi (f, label, i)); i++) {
    KernelValue own = incoming (f, at);
    own = several ? rsp_kernel_held (l, own, span) : own;
    g_array_append_val (values, own);
  }
  for (guint i = 0; (at = phi (f, label, i)); i++)
    assign_all (l, spirv_qualified (f->s, &f->s->values[at->result], span),
                g_array_index (values, KernelValue, i), span);
  if (loop_at (f, label))
    count_round (f, loop_at (f, label), span);
  jump (f, label, NULL, span);
}

/* Goes to the block if the condition is not 0. */
static void go_to_if (Inlined *f, guint32 label, RspExpr *condition, RspSpan span) {
  if (condition->kind == RSP_EXPR_CONSTANT && !condition->u.constant)
    return;
  if (!phi (f, label, 0) && !loop_at (f, label)) {
    jump (f, label, condition, span);
    return;
  }
  RspStatement *past = rsp_kernel_emit (f->s->l, RSP_STATEMENT_JUMP, span);
  past->expr = rsp_kernel_node (f->s->l, span, RSP_EXPR_UNARY, RSP_OP_LOGICAL_NOT, &kernel_int,
                                condition, NULL);
  go_to (f, label, span);
  past->target = rsp_kernel_emit (f->s->l, RSP_STATEMENT_EMPTY, span);
}

static void go_by_value (Inlined *f, const SpirvInst *at) {
  KernelLowerer *l = f->s->l;
  const KernelValue value = spirv_value (f->s, at, 1);
  const guint step = value.type->bits > 32 ? 3 : 2;
  for (guint i = 3; i + step - 1 < at->n && value.n; i += step) {
    gint64 number = at->words[i];
    if (step == 3)
      number |= (gint64) ((guint64) at->words[i + 1] << 32);
    const KernelValue own
        = rsp_kernel_number (l, at->span, rsp_kernel_wrap (number, value.type), value.type);
    go_to_if (f, at->words[i + step - 1],
              rsp_kernel_binary (l, at->span, RSP_OP_EQ, value, own).cells[0], at->span);
  }
  go_to (f, at->words[2], at->span);
}

/* Calls nest, so what they do not need is not on their stack: here and below. */
G_NO_INLINE static void end_block (Inlined *f, const SpirvInst *at) {
  SpirvLowerer *s = f->s;
  switch ((SpvOp) at->opcode) {
  case SpvOpBranch:
    go_to (f, at->words[1], at->span);
    break;
  case SpvOpBranchConditional:
    go_to_if (f, at->words[2], spirv_scalar (s, at, 1), at->span);
    go_to (f, at->words[3], at->span);
    break;
  case SpvOpSwitch:
    go_by_value (f, at);
    break;
  case SpvOpReturnValue: {
    const KernelValue value = spirv_qualified_at (s, at, 1);
    if (value.n && value.n == f->result.n)
      assign_all (s->l, f->result, value, at->span);
    else
      spirv_refuse (s, at, "of another type than the function's");
    jump (f, 0, NULL, at->span);
    break;
  }
  case SpvOpReturn:
    jump (f, 0, NULL, at->span);
    break;
  case SpvOpUnreachable:
    rsp_kernel_assert (s->l, at->span, NULL, "OpUnreachable is reached");
    break;
  default:
    spirv_refuse (s, at, NULL);
  }
}

/* ---- Functions ------------------------------------------------------------------------------ */

enum { MOST_CALLS = 50 /* within each other */ };

static void inline_function (SpirvLowerer *s, guint32 id, const SpirvInst *call,
                             KernelValue result);

static void call (const Inlined *f, const SpirvInst *at) {
  SpirvLowerer *s = f->s;
  KernelLowerer *l = s->l;
  if (s->active->len > MOST_CALLS)
    rsp_kernel_refuse (l, at->span, NULL, "calls nested more than %d deep", MOST_CALLS);
  for (guint i = 0; i < s->active->len; i++)
    if (g_array_index (s->active, guint32, i) == at->words[3])
      rsp_kernel_refuse (l, at->span, "write a loop", "recursion: `%s` calls itself",
                         s->module->names[at->words[3]]);
  if (l->gave_up)
    return;
  const KernelValue result = registers_for (s, "", spirv_qualified_result (s, at), at->span);
  RspExpr *outer = s->rounds;
  s->rounds = rounds_at (f, at->span);
  inline_function (s, at->words[3], at, result);
  s->rounds = outer;
  if (result.n)
    spirv_set_held (s, at, result);
}

gboolean spirv_lower_by (const SpirvRow *rows, gsize n, SpirvLowerer *s, const SpirvInst *at) {
  gsize row = 0;
  while (row < n && rows[row].opcode != (SpvOp) at->opcode)
    row++;
  if (row < n)
    rows[row].lower (s, at);
  return row < n;
}

/* Instructions that say nothing about what is executed. */
static gboolean is_ignored (guint16 opcode) {
  static const SpvOp ignored[] = {
    /* clang-format off */
      SpvOpNop, SpvOpLine, SpvOpNoLine, SpvOpLabel, SpvOpPhi, SpvOpLoopMerge, SpvOpSelectionMerge,
      SpvOpFunction, SpvOpFunctionParameter, SpvOpFunctionEnd, SpvOpLifetimeStart,
      SpvOpLifetimeStop, SpvOpAssumeTrueKHR
    /* clang-format on */
  };
  SPIRV_FIND (i, ignored, ignored[i] == (SpvOp) opcode);
  return i < G_N_ELEMENTS (ignored);
}

/* In a shader, those of a sub-group take part that come in the same round. */
static gboolean group (Inlined *f, const SpirvInst *at) {
  RspExpr *outer = f->s->rounds;
  if (spirv_is_partial (f->s, at->opcode))
    f->s->rounds = rounds_at (f, at->span);
  const gboolean is_one = spirv_group (f->s, at);
  f->s->rounds = outer;
  return is_one;
}

static void lower (Inlined *f, const SpirvInst *at) {
  SpirvLowerer *s = f->s;
  if (at->opcode == SpvOpFunctionCall)
    call (f, at);
  else if (spirv_ends_block (at->opcode))
    end_block (f, at);
  else if (is_constant (at->opcode))
    s->values[at->result] = module_value (s, at->result);
  else if (!is_ignored (at->opcode) && !spirv_memory (s, at) && !spirv_atomic (s, at)
           && !group (f, at) && !spirv_calculate (s, at))
    spirv_refuse (s, at, NULL);
}

/* Registers for phis, before any branch to their blocks is emitted. */
G_NO_INLINE static void declare_phis (Inlined *f, guint32 label) {
  SpirvLowerer *s = f->s;
  const SpirvInst *at;
  for (guint i = 0; (at = phi (f, label, i)); i++)
    spirv_set_held (
        s, at,
        registers_for (s, s->module->names[at->result], spirv_qualified_result (s, at), at->span));
}

static void lower_blocks (Inlined *f) {
  KernelLowerer *l = f->s->l;
  find_reachable (f);
  for (guint k = 0; k < f->order->len; k++)
    declare_phis (f, ((const Block *) f->order->pdata[k])->label);
  if (f->s->counts)
    find_loops (f);
  for (guint k = 0; k < f->order->len && !l->gave_up; k++) {
    Block *block = f->order->pdata[k];
    guint i = block->first;
    f->block = block->label;
    block->begin = rsp_kernel_emit (l, RSP_STATEMENT_EMPTY, instruction (f, i - 1)->span);
    while (i < f->end && !l->gave_up && instruction (f, i)->opcode != SpvOpLabel
           && !spirv_ends_block (instruction (f, i)->opcode))
      lower (f, instruction (f, i++));
    if (i < f->end && spirv_ends_block (instruction (f, i)->opcode))
      lower (f, instruction (f, i));
    else
      rsp_kernel_refuse (l, instruction (f, block->first - 1)->span, NULL,
                         "a block that does not end with a branch or return");
  }
  RspStatement *end = rsp_kernel_emit (l, RSP_STATEMENT_EMPTY, l->entry->span);
  for (guint i = 0; i < f->jumps->len; i++) {
    const Jump *own = &g_array_index (f->jumps, Jump, i);
    const Block *block = block_of (f, own->label);
    own->statement->target = !own->label ? end : block ? block->begin : NULL;
    if (!own->statement->target)
      rsp_kernel_refuse (l, own->statement->span, NULL,
                         "a branch to something that is not a block");
  }
}

/* Inlines the function that `at` calls; NULL: the entry, whose parameters are arguments of -arg.
 */
static void inline_function (SpirvLowerer *s, guint32 id, const SpirvInst *at, KernelValue result) {
  g_autoptr (GHashTable) blocks = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) order = g_ptr_array_new ();
  g_autoptr (GArray) jumps = g_array_new (FALSE, FALSE, sizeof (Jump)),
                     loops = g_array_new (FALSE, FALSE, sizeof (Loop));
  Inlined f = { .s = s,
                .begin = spirv_definition (s->module, id)->opcode == SpvOpFunction
                             ? s->module->definitions[id]
                             : 0,
                .blocks = blocks,
                .order = order,
                .jumps = jumps,
                .loops = loops,
                .result = result };
  const char *place = s->place;
  guint parameter = 4;
  s->place = at ? rsp_arena_printf (s->l->arena, " in %u%s", at->span.begin, place) : "";
  g_array_append_val (s->active, id);
  for (f.end = f.begin; f.begin && f.end < s->module->n; f.end++) {
    const SpirvInst *own = &s->module->instructions[f.end];
    if (own->opcode == SpvOpFunctionEnd)
      break;
    if (own->opcode != SpvOpFunctionParameter)
      continue;
    if (at && parameter < at->n) {
      s->values[own->result] = spirv_known (s, at, parameter++);
      spirv_decorate (s, own->result, -1, &s->values[own->result]);
    } else if (!at && s->front->variables[own->result])
      spirv_set (s, own, rsp_kernel_argument (s->l, s->front->variables[own->result]));
  }
  if (f.begin == f.end || f.begin == 0)
    rsp_kernel_refuse (s->l, at ? at->span : s->l->entry->span, NULL,
                       "the function `%s`, which has no body", s->module->names[id]);
  lower_blocks (&f);
  g_array_set_size (s->active, s->active->len - 1);
  s->place = place;
  for (guint i = 0; i < loops->len; i++)
    g_hash_table_unref (g_array_index (loops, Loop, i).inside);
}

/* ---- The body ------------------------------------------------------------------------------- */

/* Makes the constants and variables of the module that the entry uses: once, not where a loop or
 * branch happens to use them first; inputs, which are constant, when they are used. */
static void begin_module (SpirvLowerer *s) {
  const SpirvModule *module = s->module;
  g_autofree guint8 *used = g_new0 (guint8, module->bound);
  spirv_mark_used (module, s->entry, used);
  for (guint32 id = 0; id < module->bound; id++)
    used[id] &= module->used[id];
  for (guint i = module->n_outside; i-- > 0;) {
    const SpirvInst *at = &module->instructions[i];
    for (guint w = 1; used[at->result] && w < at->n; w++) /* of literals, too, without harm */
      if (at->words[w] < module->bound && module->definitions[at->words[w]] <= i)
        used[at->words[w]] = TRUE;
  }
  for (guint i = 0; i < module->n_outside && !s->l->gave_up; i++) {
    const SpirvInst *at = &module->instructions[i];
    if (used[at->result] && at->type && at->opcode != SpvOpExtInst && !is_input (at))
      s->values[at->result] = module_value (s, at->result);
  }
}

RspStatement *spirv_body (RspKernelFront *base, KernelLowerer *l) {
  SpirvFront *front = (SpirvFront *) base;
  g_autofree SpirvValue *values = g_new0 (SpirvValue, front->module->bound);
  SpirvLowerer s = { .front = front,
                     .module = front->module,
                     .l = l,
                     .entry = spirv_entry (front->module, 0, l->entry->name)->words[2],
                     .values = values,
                     .active = g_array_new (FALSE, FALSE, sizeof (guint32)),
                     .tagged = front->base.language->tagged };
  KernelFrame *frame = rsp_arena_new0 (l->arena, KernelFrame, 1);
  KernelCode code;
  guint n = 0;
  if (front->unit)
    rsp_kernel_want_unit (l, front->unit);
  for (all_instructions (at, s.module)) {
    s.counts |= spirv_is_partial (&s, at->opcode);
    spirv_find_properties (&s, at);
  }
  *frame = (KernelFrame){ .function = l->entry, .number = ++l->n_frames, .place = "" };
  l->frame = frame;
  KernelCode *outer = rsp_kernel_begin (l, &code);
  if (l->options->lenient)
    l->program->threads[l->thread].spare
        = rsp_kernel_add_registers (l, "", &kernel_long, FALSE, l->entry->span) + 1;
  begin_module (&s);
  inline_function (&s, s.entry, NULL, (KernelValue){ 0 });
  if (front->refused) /* perhaps in a type that only the body uses */
    rsp_kernel_refuse (l, front->refused_at, NULL, "%s", front->refused);
  l->frame = NULL;
  RspStatement *body = rsp_kernel_end (l, &code, outer, l->entry->span);
  body->kind = RSP_STATEMENT_CODE;
  for (RspStatement *own = body->first; own; own = own->next)
    own->index = n++;
  g_array_unref (s.active);
  return body;
}
