// An inclusive prefix sum (Hillis and Steele). Wrong with -D ONE_BARRIER: a sum is overwritten before it is read.
__kernel void scan (__global int *data, __local int *part)
{
  int id = get_local_id (0);
  part[id] = data[id];
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int step = 1; step < get_local_size (0); step <<= 1)
    {
      int add = id >= step ? part[id - step] : 0;
#ifndef ONE_BARRIER
      barrier (CLK_LOCAL_MEM_FENCE);
#endif
      part[id] += add;
      barrier (CLK_LOCAL_MEM_FENCE);
    }
  data[id] = part[id];
}
