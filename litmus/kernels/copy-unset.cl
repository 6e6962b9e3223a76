/* A copy that reads what has no value: the work-items that wait for it do not hide that, or a race. */
__kernel void copy_unset (__global int *x)
{
  __local int t[2];
  if (get_local_id (0) == 0)
    t[0] = 1;
  barrier (CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_copy (x, t, N, 0);
  wait_group_events (1, &e);
}
