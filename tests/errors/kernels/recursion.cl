int f (int n) { return n ? f (n - 1) : 0; }
kernel void k (global int *x) { x[0] = f (3); }
