_Static_assert (sizeof (int4) == 12, "three lanes");
kernel void k (global int *x) { x[0] = 1; }
