union number { int i; char c[4]; };
kernel void k (global int *x) { union number n; n.i = 1; x[0] = n.c[0]; }
