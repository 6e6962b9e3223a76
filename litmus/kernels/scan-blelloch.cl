// An exclusive prefix sum, up and down a tree (Blelloch). Wrong with -D NO_BARRIER: phases overlap.
// -D FIRST=2 is what follows the first step up: its sums are there at the beginning.
#ifndef FIRST
#define FIRST 1
#endif
#ifdef NO_BARRIER
#define MEET
#else
#define MEET barrier (CLK_LOCAL_MEM_FENCE)
#endif
__kernel void scan (__global int *data, __local int *t)
{
  int id = get_local_id (0), n = get_local_size (0), step;
  t[id] = FIRST == 1 || id % 2 == 0 ? id + 1 : 2 * id + 1;
  for (step = FIRST; step < n; step *= 2)
    {
      barrier (CLK_LOCAL_MEM_FENCE);
      if ((id + 1) % (2 * step) == 0)
        t[id] += t[id - step];
    }
  if (id == n - 1)
    t[id] = 0;
  for (step = n / 2; step > 0; step /= 2)
    {
      MEET;
      if ((id + 1) % (2 * step) == 0)
        {
          int left = t[id - step];
          t[id - step] = t[id];
          t[id] += left;
        }
    }
  barrier (CLK_LOCAL_MEM_FENCE);
  data[id] = t[id];
}
//@ assert data[0] == 0 && data[1] == 1 && data[2] == 3 && data[3] == 6
