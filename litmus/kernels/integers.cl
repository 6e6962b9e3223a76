/* OpenCL's integer functions, on scalars and vectors of all widths, are calculated. */
__kernel void integers (__global int *x)
{
  int i = get_global_id (0);
  assert (abs ((char) -128) == 128 && abs (-3) == 3 && abs_diff (-2, 3) == 5);
  assert (rotate ((uchar) 0x81, (uchar) 1) == 3 && rotate (1, 33) == 2 && rotate (-2, 0) == -2);
  assert (popcount ((short) -1) == 16 && popcount (0x10001) == 2 && clz ((uchar) 1) == 7 && clz (0L) == 64);
  assert (add_sat ((char) 100, (char) 100) == 127 && add_sat (-2000000000, -2000000000) == INT_MIN);
  assert (sub_sat (1u, 2u) == 0 && sub_sat ((char) -100, (char) 100) == -128 && sub_sat (5, 2) == 3);
  assert (hadd ((uchar) 255, (uchar) 254) == 254 && rhadd (INT_MAX, INT_MAX - 1) == INT_MAX);
  assert (mul_hi (0x80000000u, 4u) == 2 && mul_hi (-1, 1) == -1 && mad_hi (1 << 30, 8, 1) == 3);
  assert (mad_sat ((short) 300, (short) 300, (short) 1) == 32767 && upsample ((short) -1, (ushort) 2) == -65534);
  assert (mul24 (3, 5) == 15 && mad24 (3, 5, 2) == 17 && bitselect (0xF0, 0x0F, 0x3C) == 0xCC);
  assert (min (2, 3) == 2 && max (-1L, 1L) == 1 && clamp (9, 2, 4) == 4 && select (1, 2, 3) == 2);
  assert (mul_hi (LONG_MIN, 6L) == -3 && mul_hi (ULONG_MAX, 5UL) == 4 && mad_hi (-1L, 1L, 2L) == 1);
  assert (convert_uchar_sat (300) == 255 && convert_char_sat (-200) == -128 && convert_uint_sat (-1L) == 0);
  assert (convert_int_sat (3000000000u) == INT_MAX && convert_short4_sat ((int4) (70000, -70000, 5, 6)).y == -32768);
  int4 v = (int4)(1, 2, 3, 4), w = shuffle (v, (uint4)(3, 2, 1, 0));
  assert (w.x == 4 && shuffle2 (v, w, (uint4)(0, 4, 5, 7)).w == 1 && max (v, 2).s0 == 2);
  assert (any (v > 3) && !all (v > 3) && select (v, w, v > 2).z == 2 && (v > 2 ? w : v).y == 2);
  assert (clamp (v, (int4) 2, (int4) 3).w == 3 && rotate (v, (int4) 1).y == 4);
  ushort4 u = (ushort4)(0x8000, 1, 2, 3), by = (ushort4)(17, 0, 0, 0);
  assert ((max (u, u) >> by).x == 0x4000 && (max (u, 1) >> by).x == 0x4000 && (clamp (u, 0, 0x9000) >> by).x == 0x4000);
  assert (sizeof (min ((uchar) 1, (uchar) 2)) == 1 && sizeof (add_sat (u, 1)) == 8);
  assert (sizeof (select ((char) 1, (char) 2, (char) 3)) == 1);
  x[i + popcount (15) - clz ((uchar) 8)] = i;
}
