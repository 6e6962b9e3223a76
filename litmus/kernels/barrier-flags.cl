// Which memory a barrier is for may be decided as the kernel runs.
__kernel void meet (__global int *x, __local int *y, int n)
{
  int i = get_local_id (0), last = get_local_size (0) - 1;
  x[i] = y[i] = 1;
  barrier ((n ? CLK_GLOBAL_MEM_FENCE : 0) | (n > 1 ? CLK_LOCAL_MEM_FENCE : 0));
  x[last - i] += 1;
  y[last - i] += 1;
}
