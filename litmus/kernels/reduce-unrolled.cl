// A reduction whose last steps leave barriers out, as for work-items that run in lockstep: they race.
__kernel void reduce (__global int *out, __local int *part)
{
  size_t id = get_local_id (0);
  part[id] = id + 1;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (id < 2)
    part[id] += part[id + 2];
#ifndef LOCKSTEP
  barrier (CLK_LOCAL_MEM_FENCE);
#endif
  if (id == 0)
    *out = part[0] + part[1];
}
//@ assert out[0] == 10
