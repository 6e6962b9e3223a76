kernel void k (global float *x) { x[0] = x[1] % 2.0f; }
