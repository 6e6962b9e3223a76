// A variable that only some paths assign.
__kernel void unset (__global int *x, int n)
{
  int value;
  if (n > 3)
    value = n;
  x[get_global_id (0)] = value;
}
