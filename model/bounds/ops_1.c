/* The bounds' row operations for rows of one word. */
#define RSP_WORDS 1

#define RSP_BOUNDS_OPS rsp_bounds_ops_1
#include "model/bounds/ops.inc"
