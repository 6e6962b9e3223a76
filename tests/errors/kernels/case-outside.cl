kernel void k (global int *x) { x[0] = 1; case 3: x[1] = 2; }
