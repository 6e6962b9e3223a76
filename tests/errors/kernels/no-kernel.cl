void f (global int *x) { x[0] = 1; }
