// A barrier that only some work-items of the work-group reach.
__kernel void diverge (__global int *x)
{
  if (get_local_id (0) == 0)
    barrier (CLK_GLOBAL_MEM_FENCE);
  x[get_global_id (0)] = 1;
}
