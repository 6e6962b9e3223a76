// A vector's lanes by their number.
int4 next (int4 v) { return v + 1; }

__kernel void number (__global int4 *x, __global int *out)
{
  int i = get_global_id (0);
  int4 v = (int4) (1, 2, 3, 4);
  v[i] = 7;
  x[i][2] = v[1 - i];
  assert (v[i] == 7 && v[3] == 4 && next (v)[i] == 8 && ((int2) (5, 6))[i] == 5 + i);
  int k = 0;
  int2 pairs[2] = { { 1, 2 }, { 3, 4 } };
  assert (pairs[k++][i] == 1 + i && k == 1);
#ifdef LANE
  out[i] = v[LANE];
#endif
}
//@ assert x[0].z == 2 && x[1].z == 1
