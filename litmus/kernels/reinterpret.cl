// as_TYPE: the bytes of a value as one of another type; the first is the lowest.
__kernel void reinterpret (__global int *o, __global long *p, __global int *bins)
{
  uchar4 c = as_uchar4 (0x01f2a304);
  o[0] = c.x, o[1] = c.y, o[2] = c.z, o[3] = c.w;
  o[4] = as_int ((char4) (1, -1, 2, -2));
  o[5] = as_short2 (-2).x + 10 * as_short2 (-65536 * 3).hi;
  o[6] = as_uint (1.0f) == 0x3f800000;
  o[7] = as_int4 ((short8) (1, 2, 3, 4, 5, 6, 7, 8)).w;
  o[8] = as_float2 (0x4000000000000000L).y == 2.0f && as_long ((float2) (0.0f, 2.0f)) == 0x4000000000000000L;
  p[0] = as_long ((int2) (-1, 5));
  p[1] = as_ulong (as_uchar8 (0x8877665544332211UL)) >> 56;
  p[2] = as_char8 (as_uint2 (0x8877665544332211L)).s7;
  uchar4 bytes = as_uchar4 (0x00010203);
  bins[bytes.x] = 1;
}
//@ assert o[0] == 4 && o[1] == 0xa3 && o[2] == 0xf2 && o[3] == 1 && o[4] == (int) 0xfe02ff01 && o[5] == -32 && o[6] == 1
//@ assert o[7] == 524295 && o[8] == 1 && p[0] == 25769803775 && p[1] == 0x88 && p[2] == -120 && bins[3] == 1
