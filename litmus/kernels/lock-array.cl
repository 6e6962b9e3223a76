// Anderson's lock: each work-item waits at an element of its own.
#include "lock.h"
__kernel void count (__global atomic_uint *next, __global atomic_uint *go, __global int *n)
{
  uint slot = atomic_fetch_add_explicit (next, 1, memory_order_relaxed, SCOPE);
  if (slot)
    while (!atomic_load_explicit (&go[slot], ACQ, SCOPE))
      ;
  ++*n;
  atomic_store_explicit (&go[slot + 1], 1, REL, SCOPE);
}
//@ assert n[0] == get_global_size (0)
