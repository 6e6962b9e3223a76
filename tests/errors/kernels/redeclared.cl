kernel void k (global int *x) { int n = 1; int n = 2; x[0] = n; }
