struct flags { unsigned a : 3; unsigned b : 5; };
kernel void k (global int *x) { struct flags f; f.a = 1; x[0] = f.a; }
