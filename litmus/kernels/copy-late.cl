/* A copy goes on behind barriers, until its event is waited for: here the next tile is fetched during a round. */
#define BARRIER barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
__kernel void fetch (__global int *in, __global int *out)
{
  __local int tiles[2][2];
  int l = get_local_id (0), n = get_local_size (0);
  event_t next = async_work_group_copy (tiles[0], in, n, 0);
  for (int round = 0; round < ROUNDS; round++)
    {
#ifdef AT_ONCE
      BARRIER;
#endif
      wait_group_events (1, &next);
#ifdef SAME
      next = async_work_group_copy (tiles[round % 2], in + n, n, 0);
#else
      next = async_work_group_copy (tiles[(round + 1) % 2], in + n, n, 0);
#endif
      for (int step = 0; step < STEPS; step++)
        BARRIER;
      out[l] += tiles[round % 2][n - 1 - l];
#ifdef SOURCE
      in[n + l] = 1;
#endif
      for (int step = 0; step < STEPS; step++)
        BARRIER;
    }
  wait_group_events (1, &next);
#ifdef AFTER
  BARRIER;
  out[l] += tiles[ROUNDS % 2][n - 1 - l];
  in[n + l] = 1;
#endif
}

/* One call begins several. */
__kernel void fetch_all (__global int *in, __global int *out)
{
  __local int tiles[3][2];
  event_t events[4];
  int l = get_local_id (0);
  for (int i = 0; i < 3; i++)
    events[i] = async_work_group_copy (tiles[i], in + i, 2, 0);
  BARRIER;
  wait_group_events (WAITED, events);
  BARRIER;
  out[l] += tiles[1][l];
}
