int f (int a, int b) { return a + b; }
kernel void k (global int *x) { x[0] = f (1); }
