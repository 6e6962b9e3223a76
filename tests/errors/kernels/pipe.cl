kernel void k (pipe int p, global int *x) { read_pipe (p, x); }
