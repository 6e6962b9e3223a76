// Two sweeps over a row, with a barrier between them. Wrong with -D NO_BARRIER.
__kernel void sweep (__global int *x, __global int *y)
{
  int i = get_local_id (0), n = get_local_size (0);
  y[i] = x[i] + x[(i + 1) % n];
#ifndef NO_BARRIER
  barrier (CLK_GLOBAL_MEM_FENCE);
#endif
  x[i] = y[i] + y[(i + 1) % n];
}
