// Assertions over final memory compare as C does.
__kernel void values (__global uint *u, __global int *i, __global uchar *c, __global ulong *w)
{
  u[0] = -1;
  i[0] = -1;
  c[0] = -1;
  w[0] = -1;
}
//@ assert u[0] == -1 && u[0] == ~0u && u[0] > 5 && !(u[0] < 0)
//@ assert i[0] == -1 && i[0] == 0xffffffff && i[0] < 0
//@ assert c[0] == 255 && c[0] != -1
//@ assert w[0] == -1 && w[0] == ~0
//@ assert c[0] == -1
//@ assert i[0] == 1
