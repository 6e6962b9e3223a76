__kernel void k (__global int *x)
{
  x[get_global_id (0)] = 2;
}
//@ assert x[get_global_id (0)] == get_global_size (0)
