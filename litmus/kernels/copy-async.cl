// A work-group copies a row to local memory: it may be used once all have waited for the copy.
__kernel void turn (__global int *row, __local int *copy, __global int *out)
{
  int i = get_local_id (0), n = get_local_size (0);
#ifdef WRITE_FIRST
  row[i] = i;
#endif
  event_t event = async_work_group_copy (copy, row, n, 0);
#ifdef READ_EARLY
  out[i] = copy[i];
#endif
#ifdef ONE_WAITS
  if (i == 0)
#endif
    wait_group_events (1, &event);
  out[i] = copy[n - 1 - i];
#ifndef NO_BARRIER
  barrier (CLK_LOCAL_MEM_FENCE);
#endif
  copy[i] = 7;
#ifdef BACK
  barrier (CLK_LOCAL_MEM_FENCE);
  event = async_work_group_strided_copy (row, copy, 2, 2, 0);
  wait_group_events (1, BACK);
  out[i] = row[2 * i];
#endif
}
