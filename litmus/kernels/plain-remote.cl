// A remote operation that reaches a plain access: no data race by the published inclusion of opencl_rem.cat.
#ifndef SCOPE
#define SCOPE memory_scope_device
#endif
__kernel void k (__global atomic_int *x, __global int *y)
{
  __global int *plain = (__global int *) x;
  if (get_group_id (0) == 0)
    y[0] = atomic_load_explicit_remote (x, memory_order_acquire, SCOPE);
  else if (get_group_id (0) == 1)
    *plain = 1;
  else
    y[1] = *plain;
}
