#include "hardware/target.h"

const char *const rsp_target_names[RSP_N_TARGETS + 1] = { "cuda", "c11", "opencl", NULL };

#define CUDA_REF         "cuda::atomic_ref<$T, $S> (*($P))"
#define CUDA_FETCH(name) CUDA_REF "." name " ($V, $O)"

static const TargetFile cuda_files[] = { { "suite.h", template_suite_h, NULL },
                                         { "parameters.h", template_parameters_h, NULL },
                                         { "cuda.h", template_cuda_h, NULL },
                                         { NULL, NULL, NULL } };

/* libcu++ has no sub-group scope: the block's includes it. */
#define CUDA_SCOPE_WORK_ITEM  "thread"
#define CUDA_SCOPE_SUB_GROUP  "block"
#define CUDA_SCOPE_WORK_GROUP "block"
#define CUDA_SCOPE_DEVICE     "device"
#define CUDA_SCOPE_ALL        "system"

static const Target cuda = {
  .operations
  = { [OPERATION_PLAIN_LOAD] = "plain_load (($T *) ($P))",
      [OPERATION_PLAIN_STORE] = "plain_store (($T *) ($P), $V)",
      [OPERATION_LOAD] = CUDA_REF ".load ($O)",
      [OPERATION_STORE] = CUDA_FETCH ("store"),
      [OPERATION_EXCHANGE] = CUDA_FETCH ("exchange"),
      [OPERATION_ADD] = CUDA_FETCH ("fetch_add"),
      [OPERATION_SUB] = CUDA_FETCH ("fetch_sub"),
      [OPERATION_AND] = CUDA_FETCH ("fetch_and"),
      [OPERATION_OR] = CUDA_FETCH ("fetch_or"),
      [OPERATION_XOR] = CUDA_FETCH ("fetch_xor"),
      [OPERATION_MIN] = CUDA_FETCH ("fetch_min"),
      [OPERATION_MAX] = CUDA_FETCH ("fetch_max"),
      [OPERATION_CAS_STRONG] = "compare_exchange<$T, $S> ($P, ($T) ($E), $V, false, $O, $F, $X)",
      [OPERATION_CAS_WEAK] = "compare_exchange<$T, $S> ($P, ($T) ($E), $V, true, $O, $F, $X)",
      [OPERATION_FENCE] = "cuda::atomic_thread_fence ($O, $S)",
      [OPERATION_BARRIER] = "wide_barrier<$S> ()" },
  .orders = { [RSP_ORDER_RELAXED] = "cuda::memory_order_relaxed",
              [RSP_ORDER_ACQUIRE] = "cuda::memory_order_acquire",
              [RSP_ORDER_RELEASE] = "cuda::memory_order_release",
              [RSP_ORDER_ACQ_REL] = "cuda::memory_order_acq_rel",
              [RSP_ORDER_SEQ_CST] = "cuda::memory_order_seq_cst" },
  .scopes = {
#define RSP_SCOPE(id, level, word, text, short_word, set, relation)                                \
  "cuda::thread_scope_" CUDA_SCOPE_##id,
#include "parser/scopes.def"
  },
  .spaces = { "", "", "", "" },
  .nowhere = "NULL",
  .extension = "cu",
  .head = "#include \"cuda.h\"\n",
  .build = { "NVCC", "nvcc", "NVCCFLAGS", "-O3 -std=c++17 -arch=native", "", "",
             "install NVIDIA's CUDA toolkit, or set NVCC to its compiler" },
  .files = cuda_files,
  .least_bits = 8,
};

#define C11_OBJECT      "(_Atomic ($T) *) ($P)"
#define C11_FETCH(name) "atomic_" name "_explicit (" C11_OBJECT ", $V, $O)"

static const TargetFile c11_files[] = { { "suite.h", template_suite_h, NULL },
                                        { "parameters.h", template_parameters_h, NULL },
                                        { "c11.h", template_c11_h, NULL },
                                        { NULL, NULL, NULL } };

