/* Atomic operations, fences and barriers. */
#include "extra/spirv/internal.h"

#define TAG(id) RSP_TAG_BIT (id)
#define FETCH(id, operator, value, sign)                                                           \
  { SpvOpAtomic##id, RSP_CALL_FETCH, RSP_OP_##operator, 3, value, sign }

/* ---- Operations ----------------------------------------------------------------------------- */

/* pointer, value: their words; value 0: the operand is 1, if there is one. */
static const struct {
  SpvOp opcode;
  RspCallKind kind;
  RspOperator op;
  guint8 pointer, value;
  gint8 sign; /* of the operands: 1 signed, -1 unsigned, 0 either */
} operations[] = {
  { SpvOpAtomicLoad, RSP_CALL_LOAD, RSP_OP_NONE, 3, 0, 0 },
  { SpvOpAtomicStore, RSP_CALL_STORE, RSP_OP_NONE, 1, 4, 0 },
  { SpvOpAtomicCompareExchange, RSP_CALL_SWAP, RSP_OP_NONE, 3, 7, 0 },
  /* "Has the same semantics", whatever its name says. */
  { SpvOpAtomicCompareExchangeWeak, RSP_CALL_SWAP, RSP_OP_NONE, 3, 7, 0 },
  { SpvOpAtomicFlagTestAndSet, RSP_CALL_FLAG_TEST_AND_SET, RSP_OP_NONE, 3, 0, 0 },
  { SpvOpAtomicFlagClear, RSP_CALL_FLAG_CLEAR, RSP_OP_NONE, 1, 0, 0 },
  /* clang-format off */
    FETCH (Exchange, EXCHANGE, 6, 0), FETCH (IIncrement, ADD, 0, 0), FETCH (IDecrement, SUB, 0, 0),
    FETCH (IAdd, ADD, 6, 0), FETCH (ISub, SUB, 6, 0), FETCH (SMin, MIN, 6, 1),
    FETCH (UMin, MIN, 6, -1), FETCH (SMax, MAX, 6, 1), FETCH (UMax, MAX, 6, -1),
    FETCH (FAddEXT, ADD, 6, 0), FETCH (FMinEXT, MIN, 6, 0), FETCH (FMaxEXT, MAX, 6, 0),
    FETCH (And, AND, 6, 0), FETCH (Or, OR, 6, 0), FETCH (Xor, XOR, 6, 0),
  /* clang-format on */
};

/* The tags of both halves of an operation: the read acquires, the write releases. */
static void set_tags (RspCall *call, const SpirvValue *pointer, guint64 scope, guint64 own,
                      guint64 failing) {
  const guint64 both = TAG (ATOM) | TAG (NONPRIV) | spirv_class_tag (pointer->storage) | scope,
                reads = TAG (ACQ) | TAG (SEMVIS), writes = TAG (REL) | TAG (SEMAV);
  const guint64 read = both | TAG (VIS) | (own & ~writes), write = both | TAG (AV) | (own & ~reads);
  call->tags = call->kind == RSP_CALL_STORE || call->kind == RSP_CALL_FLAG_CLEAR ? write : read;
  call->write_tags = write;
  call->failing_tags = both | TAG (VIS) | (failing & ~writes);
}

/* OpenCL's compare-exchange leaves the old value in the place of the expected one. */
static KernelValue compare_exchange (SpirvLowerer *s, const SpirvInst *at, RspCall *call,
                                     const CType *type) {
  KernelLowerer *l = s->l;
  const KernelPlace place
      = rsp_kernel_stored (l, rsp_kernel_scalar (l, call->expected, type), at->span);
  call->kind = RSP_CALL_CAS;
  call->expected = rsp_kernel_address (l, place, at->span);
  rsp_kernel_emit_expr (l, rsp_kernel_call_expr (s->l, at->span, call, &kernel_bool));
  return rsp_kernel_load (l, place, at->span);
}

static void finish (SpirvLowerer *s, const SpirvInst *at, RspCall *call, const CType *type) {
  KernelLowerer *l = s->l;
  if (call->kind == RSP_CALL_STORE || call->kind == RSP_CALL_FLAG_CLEAR)
    rsp_kernel_emit_expr (l, rsp_kernel_call_expr (s->l, at->span, call, &kernel_void));
  else if (call->kind == RSP_CALL_SWAP && !s->tagged)
    spirv_set (s, at, compare_exchange (s, at, call, type));
  else {
    type = call->kind == RSP_CALL_FLAG_TEST_AND_SET ? &kernel_bool : type;
    spirv_set (s, at,
               rsp_kernel_scalar (l, rsp_kernel_call_expr (s->l, at->span, call, type), type));
  }
}

static void operate (SpirvLowerer *s, const SpirvInst *at, gsize row) {
  KernelLowerer *l = s->l;
  const guint word = operations[row].pointer;
  const SpirvValue pointer = spirv_pointed (s, at, word, TRUE);
  const gboolean swaps = operations[row].kind == RSP_CALL_SWAP;
  const SpirvScope *scope = spirv_scope_at (s, at, word + 1);
  const SpirvSemantics semantics = spirv_semantics_at (s, at, word + 2),
                       unequal = swaps ? spirv_semantics_at (s, at, 6) : spirv_semantics (0);
  const CType *type = pointer.place.type;
  if (pointer.kind != SPIRV_PLACE || (type->kind != C_INTEGER && type->kind != C_FLOAT)
      || (type->kind == C_FLOAT && swaps)) {
    spirv_refuse (s, at, "of an object in memory that is not a number");
    return;
  }
  spirv_check_barred (s, at, &pointer, operations[row].kind != RSP_CALL_STORE,
                      operations[row].kind != RSP_CALL_LOAD);
  if (l->kernel->unit && rsp_kernel_size_of (l, type, at->span) > l->kernel->unit) {
    spirv_refuse (s, at, "where the module accesses smaller parts of memory");
    return;
  }
  RspCall call
      = { .kind = operations[row].kind,
          .op = operations[row].op,
          .order = semantics.order,
          .failure = unequal.order,
          .scope = scope->scope,
          .reach = scope->reach,
          .object = rsp_kernel_address (l, pointer.place, at->span),
          .other_sign = operations[row].sign && type->is_signed != (operations[row].sign > 0) };
  if (!rsp_kernel_takes_fetch (&call, type)) {
    spirv_refuse (s, at, "of a floating-point number");
    return;
  }
  if (operations[row].value)
    call.value = spirv_scalar (s, at, operations[row].value);
  else if (call.kind == RSP_CALL_FETCH)
    call.value = rsp_kernel_constant (l, at->span, 1, type);
  if (swaps)
    call.expected = spirv_scalar (s, at, 8);
  set_tags (&call, &pointer, scope->tag, semantics.tags, unequal.tags);
  finish (s, at, &call, type);
}

/* ---- Barriers ------------------------------------------------------------------------------- */

static void fence (SpirvLowerer *s, const SpirvInst *at) {
  const SpirvScope *scope = spirv_scope_at (s, at, 1);
  const SpirvSemantics semantics = spirv_semantics_at (s, at, 2);
  const RspCall call = { .kind = RSP_CALL_FENCE,
                         .order = semantics.order,
                         .scope = scope->scope,
                         .reach = scope->reach,
                         .flags = semantics.flags,
                         .tags = semantics.tags | scope->tag };
  rsp_kernel_emit_expr (s->l, rsp_kernel_call_expr (s->l, at->span, &call, &kernel_void));
}

/* Work-items wait for each other at the same instruction, in the same calls. */
static void barrier (SpirvLowerer *s, const SpirvInst *at) {
  const SpirvScope *execution = spirv_scope_at (s, at, 1), *scope = spirv_scope_at (s, at, 2);
  const SpirvSemantics semantics = spirv_semantics_at (s, at, 3);
  if (execution->number != SpvScopeSubgroup && execution->number != SpvScopeWorkgroup
      && (execution->number == SpvScopeInvocation || s->l->options->grid.groups > 1))
    spirv_refuse (s, at, "of work-items other than those of a work-group or sub-group");
  if (execution->number != SpvScopeSubgroup)
    rsp_kernel_stop (s->l, at->span);
  RspStatement *own = rsp_kernel_emit (s->l, RSP_STATEMENT_BARRIER, at->span);
  own->flags = semantics.flags;
  own->scope = scope->scope;
  own->sub_group = execution->number == SpvScopeSubgroup;
  own->label = rsp_arena_printf (s->l->arena, "%u%s", at->span.begin, s->place);
  if (!s->tagged)
    return;
  own->barrier = rsp_arena_new0 (s->l->arena, RspBarrier, 1);
  own->barrier->id = own->label;
  own->barrier->whole = !own->sub_group; /* in divergent code only a sub-group's is defined */
  own->barrier->meeting = own->sub_group ? RSP_LEVEL_SUB_GROUP : RSP_LEVEL_WORK_GROUP;
  own->barrier->reach = scope->reach;
  own->barrier->tags = TAG (CBAR) | semantics.tags | scope->tag;
}

gboolean spirv_atomic (SpirvLowerer *s, const SpirvInst *at) {
  if (at->opcode == SpvOpMemoryBarrier)
    fence (s, at);
  else if (at->opcode == SpvOpControlBarrier)
    barrier (s, at);
  else {
    SPIRV_FIND (row, operations, operations[row].opcode == (SpvOp) at->opcode);
    if (row == G_N_ELEMENTS (operations))
      return FALSE;
    operate (s, at, row);
  }
  return TRUE;
}
