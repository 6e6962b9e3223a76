// A work-item of a work-group by its place in two dimensions.
kernel void place (global uint *x)
{
  uint i = get_local_id (0), j = get_local_id (1), all = work_group_broadcast (i + 10 * j, 1, 1);
  assert (all == 11);
  if (i + j == 0)
    x[all - 11] = 1;
}
