// Bitonic sort in local memory by exchanges: what each step compares depends on those before. Wrong with -D NO_BARRIER.
__kernel void sort (__global int *data, __local int *v)
{
  int id = get_local_id (0), n = get_local_size (0);
  v[id] = data[id];
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int k = 2; k <= n; k <<= 1)
    for (int j = k >> 1; j > 0; j >>= 1)
      {
        int other = id ^ j;
        if (other > id && ((id & k) == 0) == (v[id] > v[other]))
          {
            int a = v[id];
            v[id] = v[other];
            v[other] = a;
          }
#ifndef NO_BARRIER
        barrier (CLK_LOCAL_MEM_FENCE);
#endif
      }
  data[id] = v[id];
}
//@ assert data[0] <= data[1]
