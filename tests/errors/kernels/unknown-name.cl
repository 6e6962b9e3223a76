kernel void k (global int *data) { date[0] = 1; }
