// Message passing between two work-items. Wrong with -D ORDER=memory_order_relaxed on either side, or a scope too small.
#ifndef REL
#define REL memory_order_release
#endif
#ifndef ACQ
#define ACQ memory_order_acquire
#endif
#ifndef SCOPE
#define SCOPE memory_scope_device
#endif
__kernel void message (__global int *data, __global atomic_int *ready, __global int *seen)
{
  if (get_global_id (0) == 0)
    {
      *data = 42;
      atomic_store_explicit (ready, 1, REL, SCOPE);
    }
  else if (get_global_id (0) == 1)
    {
      while (!atomic_load_explicit (ready, ACQ, SCOPE))
        ;
      *seen = *data;
    }
}
//@ assert seen[0] == 42
