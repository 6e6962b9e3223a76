__kernel void k (__global int *x)
{
  x[0] = 2;
}
//@ assert x[0] == 2.0f
