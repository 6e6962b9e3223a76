// What is read after a barrier decides who writes y. It may not be what another work-item wrote, if that one ends (-D ENDS) or fails
// (-D FAILS) before the barrier, if the barrier is for other memory or of a narrower scope (FLAGS), or if the array is atomic.
#ifndef FLAGS
#define FLAGS CLK_GLOBAL_MEM_FENCE
#endif
__kernel void copy (__global int *x, __global int *y, __global int *z)
{
  int id = get_local_id (0);
#ifdef ATOMIC
  atomic_inc (&x[0]);
  if (id == 0 ? x[1] : x[2])
    x[2 - id] = 1;
#else
  if (id == 0)
    {
      x[0] = 1;
#ifdef ENDS
      return;
#endif
#ifdef FAILS
      z[5] = 1;
#endif
    }
  work_group_barrier (FLAGS);
  if (x[0])
    y[id] = 1;
  else
    y[0] = id / x[0];
#endif
}
