kernel void k (global point *x) { x[0] = 1; }
