// Two reads of one location agree with its order of writes.
__kernel void corr (__global atomic_int *x)
{
  if (get_global_id (0) == 0)
    for (int i = 1; i <= 2; i++)
      atomic_store_explicit (x, i, memory_order_relaxed, memory_scope_device);
  else
    {
      int a = atomic_load_explicit (x, memory_order_relaxed, memory_scope_device);
      int b = atomic_load_explicit (x, memory_order_relaxed, memory_scope_device);
      assert (a <= b);
    }
}
