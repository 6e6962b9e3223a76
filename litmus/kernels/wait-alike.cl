// All work-items of a group wait for the same events, in any order.
__kernel void wait_alike (__global const int *a, __local int *s, __local int *t)
{
  event_t first = async_work_group_copy (s, a, 2, 0), second = async_work_group_copy (t, a, 2, 0);
  event_t both[2] = { first, second }, *own = both;
  if (get_local_id (0) == 1)
    {
#ifdef OTHER
      own = both + 1;
#else
      both[0] = second;
      both[1] = first;
#endif
    }
  wait_group_events (N, own);
}
