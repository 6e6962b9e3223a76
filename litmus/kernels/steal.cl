// Work stealing: the owner of a deque pushes with scope work_group; a thief of another work-group needs the
// _remote forms to see what it stole. Wrong with -D NO_REMOTE.
#ifdef NO_REMOTE
#define EXCHANGE atomic_compare_exchange_strong_explicit
#else
#define EXCHANGE atomic_compare_exchange_strong_explicit_remote
#endif
__kernel void steal (__global int *task, __global atomic_int *tail, __global int *done)
{
  if (get_group_id (0) == 0)
    {
      *task = 7;
      atomic_store_explicit (tail, 1, memory_order_release, memory_scope_work_group);
    }
  else
    {
      int one = 1;
      if (EXCHANGE (tail, &one, 0, memory_order_acq_rel, memory_order_relaxed, memory_scope_device))
        *done = *task;
    }
}
