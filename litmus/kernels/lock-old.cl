// The lock that OpenCL 1.x programs have: atomic_cmpxchg is relaxed, so nothing orders the accesses to n.
__kernel void count (volatile __global int *l, __global int *n)
{
  while (atomic_cmpxchg (l, 0, 1) != 0)
    ;
#ifdef FENCES
  atomic_work_item_fence (CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
#endif
  *n += 1;
#ifdef FENCES
  atomic_work_item_fence (CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
#endif
  atomic_xchg (l, 0);
}
