/* Each work-item takes a slot, whose number is read: the array has as many elements as executions need. */
__kernel void slots (__global atomic_int *next, __global int *data)
{
  int slot = atomic_fetch_add_explicit (next, 1, memory_order_relaxed, memory_scope_device);
  data[slot] += get_global_id (0);
}
