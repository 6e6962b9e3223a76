__kernel void k (__global int *a)
{
  int t[2] = { [4294967297] = 1 };
  a[0] = t[1];
}
