kernel void k (global int *x) { int n = 1; x[0] = *n; }
