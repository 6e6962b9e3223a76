// Sub-groups: a message within one needs no more than its scope; wrong with -grid 1x2x1.
__kernel void pass (__local int *data, __local atomic_int *flag, __global int *out)
{
  if (get_local_id (0) == 0)
    atomic_init (flag, 0);
  work_group_barrier (CLK_LOCAL_MEM_FENCE);
  if (get_local_id (0) == 0)
    {
      *data = 1;
      atomic_store_explicit (flag, 1, memory_order_release, memory_scope_sub_group);
    }
  else if (atomic_load_explicit (flag, memory_order_acquire, memory_scope_sub_group))
    *out = *data;
}
