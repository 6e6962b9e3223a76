// Neighbours are compared and exchanged. Wrong with -D NO_BARRIER.
__kernel void sort (__global int *out, __local int *v)
{
  int id = get_local_id (0), n = get_local_size (0);
  v[id] = n - id;
  for (int round = 0; round < n; round++)
    {
      barrier (CLK_LOCAL_MEM_FENCE);
      if ((id + round) % 2 == 0 && id + 1 < n && v[id] > v[id + 1])
        {
          int other = v[id];
          v[id] = v[id + 1];
          v[id + 1] = other;
        }
#ifdef NO_BARRIER
      break;
#endif
    }
#ifndef NO_BARRIER
  barrier (CLK_LOCAL_MEM_FENCE);
#endif
  out[id] = v[id];
}
