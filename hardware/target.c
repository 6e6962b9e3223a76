#include "hardware/target.h"

const char *const rsp_target_names[RSP_N_TARGETS + 1] = { "cuda", "c11", "opencl", NULL };

#define ORDERS(prefix)                                                                             \
  [RSP_ORDER_RELAXED] = prefix "memory_order_relaxed",                                             \
  [RSP_ORDER_ACQUIRE] = prefix "memory_order_acquire",                                             \
  [RSP_ORDER_RELEASE] = prefix "memory_order_release",                                             \
  [RSP_ORDER_ACQ_REL] = prefix "memory_order_acq_rel",                                             \
  [RSP_ORDER_SEQ_CST] = prefix "memory_order_seq_cst"

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
  .operations = {
#define OPERATION(id, cuda, c11, opencl) cuda,
#include "hardware/operations.def"
  },
  .orders = { ORDERS ("cuda::") },
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

static const TargetFile c11_files[] = { { "suite.h", template_suite_h, NULL },
                                        { "parameters.h", template_parameters_h, NULL },
                                        { "c11.h", template_c11_h, NULL },
                                        { NULL, NULL, NULL } };

static const Target c11 = {
  .operations = {
#define OPERATION(id, cuda, c11, opencl) c11,
#include "hardware/operations.def"
  },
  .orders = { ORDERS ("") },
  .scopes = {
#define RSP_SCOPE(id, level, word, text, short_word, set, relation) "",
#include "parser/scopes.def"
  },
  .spaces = { "", "", "", "" },
  .nowhere = "NULL",
  .extension = "c",
  .head = "#include \"c11.h\"\n",
  .build = { "CC", "cc", "CFLAGS", "-O2 -g", "-std=c11 -D_GNU_SOURCE -fwrapv -pthread", "",
             "install a C11 compiler, or set CC to one" },
  .files = c11_files,
  .least_bits = 8,
};

static const TargetFile opencl_files[]
    = { { "suite.h", template_suite_h, NULL },
        { "parameters.h", template_parameters_h, NULL },
        { "opencl.h", template_opencl_h, NULL },
        { "opencl_kernel.h", template_opencl_kernel_h, "opencl_kernel" },
        { NULL, NULL, NULL } };

static const Target opencl = {
  .operations = {
#define OPERATION(id, cuda, c11, opencl) opencl,
#include "hardware/operations.def"
  },
  .orders = { ORDERS ("") },
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

const Target *target_get (RspTarget target) {
  static const Target *const targets[RSP_N_TARGETS] = { &cuda, &c11, &opencl };
  return targets[target];
}

/* The operators of `FETCH` rows in the list of calls are operations of the same name. */
static const struct {
  RspOperator op;
  Operation operation;
} fetches[] = {
#define FETCH_ROW(op)    { RSP_OP_##op, OPERATION_##op },
#define ROW_OF_FETCH(op) FETCH_ROW (op)
#define ROW_OF_LOAD(op)
#define ROW_OF_REDUCE(op) /* as FETCH */
#define ROW_OF_STORE(op)
#define ROW_OF_INIT(op)
#define ROW_OF_CAS(op)
#define ROW_OF_FENCE(op)
#define ROW_OF_FLAG_TEST_AND_SET(op)
#define ROW_OF_FLAG_CLEAR(op)
#define CALL(name, short_name, kind, op, weak, plain, explicit) ROW_OF_##kind (op)
#include "parser/litmus/words.def"
};

Operation target_fetch (RspOperator op) {
  guint i = 0;
  while (i < G_N_ELEMENTS (fetches) - 1 && fetches[i].op != op)
    i++;
  g_assert (fetches[i].op == op);
  return fetches[i].operation;
}

RspOrder target_order (Operation operation, RspOrder order) {
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
