/* Constant expressions have the types and values that C gives them, and each declarator has its declaration's type. */
enum { A = 0xffffffffu > 0, B = -1 < 0u, C = ~0u >> 1, D = 'a' };
__constant int table[] = { -1, 2 * 3, 1 << 4, ~0, 5 > 3 ? 7 : 2, sizeof (int), -'a', !0, (uchar) 300, D + 1 };
__constant long least = -9223372036854775807L - 1;
struct pair { int a[sizeof (char)], b; };
__constant struct pair p = { { -2 }, 70000 };
__constant float third = 1.0f / 3;
__constant float4 parts = (float4)(1.0f / 3, 2, -1, -(2.0f / 7));

struct pair both (int x) { struct pair own = { { x }, x + 1 }; return own; }

int by_uint (uint u)
{
  switch (u) { case -1: return 1; case 5 - 3: return 2; default: return 3; }
}

int by_char (uchar u)
{
  switch (u) { case 256: return 1; case 255: return 2; default: return 3; }
}

__kernel void constants (__global int *x, __global float *f)
{
  int a = (uchar) 300, b = 300;
  char c[sizeof (int)] = { 1 }, d = 3;
  long e[4], *first = e + ((int) sizeof (uchar3) & 1), *last = &e[3];
  assert (a == 44 && b == 300 && d == 3 && sizeof d == 1 && last - first == 3);
  assert (table[0] == -1 && table[1] == 6 && table[2] == 16 && table[3] == -1 && table[4] == 7 && table[5] == 4);
  assert (table[6] == -97 && table[7] == 1 && table[8] == 44 && table[9] == 98 && least == LONG_MIN);
  assert (A == 1 && B == 0 && C == INT_MAX && p.b == 70000 && p.a[0] == -2 && both (5).a[0] == 5);
  assert (by_uint (0xffffffff) == 1 && by_uint (2) == 2 && by_char (0) == 3 && by_char (255) == 2);
  uchar4 v = (uchar4)(5, 0, 0, 0);
  assert ((~v).x > 200 && (-(char2)(-128, 0)).x < 0);
  assert (mad_sat (LONG_MAX, 2L, 1L) == LONG_MAX && mad_sat (-1L, -5L, -6L) == -1 && mad_sat (ULONG_MAX, 2UL, 1UL) == ULONG_MAX);
  if (parts.y != 2.0f)
    x[2] = get_local_id (0);
  if (get_local_id (0) == 0)
    f[1] = 2;
#ifdef UNKNOWN
  if (third > 0.1f) /* is not calculated */
    x[0] = get_local_id (0);
#endif
}
//@ assert f[1] == 2 && f[1] != -2.5f
