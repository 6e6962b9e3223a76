#include "model/trace/trace_op.h"

const RspTraceSpelling rsp_trace_spellings[RSP_N_TRACE_OPS] = {
#define RSP_TRACE_OP(id, as, arity, binding, before, between, after, meaning)                      \
  { as, before, between, after, arity, binding },
#include "model/trace_ops.def"
};

const char *rsp_trace_op_name (RspTraceOp op) { return rsp_trace_spellings[op].name; }

guint rsp_trace_op_arity (RspTraceOp op) { return rsp_trace_spellings[op].arity; }
