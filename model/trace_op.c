#include "model/trace_op.h"

const char *
rsp_trace_op_name (RspTraceOp op)
{
  static const char *const names[] = {
#define RSP_TRACE_OP(id, as, meaning) as,
#include "model/trace_ops.def"
  };
  return names[op];
}

guint
rsp_trace_op_arity (RspTraceOp op)
{
  switch (op)
    {
    case RSP_TRACE_BASE:
    case RSP_TRACE_CHOSEN:
    case RSP_TRACE_VALUE:
      return 0;
    case RSP_TRACE_UNION:
    case RSP_TRACE_INTERSECTION:
    case RSP_TRACE_DIFFERENCE:
    case RSP_TRACE_SEQUENCE:
    case RSP_TRACE_PRODUCT:
      return 2;
    default:
      return 1;
    }
}
