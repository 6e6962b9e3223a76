// A division by what another work-item may not have written yet.
__kernel void divide (__global atomic_int *d, __global int *out)
{
  if (get_global_id (0) == 0)
    atomic_store_explicit (d, 2, memory_order_relaxed, memory_scope_device);
  else
    {
      int by = atomic_load_explicit (d, memory_order_relaxed, memory_scope_device);
#ifdef GUARD
      if (by)
#endif
      *out = 6 / by;
    }
}
