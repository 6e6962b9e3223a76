// A barrier across work-groups: a work-item of the first one waits for each other work-group.
#ifndef ACQ
#define ACQ memory_order_acquire
#endif
#ifndef REL
#define REL memory_order_release
#endif
__kernel void meet (__global atomic_uint *flag, __global uint *in, __global uint *out)
{
  size_t l = get_local_id (0), g = get_group_id (0);
  in[get_global_id (0)] = 1;
  if (g == 0)
    {
      if (l + 1 < get_num_groups (0))
        while (atomic_load_explicit (&flag[l + 1], ACQ, memory_scope_device) == 0)
          ;
      barrier (CLK_GLOBAL_MEM_FENCE);
      if (l + 1 < get_num_groups (0))
        atomic_store_explicit (&flag[l + 1], 0, REL, memory_scope_device);
    }
  else
    {
#ifndef NO_BARRIER
      barrier (CLK_GLOBAL_MEM_FENCE);
#endif
      if (l == 0)
        {
          atomic_store_explicit (&flag[g], 1, REL, memory_scope_device);
          while (atomic_load_explicit (&flag[g], ACQ, memory_scope_device) == 1)
            ;
        }
      barrier (CLK_GLOBAL_MEM_FENCE);
    }
  uint sum = 0;
  for (uint i = 0; i < get_global_size (0); i++)
    sum += in[i];
  out[get_global_id (0)] = sum;
}
//@ assert out[0] == get_global_size (0) && out[3] == get_global_size (0)
