int f (int n) { return n; }
kernel void k (global int *x) { int (*g) (int) = f; x[0] = g (1); }
