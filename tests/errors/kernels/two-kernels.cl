kernel void a (global int *x) { x[0] = 1; }
kernel void b (global int *x) { x[0] = 2; }
