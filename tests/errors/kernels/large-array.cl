kernel void k (global int *x) { int a[100000]; a[0] = 1; x[0] = a[0]; }
