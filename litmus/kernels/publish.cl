// An object is filled and its number published. Wrong with -D REL=memory_order_relaxed.
#include "lock.h"
typedef struct { int key, value; } entry;
__kernel void publish (__global entry *entries, __global atomic_int *latest, __global int *sum)
{
  if (get_global_id (0) == 0)
    {
      entry e = { 3, 4 };
      entries[2] = e;
      atomic_store_explicit (latest, 2, REL, SCOPE);
    }
  else
    {
      int i = atomic_load_explicit (latest, ACQ, SCOPE);
      if (i)
        {
          __global const entry *e = &entries[i];
          *sum = e->key + e->value;
        }
    }
}
//@ assert sum[0] == 0 || sum[0] == 7
