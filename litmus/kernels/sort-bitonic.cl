// Bitonic sort in local memory, with min and max. Wrong with -D NO_BARRIER.
__kernel void sort (__global int *out, __local int *v)
{
  int id = get_local_id (0), n = get_local_size (0);
  v[id] = (id * 3 + 2) % n;
  for (int k = 2; k <= n; k <<= 1)
    for (int j = k >> 1; j > 0; j >>= 1)
      {
        barrier (CLK_LOCAL_MEM_FENCE);
        int other = id ^ j;
        if (other > id)
          {
            int a = v[id], b = v[other];
            bool up = (id & k) == 0;
            v[id] = up ? min (a, b) : max (a, b);
            v[other] = up ? max (a, b) : min (a, b);
          }
      }
#ifndef NO_BARRIER
  barrier (CLK_LOCAL_MEM_FENCE);
#endif
  out[id] = v[n - 1 - id];
}
