// All work-items meet at a counter. Wrong with -D ORDER=memory_order_relaxed.
#ifndef ORDER
#define ORDER memory_order_acq_rel
#endif
__kernel void meet (__global atomic_uint *arrived, __global int *x, __global int *y)
{
  size_t i = get_global_id (0), n = get_global_size (0);
  x[i] = 1;
  atomic_fetch_add_explicit (arrived, 1, ORDER, memory_scope_device);
  while (atomic_load_explicit (arrived, memory_order_acquire, memory_scope_device) < n)
    ;
  y[i] = x[(i + 1) % n];
}
//@ assert y[0] == 1 && y[1] == 1
