kernel void k (global int *x) { switch (x[0]) { case 0: continue; } }
