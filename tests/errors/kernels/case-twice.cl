kernel void k (global int *x) { switch (x[0]) { case 3: x[1] = 2; break; case 3: x[1] = 4; } }
