// Functions of a sub-group's ballot, and of vectors; OpenCL C 3.0, cl_khr_subgroup_ballot and cl_khr_subgroup_extended_types.
#ifndef LOST
#define LOST 1
#endif

kernel void count (global uint *x, global uint *y)
{
  uint i = get_sub_group_local_id ();
  uint4 v = sub_group_ballot (i != LOST);
  uint before = sub_group_ballot_exclusive_scan (v), with = sub_group_ballot_inclusive_scan (v);
  assert (with - before == (uint) sub_group_inverse_ballot (v));
  assert (sub_group_ballot_bit_extract (v, 0) == (LOST != 0) && sub_group_ballot_bit_extract (v, 1) == (LOST != 1));
  if (sub_group_inverse_ballot (v))
    x[before] = i;
  else
    x[sub_group_ballot_bit_count (v)] = 2;
  uint3 sums = sub_group_broadcast ((uint3) (i, 2 * i, 3 * i), 2);
  y[i] = sums.x + sums.y + sums.z;
  assert (y[i] == 12);
#ifdef FIND
  if (i == 0 && FIND (v) == END)
    x[0] = 1;
#endif
#ifdef RACE
  if (i == 0)
    x[sub_group_ballot_bit_count (v) - RACE] = 0;
#endif
}
#if LOST == 1
//@ assert x[0] == 0 && x[1] == 2 && x[2] == 2
#endif
