kernel void k (global int *x) { struct { int a; struct { int b; } in; } s = { .in.c = 1 }; x[0] = s.a; }
