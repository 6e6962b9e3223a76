kernel void k (global int *x, int n) { x[n] = 1; }
