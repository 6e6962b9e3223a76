#define F(a, b) a + b
kernel void k (global int *x) { x[0] = F (1); }
