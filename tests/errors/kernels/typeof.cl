kernel void k (global int *x) { __typeof__ (x[0]) y = 1; x[0] = y; }
