// A barrier joins the work-items of a work-group, whatever its memory scope is.
#ifndef BARRIER
#define BARRIER work_group_barrier
#endif
__kernel void k (__global int *x, __global int *y)
{
  if (get_global_id (0) == 0)
    x[0] = 1;
  BARRIER (CLK_GLOBAL_MEM_FENCE, memory_scope_device);
  if (get_global_id (0) == 1)
    y[0] = x[0];
}
