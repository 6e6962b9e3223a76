kernel void k (global int *x) { x[0] = L'x'; }
