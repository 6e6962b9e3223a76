/* Each work-item counts into its own row: which element is incremented depends on data that nothing writes. */
#ifndef BINS
#define BINS 4
#endif
__kernel void count (__global const uint *data, __global uint *shift, __local uchar *rows, __global uint *sums)
{
  size_t item = get_local_id (0), size = get_local_size (0);
  for (int i = 0; i < BINS; i++)
    rows[item * BINS + i] = 0;
  for (int i = 0; i < 4; i++)
    rows[item * BINS + (data[item * 4 + i] >> *shift) % BINS]++;
#ifndef NO_BARRIER
  barrier (CLK_LOCAL_MEM_FENCE);
#endif
  for (int bin = item; bin < BINS; bin += size)
    for (int row = 0; row < size; row++)
      sums[bin] += rows[row * BINS + bin];
}
//@ assert sums[0] == 8
