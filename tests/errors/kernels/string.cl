kernel void k (global int *x) { constant char *p = "abc"; x[0] = p[1]; }
