kernel void k (global int *x) { 1 = x[0]; }
