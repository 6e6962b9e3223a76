// Comparisons by order of integers that are several bytes in memory, in assertions about memory at the end.
__kernel void order (__global uint *w, __global int *s, __global ulong *u, __global short *h)
{
  ((__global uchar *) w)[1] = 1;
  w[1] = 0x80000001;
  w[2] = LEAST + 1;
  ((__global uchar *) s)[3] = 0xff;
  s[1] = -5;
  u[0] = 0x100000000UL;
  h[0] = -300;
}
//@ assert w[0] > 255 && w[0] <= 256 && w[0] >= 256 && w[1] > 1 && w[1] > 0x80000000 && w[0] < w[2]
//@ assert s[0] < 0 && s[0] < s[1] && s[1] > -6 && s[1] < -4 && u[0] > 5 && u[0] < 0x100000001UL && h[0] < -299 && h[0] < 5
