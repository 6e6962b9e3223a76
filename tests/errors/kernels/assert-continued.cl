kernel void k (global int *x) { x[0] = 1; }
//@ requires x[0] == 0
//@ assert x[0] == 1
//@   || x[0] == 2
