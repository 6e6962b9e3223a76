// The positive elements, in any order: work-items count in their group, and one of each group reserves the places. Wrong with
// -D NO_BARRIER.
#ifdef NO_BARRIER
#define MEET
#else
#define MEET barrier (CLK_LOCAL_MEM_FENCE)
#endif
__kernel void compact (__global const int *in, __global int *out, __global int *cursor)
{
  __local int count, base;
  int i = get_local_id (0), mine = 0, value = in[get_global_id (0)];
  bool keep = value > 0;
  if (!i)
    count = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (keep)
    mine = atomic_inc (&count);
  barrier (CLK_LOCAL_MEM_FENCE);
  if (i == 0)
    base = atomic_add (cursor, count);
  MEET;
  if (keep)
    out[base + mine] = value;
}
//@ assert cursor[0] == 3
