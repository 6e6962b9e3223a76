__kernel void k (__global int *a)
{
  a[0] = sub_group_reduce_add (a[0]);
}
