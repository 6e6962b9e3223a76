// A barrier is for one work-group: work-items of others are not ordered by it.
__kernel void neighbour (__global int *x, __global int *y)
{
  size_t i = get_global_id (0);
  x[i] = i;
  barrier (CLK_GLOBAL_MEM_FENCE);
  y[i] = x[(i + 1) % get_global_size (0)];
}
