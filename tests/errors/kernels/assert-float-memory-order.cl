__kernel void f (__global float *x)
{
  x[0] = -1;
}
//@ assert x[0] < x[1]
