// Vectors: lanes that swap, three lanes, and operators that differ from those of scalars.
__kernel void vectors (__global int *data, __local int3 *own)
{
  int i = get_local_id (0);
  int4 v = (int4) (1, 2, 3, 4);
  v.xyz = v.zyx;
  assert (v.x == 3 && v.y == 2 && v.z == 1 && v.w == 4);
  v.xy += v.yx;
  assert (v.x == 5 && v.y == 5);

  /* The fourth element of three lanes is neither read nor written. */
  int3 a, b;
  a.x = 6;
  a.yz = (int2) (4, 2);
  b = a / (int3) (2);
  assert (b.x == 3 && b.y == 2 && b.z == 1);
  own[i] = a;
  own[i].yzx = own[i];
  assert (own[i].x == 2 && own[i].y == 6 && own[i].z == 4);
  vstore3 (b, i, data);
  assert (data[3 * i] == 3 && data[3 * i + 2] == 1);

  /* Lanes are not promoted; truth is -1; both operands are evaluated. */
  uchar2 c = (uchar2) (1, 128) << (uchar2) (9);
  assert (c.x == 2 && c.y == 0);
  int2 both = (int2) (1, 0) && (int2) (i++ + 1, 2);
  assert (both.x == -1 && both.y == 0 && i == get_local_id (0) + 1);
}
