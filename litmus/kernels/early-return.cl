// A work-item that returns early never reaches the barrier.
__kernel void halve (__global int *x, __local int *t)
{
  int id = get_local_id (0);
#ifdef LEAVES
  if (id >= LEAVES)
    return;
#endif
  t[id] = id;
  barrier (CLK_LOCAL_MEM_FENCE);
  x[id] = t[0];
}
