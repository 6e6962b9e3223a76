// Each work-group counts in local memory, and adds its counts to the whole. Wrong with -D NO_BARRIER.
#define BINS 2
__kernel void histogram (__global const uint *data, volatile __global uint *bins)
{
  __local uint own[BINS];
  uint id = get_local_id (0);
  for (uint b = id; b < BINS; b += get_local_size (0))
    own[b] = 0;
#ifndef NO_BARRIER
  barrier (CLK_LOCAL_MEM_FENCE);
#endif
  atomic_inc (&own[data[get_global_id (0)] % BINS]);
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint b = id; b < BINS; b += get_local_size (0))
    atomic_add (&bins[b], own[b]);
}
