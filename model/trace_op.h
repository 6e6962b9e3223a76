/* Operators of the terms of a trace. */
#pragma once

#include <glib.h>

/* The operation that computes a term's value from the values of its operands. */
typedef enum RspTraceOp {
#define RSP_TRACE_OP(id, as, arity, binding, before, between, after, meaning) RSP_TRACE_##id,
#include "model/trace_ops.def"
  RSP_N_TRACE_OPS
} RspTraceOp;

/* A row of trace_ops.def. */
typedef struct RspTraceSpelling {
  const char *name, *before, *between, *after;
  guint arity, binding;
} RspTraceSpelling;

extern const RspTraceSpelling rsp_trace_spellings[RSP_N_TRACE_OPS];

/* "union", "closure", …: see trace_ops.def. */
const char *rsp_trace_op_name (RspTraceOp op);
guint rsp_trace_op_arity (RspTraceOp op);
