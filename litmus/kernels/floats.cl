// What is calculated with floating-point numbers decides whether there is a barrier, for all work-items alike. With -D STORED
// an integer made of it is in memory, and a branch depends on that.
__kernel void scale (__global float *x, __global int *n, float factor)
{
  int i = get_local_id (0);
  x[i] = i * factor;
  if (sqrt (factor) > 1.0f)
    barrier (CLK_GLOBAL_MEM_FENCE);
#ifdef STORED
  n[1 + i] = (int) (factor * 2);
  if (n[1 + i] == 0)
    n[0] = i;
#endif
}
