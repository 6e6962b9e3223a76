// Double-checked initialisation. Wrong with -D ACQ=memory_order_relaxed: the fast path does not see the value.
#include "lock.h"
__kernel void once (__global atomic_int *state, __global int *value, __global int *seen)
{
  if (atomic_load_explicit (state, ACQ, SCOPE) != 2)
    {
      int expected = 0;
      if (atomic_compare_exchange_strong_explicit (state, &expected, 1, memory_order_relaxed, memory_order_relaxed, SCOPE))
        {
          *value = 42;
          atomic_store_explicit (state, 2, REL, SCOPE);
        }
      else
        while (atomic_load_explicit (state, ACQ, SCOPE) != 2)
          ;
    }
  seen[get_global_id (0)] = *value;
}
//@ assert seen[0] == 42 && seen[1] == 42
