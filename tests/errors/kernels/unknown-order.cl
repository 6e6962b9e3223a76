kernel void k (global atomic_int *x) { atomic_load_explicit (x, memory_order_acq, memory_scope_device); }
