// The last work-item to arrive adds up what all have written. Wrong with -D ORDER=memory_order_relaxed.
#ifndef ORDER
#define ORDER memory_order_acq_rel
#endif
__kernel void sum (__global int *part, __global atomic_int *arrived, __global int *total)
{
  int me = get_global_id (0), size = get_global_size (0), all = 0;
  part[me] = me;
  if (atomic_fetch_add_explicit (arrived, 1, ORDER, memory_scope_device) == size - 1)
    {
      for (int i = 0; i < size; i++)
        all += part[i];
      *total = all;
    }
}
