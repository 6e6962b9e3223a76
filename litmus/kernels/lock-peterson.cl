// Peterson's lock for two work-items needs sequentially consistent accesses: wrong with -D SC=memory_order_relaxed.
#ifndef SC
#define SC memory_order_seq_cst
#endif
__kernel void count (__global atomic_int *wants, __global atomic_int *turn, __global int *n)
{
  int me = get_global_id (0), other = 1 - me;
  atomic_store_explicit (&wants[me], 1, SC, memory_scope_device);
  atomic_store_explicit (turn, other, SC, memory_scope_device);
  while (atomic_load_explicit (&wants[other], SC, memory_scope_device)
         && atomic_load_explicit (turn, SC, memory_scope_device) == other)
    ;
  *n += 1;
  atomic_store_explicit (&wants[me], 0, SC, memory_scope_device);
}
//@ assert n[0] == 2
