kernel void k (global int *x) { x[0] = get_globalid (0); }
