// Work-items that poll for ever. No execution ends, but what they do until then may race.
__kernel void serve (__global atomic_int *request, __global int *served)
{
  int i = get_global_id (0);
#ifdef MEET
  served[i] = 1;
  barrier (CLK_GLOBAL_MEM_FENCE);
#endif
  for (;;)
    if (atomic_load (request))
#ifdef SHARED
      served[0]++;
    else
      served[0] = i;
#else
      served[i]++;
    else
      served[i] = 0;
#endif
}
//@ assert served[0] == 5
