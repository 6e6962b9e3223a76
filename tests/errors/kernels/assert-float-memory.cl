__kernel void f (__global float *x, __global uint *y)
{
  x[0] = 1; y[0] = 1;
}
//@ assert x[0] == y[0]
