#define SCOPE memory_scope_device
__kernel void message (__global int *data, __global atomic_int *ready, __global int *seen)
{
  if (get_global_id (0) == 0)
    {
      *data =   42; // the message
      atomic_store_explicit (ready, 1, memory_order_relaxed, SCOPE);
    }
  else if (atomic_load_explicit (ready,   /* and then */ memory_order_acquire, memory_scope_work_group))
    *seen = *data;
}
