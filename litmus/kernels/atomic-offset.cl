/* Atomic operations at addresses that are calculated in bytes, as in kernels that get all memory as one buffer: WAY 0 by a
 * pointer to bytes, 1 by an integer. The first work-item's number is read by all. */
#ifndef WAY
#define WAY 0
#endif

kernel void offsets (global atomic_int *p, global int *out) {
#if WAY == 1
  global atomic_int *own = (global atomic_int *) ((size_t) p + 4 * get_global_id (0));
#else
  global atomic_int *own = (global atomic_int *) ((global char *) p + 4 * get_global_id (0));
#endif
  atomic_store (own, 7);
  int first = atomic_load (p);
  out[get_global_id (0)] = first;
  assert (get_global_id (0) ? first == 0 || first == 7 : first == 7);
}
