// Work-items append to lists several times, each at the place that a counter gives it. Wrong with -D START (a place that no counter
// gave), NEXT (the place behind it), RESET (a counter that is set), BOTH (two counters for one list), SWAP (not a counter), READ (a
// list that others read), GROUP (each work-group counts for itself; with a single one, AGAIN: twice from 0).
#ifndef ROUNDS
#define ROUNDS 4
#endif

int place_of (__global int *n)
{
  return atomic_inc (n);
}

__kernel void appends (__global int *n, __global int *m, __global int *list, __global short *other)
{
#ifdef START
  int place = 0;
  if (get_global_id (0))
    place = place_of (n);
  list[place] = 1;
#elif defined NEXT
  int place = place_of (n);
  list[place] = 1;
  list[place + 1] = 2;
#elif defined RESET
  int place = place_of (n);
  list[place] = 1;
  n[0] = 0;
#elif defined BOTH
  list[place_of (n)] = 1;
  list[place_of (m)] = 2;
#elif defined SWAP
  list[atomic_xchg (n, get_global_id (0))] = 1;
#elif defined READ
  list[place_of (n)] = 1;
  other[get_global_id (0)] = list[0];
#elif defined GROUP
  local int own;
  if (get_local_id (0) == 0)
    own = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  list[atomic_inc (&own)] = 1;
#ifdef AGAIN
  barrier (CLK_LOCAL_MEM_FENCE);
  if (get_local_id (0) == 0)
    own = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (get_local_id (0) == 1)
    list[atomic_inc (&own)] = 2;
#endif
#else
  for (int i = 0; i < ROUNDS; i++)
    {
      int place = place_of (n);
      if (place < 12)
        list[place] = get_global_id (0);
      uint behind = atomic_add (m, 2);
      other[behind] = get_local_id (0);
      place = place_of (n);
      list[place] = 0;
    }
#endif
}
