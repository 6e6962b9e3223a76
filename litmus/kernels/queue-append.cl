// Work-items append to a queue: each takes a place, and writes there. Wrong with -D PLAIN.
__kernel void append (__global int *items, volatile __global int *n)
{
#ifdef PLAIN
  int place = n[0]++;
#else
  int place = atomic_inc (n);
#endif
  items[place] = get_global_id (0);
}
//@ assert n[0] == get_global_size (0)
