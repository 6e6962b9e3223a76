/* The bounds' row operations for rows of 2 words. */
#define RSP_WORDS      2
#define RSP_BOUNDS_OPS rsp_bounds_ops_2
#include "model/bounds/ops.inc"
