// A prefix sum over work-groups: each waits for the one before it. Wrong with -D REL=memory_order_relaxed.
#include "lock.h"
__kernel void chain (__global const int *in, __global int *prefix, __global atomic_int *ready)
{
  size_t g = get_group_id (0);
  int sum = in[g] + 1;
  if (g > 0)
    {
      while (!atomic_load_explicit (&ready[g - 1], ACQ, SCOPE))
        ;
      sum += prefix[g - 1];
    }
  prefix[g] = sum;
  atomic_store_explicit (&ready[g], 1, REL, SCOPE);
}
//@ assert prefix[1] == 2
