/* The annotations of a verifier of kernels. What speaks of other work-items is not checked. */
__axiom (get_work_dim () == 1);
int next (int i)
{
  __requires (i >= 0);
  __ensures (__return_val_int () == __old_int (i) + 1);
  return i + 1;
}
__kernel void annotations (__global int *x, __local int *y)
{
  __requires (get_local_size (0) == 2);
  __requires (__no_write (x));
  y[get_local_id (0)] = STEP;
  __barrier_invariant (y[get_local_id (0)] == 2, get_local_id (0));
  int i;
  for (i = 0; __invariant (i >= 0), __global_invariant (__implies (__write (x), __write_offset_bytes (x) >= 0)), i < 2;
       i = next (i))
    x[STEP * get_global_id (0) + i] = i;
  __assert (__distinct_int (get_global_id (0)));
  __assert (i == 2);
}
