// Test and test-and-set: it waits with loads.
#include "lock.h"
static void lock (__global atomic_int *l)
{
  do
    while (atomic_load_explicit (l, memory_order_relaxed, SCOPE) == 1)
      ;
  while (atomic_exchange_explicit (l, 1, ACQ, SCOPE) == 1);
}
static void unlock (__global atomic_int *l)
{
  atomic_store_explicit (l, 0, REL, SCOPE);
}
__kernel void count (__global atomic_int *l, __global int *n)
{
  lock (l);
  *n += 1;
  unlock (l);
}
//@ assert n[0] == get_global_size (0)