static const Target c11 = {
  .operations = { [OPERATION_PLAIN_LOAD] = "*(volatile $T *) ($P)",
                  [OPERATION_PLAIN_STORE] = "(*(volatile $T *) ($P) = $V)",
                  [OPERATION_LOAD] = "atomic_load_explicit (" C11_OBJECT ", $O)",
                  [OPERATION_STORE] = C11_FETCH ("store"),
                  [OPERATION_EXCHANGE] = C11_FETCH ("exchange"),
                  [OPERATION_ADD] = C11_FETCH ("fetch_add"),
                  [OPERATION_SUB] = C11_FETCH ("fetch_sub"),
                  [OPERATION_AND] = C11_FETCH ("fetch_and"),
                  [OPERATION_OR] = C11_FETCH ("fetch_or"),
                  [OPERATION_XOR] = C11_FETCH ("fetch_xor"),
                  [OPERATION_MIN] = "FETCH_EXTREME ($T, $P, $V, <, $O)",
                  [OPERATION_MAX] = "FETCH_EXTREME ($T, $P, $V, >, $O)",
                  [OPERATION_CAS_STRONG] = "COMPARE_EXCHANGE (strong, $T, $P, $E, $V, $O, $F, $X)",
                  [OPERATION_CAS_WEAK] = "COMPARE_EXCHANGE (weak, $T, $P, $E, $V, $O, $F, $X)",
                  [OPERATION_FENCE] = "atomic_thread_fence ($O)",
                  [OPERATION_BARRIER] = "group_barrier (c)" },
  .orders = { [RSP_ORDER_RELAXED] = "memory_order_relaxed",
              [RSP_ORDER_ACQUIRE] = "memory_order_acquire",
              [RSP_ORDER_RELEASE] = "memory_order_release",
              [RSP_ORDER_ACQ_REL] = "memory_order_acq_rel",
              [RSP_ORDER_SEQ_CST] = "memory_order_seq_cst" },
  .scopes = { "", "", "", "", "" },
  .spaces = { "", "", "", "" },
  .nowhere = "NULL",
  .extension = "c",
  .head = "#include \"c11.h\"\n",
  .build = { "CC", "cc", "CFLAGS", "-O2 -g", "-std=c11 -D_GNU_SOURCE -fwrapv -pthread", "",
             "install a C11 compiler, or set CC to one" },
  .files = c11_files,
  .least_bits = 8,
};

#define CL_OBJECT      "(volatile $Q atomic_$T *) ($P)"
#define CL_FETCH(name) "atomic_" name "_explicit (" CL_OBJECT ", $V, $O, $S)"

static const TargetFile opencl_files[]
    = { { "suite.h", template_suite_h, NULL },
        { "parameters.h", template_parameters_h, NULL },
        { "opencl.h", template_opencl_h, NULL },
        { "opencl_kernel.h", template_opencl_kernel_h, "opencl_kernel" },
        { NULL, NULL, NULL } };

