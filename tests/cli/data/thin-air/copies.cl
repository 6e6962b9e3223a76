kernel void k (global atomic_int *x, global atomic_int *y) {
  if (get_global_id (0) == 0) {
    int r = atomic_load_explicit (x, memory_order_relaxed, memory_scope_device);
    atomic_store_explicit (y, r, memory_order_relaxed, memory_scope_device);
    assert (r != 42);
  } else {
    int r = atomic_load_explicit (y, memory_order_relaxed, memory_scope_device);
    atomic_store_explicit (x, r, memory_order_relaxed, memory_scope_device);
  }
}
//@ init x = 0
//@ init y = 0
//@ assert x[0] != 7
