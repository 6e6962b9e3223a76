// A sum by atomic additions, and its use by the last one to add. Wrong with -D ORDER=memory_order_relaxed.
#ifndef ORDER
#define ORDER memory_order_acq_rel
#endif
__kernel void sum (__global const int *in, __global int *part, __global atomic_uint *done, __global int *out)
{
  uint i = get_global_id (0), n = get_global_size (0);
  part[i] = in[i] + 1;
  if (atomic_fetch_add_explicit (done, 1, ORDER, memory_scope_device) == n - 1)
    {
      int all = 0;
      for (uint k = 0; k < n; k++)
        all += part[k];
      *out = all;
    }
}
//@ assert out[0] == get_global_size (0)