static const Target opencl = {
  .operations
  = { [OPERATION_PLAIN_LOAD] = "*(volatile $Q $T *) ($P)",
      [OPERATION_PLAIN_STORE] = "(*(volatile $Q $T *) ($P) = $V)",
      [OPERATION_LOAD] = "atomic_load_explicit (" CL_OBJECT ", $O, $S)",
      [OPERATION_STORE] = CL_FETCH ("store"),
      [OPERATION_EXCHANGE] = CL_FETCH ("exchange"),
      [OPERATION_ADD] = CL_FETCH ("fetch_add"),
      [OPERATION_SUB] = CL_FETCH ("fetch_sub"),
      [OPERATION_AND] = CL_FETCH ("fetch_and"),
      [OPERATION_OR] = CL_FETCH ("fetch_or"),
      [OPERATION_XOR] = CL_FETCH ("fetch_xor"),
      [OPERATION_MIN] = CL_FETCH ("fetch_min"),
      [OPERATION_MAX] = CL_FETCH ("fetch_max"),
      [OPERATION_CAS_STRONG] = "COMPARE_EXCHANGE (strong, $Q, $T, $P, $E, $V, $O, $F, $S, $X)",
      [OPERATION_CAS_WEAK] = "COMPARE_EXCHANGE (weak, $Q, $T, $P, $E, $V, $O, $F, $S, $X)",
      [OPERATION_FENCE] = "atomic_work_item_fence ($V, $O, $S)",
      [OPERATION_BARRIER] = "work_group_barrier ($V, $S)" },
  .orders = { [RSP_ORDER_RELAXED] = "memory_order_relaxed",
              [RSP_ORDER_ACQUIRE] = "memory_order_acquire",
              [RSP_ORDER_RELEASE] = "memory_order_release",
              [RSP_ORDER_ACQ_REL] = "memory_order_acq_rel",
              [RSP_ORDER_SEQ_CST] = "memory_order_seq_cst" },
  .scopes = {
#define RSP_SCOPE(id, level, word, text, short_word, set, relation) "memory_scope_" word,
#include "parser/scopes.def"
  },
  .spaces = { [RSP_SPACE_GLOBAL] = "global",
              [RSP_SPACE_LOCAL] = "local",
              [RSP_SPACE_CONSTANT] = "global",
              [RSP_SPACE_PRIVATE] = "private" },
  .nowhere = "0",
  .extension = "c",
  .head = "#include \"opencl.h\"\n",
  .build
  = { "CC", "cc", "CFLAGS", "-O2 -g", "-std=c11 -D_GNU_SOURCE -DCL_TARGET_OPENCL_VERSION=300",
      "-lOpenCL", "install a C11 compiler, or set CC to one" },
  .files = opencl_files,
  .least_bits = 32,
  .quoted = TRUE,
};

const Target *
target_get (RspTarget target)
{
  static const Target *const targets[RSP_N_TARGETS] = { &cuda, &c11, &opencl };
  return targets[target];
}

Operation
target_fetch (RspOperator op)
{
  switch (op)
    {
    case RSP_OP_EXCHANGE:
      return OPERATION_EXCHANGE;
    case RSP_OP_ADD:
      return OPERATION_ADD;
    case RSP_OP_SUB:
      return OPERATION_SUB;
    case RSP_OP_AND:
      return OPERATION_AND;
    case RSP_OP_OR:
      return OPERATION_OR;
    case RSP_OP_XOR:
      return OPERATION_XOR;
    case RSP_OP_MIN:
      return OPERATION_MIN;
    case RSP_OP_MAX:
      return OPERATION_MAX;
    case RSP_OP_MUL:
    case RSP_OP_DIV:
    case RSP_OP_MOD:
    case RSP_OP_SHL:
    case RSP_OP_SHR:
    case RSP_OP_EQ:
    case RSP_OP_NE:
    case RSP_OP_LT:
    case RSP_OP_LE:
    case RSP_OP_GT:
    case RSP_OP_GE:
    case RSP_OP_NONE:
    case RSP_OP_LOGICAL_AND:
    case RSP_OP_LOGICAL_OR:
    case RSP_OP_COMMA:
    case RSP_OP_NEGATE:
    case RSP_OP_COMPLEMENT:
    case RSP_OP_LOGICAL_NOT:
    case RSP_OP_PLUS:
      break; /* not an atomic operation */
    }
  g_assert_not_reached ();
}

RspOrder
target_order (Operation operation, RspOrder order)
{
  if (order == RSP_ORDER_CONSUME)
    order = RSP_ORDER_ACQUIRE;
  if (operation == OPERATION_LOAD && order == RSP_ORDER_ACQ_REL)
    return RSP_ORDER_ACQUIRE;
  if (operation == OPERATION_LOAD && order == RSP_ORDER_RELEASE)
    return RSP_ORDER_RELAXED;
  if (operation == OPERATION_STORE && order == RSP_ORDER_ACQ_REL)
    return RSP_ORDER_RELEASE;
  if (operation == OPERATION_STORE && order == RSP_ORDER_ACQUIRE)
    return RSP_ORDER_RELAXED;
  return order;
}
