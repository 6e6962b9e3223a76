// Each work-item writes only if the other one does: a race in models that allow values out of thin air.
__kernel void copy (__global int *x, __global int *y)
{
  if (get_global_id (0) == 0)
    {
      if (*x)
        *y = 1;
    }
  else if (*y)
    *x = 1;
}
