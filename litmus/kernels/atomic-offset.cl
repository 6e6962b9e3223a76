/* Atomic operations at addresses that are calculated in bytes, as in kernels that get all memory as one buffer: WAY 0 by a
 * pointer to bytes, 1 by an integer, 2 from `void`. The first work-item's number is read by all. */
#ifndef WAY
#define WAY 0
#endif
#if WAY == 2
typedef void memory;
#else
typedef atomic_int memory;
#endif

kernel void offsets (global memory *p, global int *out) {
#if WAY == 1
  global atomic_int *own = (global atomic_int *) ((size_t) p + 4 * get_global_id (0));
#else
  global atomic_int *own = (global atomic_int *) ((global char *) p + 4 * get_global_id (0));
#endif
  atomic_store (own, 7);
  int first = atomic_load ((global atomic_int *) p);
  out[get_global_id (0)] = first;
  assert (get_global_id (0) ? first == 0 || first == 7 : first == 7);
}
