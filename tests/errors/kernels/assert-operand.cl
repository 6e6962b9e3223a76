kernel void k (global int *x) { x[0] = 1; }
//@ assert y[0] == 1
