// Radix sort, bit by bit: each work-item counts who comes before it. Wrong with -D NO_BARRIER.
__kernel void sort (__global int *data, __local int *v, __local int *bit)
{
  int id = get_local_id (0), n = get_local_size (0);
  for (int shift = 0; shift < BITS; shift++)
    {
      v[id] = data[id];
      bit[id] = v[id] >> shift & 1;
#ifndef NO_BARRIER
      barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#endif
      int place = 0;
      for (int i = 0; i < n; i++)
        if (bit[i] < bit[id] || (bit[i] == bit[id] && i < id))
          place++;
      data[place] = v[id];
      barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
}
//@ assert data[0] <= data[1]
