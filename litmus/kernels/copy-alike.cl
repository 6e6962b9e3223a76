// All work-items of a group must call an asynchronous copy with the same arguments.
__kernel void copy (__global int *in, __global int *out, __local int *tile)
{
  int l = get_local_id (0), g = get_group_id (0), n = get_local_size (0);
  event_t done = async_work_group_copy (tile + (FIRST), in + g * n, COUNT, 0);
  wait_group_events (1, &done);
  barrier (CLK_LOCAL_MEM_FENCE);
  out[get_global_id (0)] = tile[l];
}
