// A barrier orders the memory that its flags name. Wrong with -D FLAGS=CLK_LOCAL_MEM_FENCE.
#ifndef FLAGS
#define FLAGS CLK_GLOBAL_MEM_FENCE
#endif
__kernel void neighbour (__global int *x, __global int *y)
{
  size_t i = get_local_id (0);
  x[i] = i;
  barrier (FLAGS);
  y[i] = x[(i + 1) % get_local_size (0)];
}
