__kernel void k (__global float *x)
{
  x[0] = 2;
}
//@ assert x[0] < 3
