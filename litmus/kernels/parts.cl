// Work-items write parts of one integer.
__kernel void split (__global uint *x)
{
  int i = get_local_id (0);
  ((__global uchar *) x)[i] = 7;
  ((__global ushort *) x)[WHERE] = 8;
}
