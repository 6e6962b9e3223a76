/* An address as an integer counts bytes, and __ptr_offset_bytes those from the beginning of its array. */
void shifted (__global int *p)
{
  __requires (__ptr_offset_bytes (p) == BY);
  p[get_global_id (0)] = 1;
}
__kernel void pointer_bytes (__global int *x, __global double *y)
{
  __assert ((size_t) (x + 1) - (size_t) x == sizeof (int) && ((ulong) &y[get_global_id (0)] & 7) == 0);
  shifted (x + 1);
}
__kernel void back (__global int *x, __global int *y)
{
  int i = get_global_id (0);
  __global int *next = (__global int *) ((size_t) x + BY * (i + 1));
  *next = i;
  y[i] = x[i + 1];
  __assert (y[i] == i);
}
