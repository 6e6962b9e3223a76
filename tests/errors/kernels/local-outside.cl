local int a[2];
kernel void k (global int *x) { a[0] = x[0]; }
