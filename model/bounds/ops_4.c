/* The bounds' row operations for rows of 4 words. */
#define RSP_WORDS      4
#define RSP_BOUNDS_OPS rsp_bounds_ops_4
#include "model/bounds/ops.inc"
