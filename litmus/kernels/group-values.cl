// Reductions, scans, broadcasts and votes pass values, and order nothing else.
__kernel void pass (__global int *x)
{
  int i = get_local_id (0), last = get_local_size (0) - 1;
  long wide = ((long) i << 40) - 5;
  x[i] = i;
  if (WORK_GROUP)
    {
      assert (work_group_reduce_add (i + 1) == 3 && work_group_reduce_min ((short) -i) == -1);
      assert (work_group_scan_inclusive_add (2) == 2 * i + 2);
      assert (work_group_scan_exclusive_min (i + 3) == (i ? 3 : INT_MAX));
      assert (work_group_scan_exclusive_max (wide) == (i ? -5 : LONG_MIN));
      assert (work_group_reduce_max (wide) == ((long) 1 << 40) - 5);
      if (work_group_any (i == 1) && !work_group_all (i == 1))
        barrier (CLK_LOCAL_MEM_FENCE);
    }
  for (uint k = 0; k < 2; k++)
    assert (work_group_broadcast (10 * i + (int) k, k) == 11 * k);
  assert (sub_group_ballot (i == 1).x == 2);
  assert (sub_group_shuffle_xor (i, 1) == 1 - i);
  assert (sub_group_broadcast (i ? 1.5f : 0.5f, 1) == 1.5f);
#ifdef ALONE
  if (i == ALONE)
    work_group_reduce_add (i);
#endif
#ifdef READ
  if (i == last)
    x[last] += x[READ];
#endif
}
