// A weak compare-exchange may fail without a reason, but not for ever.
#include "lock.h"
static void lock (__global atomic_int *l)
{
  int expected = 0;
  while (!atomic_compare_exchange_weak_explicit (l, &expected, 1, ACQ, memory_order_relaxed, SCOPE))
    expected = 0;
}
__kernel void count (__global atomic_int *l, __global int *n)
{
  lock (l);
  *n += 1;
  atomic_store_explicit (l, 0, REL, SCOPE);
}
//@ assert n[0] == get_global_size (0)
