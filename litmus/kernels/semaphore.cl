// A semaphore that lets two work-items in: it protects nothing that is for one alone.
__kernel void enter (__global atomic_int *free, __global int *n, __global int *own)
{
  if (get_local_id (0) == 0 && get_group_id (0) == 0)
    atomic_fetch_add_explicit (free, PLACES, memory_order_release, memory_scope_device);
  int left;
  do
    left = atomic_load_explicit (free, memory_order_relaxed, memory_scope_device);
  while (left <= 0 || !atomic_compare_exchange_strong_explicit (free, &left, left - 1, memory_order_acquire,
                                                                memory_order_relaxed, memory_scope_device));
  *n += 1;
  atomic_fetch_add_explicit (free, 1, memory_order_release, memory_scope_device);
}
//@ assert n[0] == get_global_size (0)
