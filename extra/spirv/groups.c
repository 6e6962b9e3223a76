/* Operations of whole groups of work-items: those of OpenCL C under other names. */
#include "extra/spirv/internal.h"

#include <string.h>

#define PLAIN(id, name)                                                                            \
  { SpvOp##id, #name, 3, FALSE }
#define ASK(id, name)                                                                              \
  { SpvOpGroup##id, #name, 4, FALSE }
#define SCAN(id, name)                                                                             \
  { SpvOpGroup##id, #name, 5, TRUE }

static const struct {
  SpvOp opcode;
  const char *name; /* without `work_group_` or `sub_group_` */
  guint8 operand;   /* the word of the first operand */
  gboolean scans;   /* does a literal choose one of `ways`? */
} operations[] = {
  /* clang-format off */
    PLAIN (GroupNonUniformElect, elect), ASK (All, all), ASK (Any, any), ASK (Broadcast, broadcast),
    ASK (NonUniformAllEqual, all_equal), ASK (NonUniformQuadBroadcast, quad_broadcast),
    ASK (NonUniformQuadSwap, quad_swap), ASK (NonUniformAll, all), ASK (NonUniformAny, any),
    ASK (NonUniformBroadcast, broadcast), ASK (NonUniformBallot, ballot),
    ASK (NonUniformBroadcastFirst, broadcast_first), ASK (NonUniformShuffle, shuffle),
    ASK (NonUniformShuffleXor, shuffle_xor), ASK (NonUniformShuffleUp, shuffle_up),
    ASK (NonUniformShuffleDown, shuffle_down), ASK (NonUniformRotateKHR, rotate),
    PLAIN (SubgroupAllKHR, all), PLAIN (SubgroupAnyKHR, any), PLAIN (SubgroupBallotKHR, ballot),
    PLAIN (SubgroupAllEqualKHR, all_equal), PLAIN (SubgroupFirstInvocationKHR, broadcast_first),
    PLAIN (SubgroupReadInvocationKHR, shuffle), SCAN (IAdd, add), SCAN (FAdd, add),
    SCAN (FMin, min), SCAN (UMin, min), SCAN (SMin, min), SCAN (FMax, max), SCAN (UMax, max),
    SCAN (SMax, max), SCAN (NonUniformIAdd, add), SCAN (NonUniformFAdd, add),
    SCAN (NonUniformIMul, mul), SCAN (NonUniformFMul, mul), SCAN (NonUniformFMin, min),
    SCAN (NonUniformFMax, max), SCAN (NonUniformUMin, min), SCAN (NonUniformSMin, min),
    SCAN (NonUniformUMax, max), SCAN (NonUniformSMax, max), SCAN (NonUniformBitwiseAnd, and),
    SCAN (NonUniformBitwiseOr, or), SCAN (NonUniformBitwiseXor, xor),
    SCAN (NonUniformLogicalAnd, and), SCAN (NonUniformLogicalOr, or),
    SCAN (NonUniformLogicalXor, xor),
  /* clang-format on */
};

gboolean spirv_is_partial (const SpirvLowerer *s, guint16 opcode) {
  return s->tagged
         && ((opcode >= SpvOpGroupNonUniformElect && opcode <= SpvOpGroupNonUniformQuadSwap)
             || (opcode >= SpvOpSubgroupBallotKHR && opcode <= SpvOpSubgroupReadInvocationKHR));
}

/* Calls OpenCL C's function. first: the word of the first operand. A vector's lanes are passed on
 * one by one. */
static void call (SpirvLowerer *s, const SpirvInst *at, const char *name, guint first, guint n) {
  enum { MOST = 6 };
  KernelLowerer *l = s->l;
  const gboolean is_partial = spirv_is_partial (s, at->opcode);
  KernelValue operands[MOST] = { rsp_kernel_dummy (l, at->span, &kernel_uint) }, value;
  n = MIN (n, MOST);
  const SpvOp opcode = at->opcode; /* that of a minimum says whether numbers are signed */
  const gboolean is_signed = opcode == SpvOpGroupSMin || opcode == SpvOpGroupSMax
                             || opcode == SpvOpGroupNonUniformSMin
                             || opcode == SpvOpGroupNonUniformSMax;
  for (guint i = 0; i < n; i++)
    operands[i] = spirv_with_sign (s, spirv_value (s, at, first + i),
                                   is_signed ? SPIRV_SIGNED : SPIRV_EITHER, at->span);
  const KernelValue all = operands[0];
  const guint lanes = is_partial && all.type->kind == C_VECTOR ? all.n : 1;
  const gboolean together = lanes > 1 && at->opcode == SpvOpGroupNonUniformAllEqual;
  KernelValue results = rsp_kernel_cells_value (l, all.type, all.n), so_far = all;
  if (lanes > 1 && !together && spirv_type (s->front, at->type)->kind != C_VECTOR)
    spirv_refuse (s, at, "of a vector");
  for (guint i = 0; i < lanes && !l->gave_up; i++) {
    if (lanes > 1)
      operands[0] = rsp_kernel_scalar (l, all.cells[i], rsp_kernel_leaf (l, all.type, i));
    results.cells[i] = all.cells[i];
    if (lanes > 1 && rsp_kernel_pads (l, all.type, i))
      continue;
    l->site
        = is_partial ? rsp_arena_printf (l->arena, "%u/%u%s", at->span.begin, i, s->place) : NULL;
    l->round = is_partial ? s->rounds : NULL;
    if (is_partial && !l->round)
      l->round = rsp_kernel_constant (l, at->span, 0, &kernel_uint);
    if (!rsp_kernel_call (l, at->span, name, operands, MAX (1, n), &value))
      spirv_refuse (s, at, "of these operands");
    else if (together)
      so_far = value = i ? rsp_kernel_binary (l, at->span, RSP_OP_AND, so_far, value) : value;
    else if (lanes > 1)
      results.cells[i]
          = rsp_kernel_to_type (l, value, rsp_kernel_leaf (l, all.type, i), at->span).cells[0];
    l->site = NULL;
    l->round = NULL;
  }
  if (l->gave_up || !at->result)
    return;
  spirv_set (s, at,
             lanes > 1 && !together
                 ? results
                 : rsp_kernel_to_type (l, value, spirv_type (s->front, at->type), at->span));
}

/* Questions about the bits of a ballot that was made before. selected, next: expressions of `f` in
 * ask_ballot. */
static const struct {
  SpvOp opcode;
  guint way; /* of SpvOpGroupNonUniformBallotBitCount */
  const char *selected, *next;
} ballots[] = {
  { SpvOpGroupNonUniformInverseBallot, 0, "i == me", "bit" },
  { SpvOpGroupNonUniformBallotBitExtract, 0, "i == index", "bit" },
  { SpvOpGroupNonUniformBallotBitCount, SpvGroupOperationReduce, "true", "r + bit" },
  { SpvOpGroupNonUniformBallotBitCount, SpvGroupOperationInclusiveScan, "i <= me", "r + bit" },
  { SpvOpGroupNonUniformBallotBitCount, SpvGroupOperationExclusiveScan, "i < me", "r + bit" },
  { SpvOpGroupNonUniformBallotFindLSB, 0, "true", "bit ? i : r" },
  { SpvOpGroupNonUniformBallotFindMSB, 0, "true", "bit ? i : r" },
};

/* FALSE: the instruction is another one. */
static gboolean ask_ballot (SpirvLowerer *s, const SpirvInst *at) {
  const gboolean counts = at->opcode == SpvOpGroupNonUniformBallotBitCount,
                 extracts = at->opcode == SpvOpGroupNonUniformBallotBitExtract,
                 finds = at->opcode == SpvOpGroupNonUniformBallotFindLSB
                         || at->opcode == SpvOpGroupNonUniformBallotFindMSB;
  const guint n = s->l->options->grid.items, way = counts ? at->words[4] : 0;
  KernelLowerer *l = s->l;
  SPIRV_FIND (row, ballots, ballots[row].opcode == (SpvOp) at->opcode && ballots[row].way == way);
  if (row == G_N_ELEMENTS (ballots))
    return FALSE;
  const char *text = rsp_arena_printf (
      l->arena,
      "uint f (uint4 v, uint index, uint me, uint n, uint none) { uint r = %s; "
      "for (uint k = 0; k < n; k++) { uint i = %s, "
      "bit = ((i < 32 ? v.x : i < 64 ? v.y : i < 96 ? v.z : v.w) >> (i & 31)) & 1; "
      "if (%s) r = %s; } return r; }",
      finds ? "none" : "0",
      at->opcode == SpvOpGroupNonUniformBallotFindLSB ? "n - 1 - k" /* the last one stays */ : "k",
      ballots[row].selected, ballots[row].next);
  const KernelValue none = finds ? spirv_undefined (s, at, &kernel_uint)
                                 : rsp_kernel_dummy (l, at->span, &kernel_uint),
                    operands[] = {
                      spirv_value (s, at, counts ? 5 : 4),
                      extracts ? spirv_value (s, at, 5) : none,
                      rsp_kernel_number (l, at->span, l->item % n, &kernel_uint),
                      rsp_kernel_number (l, at->span, n, &kernel_uint),
                      none,
                    };
  g_string_append_printf (l->identity, "in group %u;", l->item);
  const KernelValue value = rsp_kernel_inline_text (l, at->span, text, operands);
  spirv_set (s, at, rsp_kernel_to_type (l, value, spirv_type (s->front, at->type), at->span));
  return TRUE;
}

gboolean spirv_group (SpirvLowerer *s, const SpirvInst *at) {
  static const char *const ways[] = { "reduce_", "scan_inclusive_", "scan_exclusive_",
                                      "clustered_reduce_" /* with an operand more */ };
  if (at->opcode == SpvOpGroupAsyncCopy)
    call (s, at, "async_work_group_strided_copy", 4, 5);
  else if (at->opcode == SpvOpGroupWaitEvents)
    call (s, at, "wait_group_events", 2, 2);
  else if (!ask_ballot (s, at)) {
    SPIRV_FIND (row, operations, operations[row].opcode == (SpvOp) at->opcode);
    if (row == G_N_ELEMENTS (operations))
      return FALSE;
    const gboolean says = operations[row].operand > 3 || at->opcode == SpvOpGroupNonUniformElect;
    const gint64 scope = says ? spirv_scope_at (s, at, 3)->number : SpvScopeSubgroup;
    const guint way = operations[row].scans ? at->words[4] : 0, first = operations[row].operand;
    const guint n
        = operations[row].scans ? 1 + (way == SpvGroupOperationClusteredReduce) : at->n - first;
    if (way >= G_N_ELEMENTS (ways) || first + n > at->n
        || (scope != SpvScopeSubgroup && scope != SpvScopeWorkgroup)) {
      spirv_refuse (s, at, "of this group operation");
      return TRUE;
    }
    call (s, at,
          rsp_arena_printf (s->l->arena, "%s%s%s",
                            scope == SpvScopeSubgroup ? "sub_group_" : "work_group_",
                            operations[row].scans ? ways[way] : "", operations[row].name),
          first, n);
  }
  return TRUE;
}
