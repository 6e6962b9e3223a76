// A tree reduction in local memory. Wrong with -D NO_BARRIER.
__kernel void reduce (__global const int *in, __global int *out, __local int *part)
{
  size_t id = get_local_id (0);
  part[id] = in[get_global_id (0)];
  barrier (CLK_LOCAL_MEM_FENCE);
  for (size_t step = get_local_size (0) / 2; step > 0; step /= 2)
    {
      if (id < step)
        part[id] += part[id + step];
#ifndef NO_BARRIER
      barrier (CLK_LOCAL_MEM_FENCE);
#endif
    }
  if (id == 0)
    out[get_group_id (0)] = part[0];
}
