__kernel void k (__global int *a)
{
  a[0] = work_group_scan_inclusive_max (a[0]);
}
