// Store buffering: both may read 0 unless all is sequentially consistent.
#ifndef SC
#define SC memory_order_seq_cst
#endif
__kernel void sb (__global atomic_int *x, __global int *seen)
{
  int me = get_global_id (0);
  atomic_store_explicit (&x[me], 1, SC, memory_scope_all_svm_devices);
  seen[me] = atomic_load_explicit (&x[1 - me], SC, memory_scope_all_svm_devices);
}
//@ assert seen[0] == 1 || seen[1] == 1
