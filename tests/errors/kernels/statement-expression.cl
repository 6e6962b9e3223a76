kernel void k (global int *x) { x[0] = ({ int y = 1; y; }); }
