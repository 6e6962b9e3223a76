// A sequence lock: a reader tries again if a writer was there. Wrong with -D FENCE=memory_order_relaxed.
#ifndef FENCE
#define FENCE memory_order_acquire
#endif
__kernel void snapshot (__global atomic_uint *seq, __global atomic_int *x, __global atomic_int *y, __global int *seen)
{
  if (get_global_id (0) == 0)
    {
      atomic_store_explicit (seq, 1, memory_order_relaxed, memory_scope_device);
      atomic_work_item_fence (CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
      atomic_store_explicit (x, 1, memory_order_relaxed, memory_scope_device);
      atomic_store_explicit (y, 1, memory_order_relaxed, memory_scope_device);
      atomic_store_explicit (seq, 2, memory_order_release, memory_scope_device);
    }
  else
    {
      uint before = atomic_load_explicit (seq, memory_order_acquire, memory_scope_device);
      int a = atomic_load_explicit (x, memory_order_relaxed, memory_scope_device),
          b = atomic_load_explicit (y, memory_order_relaxed, memory_scope_device);
      atomic_work_item_fence (CLK_GLOBAL_MEM_FENCE, FENCE, memory_scope_device);
      uint after = atomic_load_explicit (seq, memory_order_relaxed, memory_scope_device);
      if (before == after && before % 2 == 0)
        *seen = a - b;
    }
}
//@ assert seen[0] == 0
