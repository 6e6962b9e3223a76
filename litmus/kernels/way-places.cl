/* Ways that do the same on lines of their own: each is in the race. */
__kernel void way_places (__global int *x, __global int *z, int n)
{
  int i = get_global_id (0);
  if (i == 0)
    x[0] = 1;
  else if (n)
    z[i] = x[0];
  else
    z[i] = x[0];
}
