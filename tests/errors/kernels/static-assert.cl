enum { N = 3 };
_Static_assert (N == 3, "three");
kernel void k (global int *x)
{
  _Static_assert (sizeof (*x) == 8, "long");
  x[0] = 1;
}
