/* An execution and a part of it, without some events: what follows for the value of a node on the
 * part. */
#pragma once

#include "model/dag/dag.h"

/* Compared with its value on the whole, restricted to events of the part, a node's value on the
 * part */
enum {
  RSP_PART_WITHIN = 1, /* is contained in that */
  RSP_PART_COVERS = 2, /* contains that */
  RSP_PART_SAME = RSP_PART_WITHIN | RSP_PART_COVERS
};

static inline guint rsp_part_swapped (guint facts) {
  return (facts & RSP_PART_WITHIN ? RSP_PART_COVERS : 0)
         | (facts & RSP_PART_COVERS ? RSP_PART_WITHIN : 0);
}

/* What follows from that of the operands; b: as a for a unary operator. Compositions, closures and
 * domains may go by way of events that the part lacks: is what they have so in the part, too? */
static inline guint rsp_part_follows (RspNodeOp op, guint a, guint b, gboolean loses_nothing) {
  switch (op) {
  case RSP_NODE_UNION:
  case RSP_NODE_INTER:
  case RSP_NODE_PRODUCT:
  case RSP_NODE_INVERSE:
  case RSP_NODE_IDENTITY:
    return a & b & RSP_PART_SAME;
  case RSP_NODE_DIFF:
    return a & rsp_part_swapped (b);
  case RSP_NODE_SEQ:
  case RSP_NODE_PLUS:
  case RSP_NODE_DOMAIN:
    return a & b & (loses_nothing ? RSP_PART_SAME : RSP_PART_WITHIN);
  default:
    return 0;
  }
}
