kernel void k (global int *x) { void (^f) (void) = ^{ x[0] = 1; }; f (); }
