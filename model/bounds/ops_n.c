/* The bounds' row operations for rows of any number of words. */
#define RSP_WORDS 0

#define RSP_BOUNDS_OPS rsp_bounds_ops_n
#include "model/bounds/ops.inc"
