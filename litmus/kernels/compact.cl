// Elements that pass a test are copied without gaps, by counting in local memory. Wrong with -D PLAIN.
__kernel void compact (__global const int *in, __global int *out, __global int *n)
{
  __local int count;
  int id = get_local_id (0), value = in[id];
  if (id == 0)
    count = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (value > 1)
    {
#ifdef PLAIN
      int place = count++;
#else
      int place = atomic_inc (&count);
#endif
      out[place] = value;
    }
  barrier (CLK_LOCAL_MEM_FENCE);
  if (id == 0)
    *n = count;
}
//@ assert n[0] == 2
