// Insertion into a hash table: a key claims a place by compare-exchange, or goes on to the next.
__kernel void insert (volatile __global int *keys, __global int *values)
{
  int key = get_global_id (0) + 1;
  for (uint place = 0; place < 4; place++)
    {
#ifdef PLAIN
      int old = keys[place];
      if (old == 0)
        keys[place] = key;
#else
      int old = atomic_cmpxchg (&keys[place], 0, key);
#endif
      if (old == 0)
        {
          values[place] = 10 * key;
          break;
        }
    }
}
//@ assert values[0] != 0 && values[1] != 0
