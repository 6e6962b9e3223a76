kernel void k (global void *x) { }
