kernel void k (global int *x) { break; }
