// What is calculated with floating-point numbers is not known, but the same for all work-items: a barrier under such a
// condition is right. With -D STORED the condition is in memory, where the numbers may be 0: a branch on it is taken both ways.
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
