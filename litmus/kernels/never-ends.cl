// What is wrong in executions that never end only: a race, with -D OUTSIDE an access outside an array, with -D FAILS an
// assertion. With -D ALWAYS, no execution ends.
__kernel void wait (__global atomic_int *late, __global atomic_int *never, __global int *x)
{
  if (get_group_id (0) == 0)
    {
#ifdef ALWAYS
      x[0] = 1;
      for (;;)
        atomic_load (never);
#else
      if (atomic_load (late) == 0)
        {
          x[0] = 1;
          atomic_store (late, 2);
          while (!atomic_load (never))
            ;
        }
#endif
    }
#ifdef OUTSIDE
  else if (atomic_exchange (late, 1) == 2)
    x[1] = 2;
#elif defined FAILS
  else if (atomic_exchange (late, 1) == 2)
    assert (x[0] != 1);
#else
  else
    {
      atomic_store (late, 1);
      x[0] = 2;
    }
#endif
}
