// The queue lock of Mellor-Crummey and Scott; nodes are numbered from 1, and 0 is none.
#include "lock.h"
__kernel void count (__global atomic_int *tail, __global atomic_int *next, __global atomic_int *locked, __global int *n)
{
  int own = get_global_id (0) + 1;
  atomic_store_explicit (&next[own], 0, memory_order_relaxed, SCOPE);
  atomic_store_explicit (&locked[own], 1, memory_order_relaxed, SCOPE);
  int before = atomic_exchange_explicit (tail, own, memory_order_acq_rel, SCOPE);
  if (before)
    {
      atomic_store_explicit (&next[before], own, REL, SCOPE);
      while (atomic_load_explicit (&locked[own], ACQ, SCOPE))
        ;
    }
  *n += 1;
  int expected = own;
  if (!atomic_compare_exchange_strong_explicit (tail, &expected, 0, REL, memory_order_relaxed, SCOPE))
    {
      int after;
      do
        after = atomic_load_explicit (&next[own], ACQ, SCOPE);
      while (after == 0);
      atomic_store_explicit (&locked[after], 0, REL, SCOPE);
    }
}
//@ assert n[0] == get_global_size (0)
