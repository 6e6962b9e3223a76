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
    SCAN (NonUniformLogicalXor, xor), ASK (NonUniformInverseBallot, inverse_ballot),
    ASK (NonUniformBallotBitExtract, ballot_bit_extract),
    ASK (NonUniformBallotFindLSB, ballot_find_lsb), ASK (NonUniformBallotFindMSB, ballot_find_msb),
    SCAN (NonUniformBallotBitCount, ballot_),
  /* clang-format on */
};

gboolean spirv_is_partial (const SpirvLowerer *s, guint16 opcode) {
  return s->tagged
         && ((opcode >= SpvOpGroupNonUniformElect && opcode <= SpvOpGroupNonUniformQuadSwap)
             || (opcode >= SpvOpSubgroupBallotKHR && opcode <= SpvOpSubgroupReadInvocationKHR));
}

/* Calls OpenCL C's function. first: the word of the first operand. */
static void call (SpirvLowerer *s, const SpirvInst *at, const char *name, guint first, guint n) {
  enum { MOST = 6 };
  KernelLowerer *l = s->l;
  KernelValue operands[MOST] = { rsp_kernel_dummy (l, at->span, &kernel_uint) }, value;
  n = MIN (n, MOST);
  const SpvOp opcode = at->opcode; /* that of a minimum says whether numbers are signed */
  const gboolean is_signed = opcode == SpvOpGroupSMin || opcode == SpvOpGroupSMax
                             || opcode == SpvOpGroupNonUniformSMin
                             || opcode == SpvOpGroupNonUniformSMax;
  for (guint i = 0; i < n; i++)
    operands[i] = spirv_with_sign (s, spirv_value (s, at, first + i),
                                   is_signed ? SPIRV_SIGNED : SPIRV_EITHER, at->span);
  if (spirv_is_partial (s, at->opcode)) {
    l->site = rsp_arena_printf (l->arena, "%u%s", at->span.begin, s->place);
    l->round = s->rounds ? s->rounds : rsp_kernel_constant (l, at->span, 0, &kernel_uint);
  }
  const gboolean known = rsp_kernel_call (l, at->span, name, operands, MAX (1, n), &value);
  l->site = NULL;
  l->round = NULL;
  if (!known)
    spirv_refuse (s, at, "of these operands");
  else if (at->result && !l->gave_up)
    spirv_set (s, at, rsp_kernel_to_type (l, value, spirv_type (s->front, at->type), at->span));
}

gboolean spirv_group (SpirvLowerer *s, const SpirvInst *at) {
  static const char *const ways[] = { "reduce_", "scan_inclusive_", "scan_exclusive_",
                                      "clustered_reduce_" /* with an operand more */ },
                           *const counts[] = { "bit_count", "inclusive_scan", "exclusive_scan" };
  if (at->opcode == SpvOpGroupAsyncCopy)
    call (s, at, "async_work_group_strided_copy", 4, 5);
  else if (at->opcode == SpvOpGroupWaitEvents)
    call (s, at, "wait_group_events", 2, 2);
  else {
    SPIRV_FIND (row, operations, operations[row].opcode == (SpvOp) at->opcode);
    if (row == G_N_ELEMENTS (operations))
      return FALSE;
    const gboolean says = operations[row].operand > 3 || at->opcode == SpvOpGroupNonUniformElect;
    const gint64 scope = says ? spirv_scope_at (s, at, 3)->number : SpvScopeSubgroup;
    const guint way = operations[row].scans ? at->words[4] : 0, first = operations[row].operand;
    const guint n
        = operations[row].scans ? 1 + (way == SpvGroupOperationClusteredReduce) : at->n - first;
    const gboolean counts_bits = at->opcode == SpvOpGroupNonUniformBallotBitCount;
    if (way >= (counts_bits ? G_N_ELEMENTS (counts) : G_N_ELEMENTS (ways)) || first + n > at->n
        || (scope != SpvScopeSubgroup && scope != SpvScopeWorkgroup)) {
      spirv_refuse (s, at, "of this group operation");
      return TRUE;
    }
    call (s, at,
          rsp_arena_printf (s->l->arena, "%s%s%s%s",
                            scope == SpvScopeSubgroup ? "sub_group_" : "work_group_",
                            operations[row].scans && !counts_bits ? ways[way] : "",
                            operations[row].name, counts_bits ? counts[way] : ""),
          first, n);
  }
  return TRUE;
}
