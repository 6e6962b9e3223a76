// A scope must include both work-items: wrong with -grid 2x1, right with -grid 1x2.
__kernel void pass (__global int *data, __global atomic_int *flag, __global int *out)
{
  if (get_global_id (0) == 0)
    {
      *data = 1;
      atomic_store_explicit (flag, 1, memory_order_release, memory_scope_work_group);
    }
  else if (atomic_load_explicit (flag, memory_order_acquire, memory_scope_work_group))
    *out = *data;
}
