// A lock for many readers or one writer: the state is the number of readers, or -1.
#include "lock.h"
__kernel void share (__global atomic_int *state, __global int *x, __global int *y, __global int *seen)
{
  if (get_global_id (0) == 0)
    {
      int expected = 0;
      while (!atomic_compare_exchange_strong_explicit (state, &expected, -1, ACQ, memory_order_relaxed, SCOPE))
        expected = 0;
      *x = 1;
      *y = 1;
      atomic_store_explicit (state, 0, REL, SCOPE);
    }
  else
    {
      int readers;
      do
        readers = atomic_load_explicit (state, memory_order_relaxed, SCOPE);
      while (readers < 0
             || !atomic_compare_exchange_strong_explicit (state, &readers, readers + 1, ACQ, memory_order_relaxed, SCOPE));
      seen[get_global_id (0)] = *x - *y;
#ifndef NO_RELEASE
      atomic_fetch_sub_explicit (state, 1, REL, SCOPE);
#endif
    }
}
//@ assert seen[1] == 0
