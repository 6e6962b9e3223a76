kernel void k (global int *x) { int a[x[0]]; a[0] = 1; }
