// A barrier that can be used again: the last one to arrive turns the sense. Wrong with -D REL=memory_order_relaxed.
// Parts of it: -D MEETINGS=1 is the first meeting, -D MEETINGS=2 the second one (with left=2, sense=1, x=1,1), -D DATA=0 both without
// the data that they order.
#include "lock.h"
#ifndef MEETINGS
#define MEETINGS 3
#endif
#ifndef DATA
#define DATA 1
#endif
static void meet (__global atomic_int *left, __global atomic_int *sense, int own)
{
  if (atomic_fetch_sub_explicit (left, 1, memory_order_acq_rel, SCOPE) == 1)
    {
      atomic_store_explicit (left, (int) get_num_groups (0), memory_order_relaxed, SCOPE);
      atomic_store_explicit (sense, own, REL, SCOPE);
    }
  else
    while (atomic_load_explicit (sense, ACQ, SCOPE) != own)
      ;
}
__kernel void twice (__global atomic_int *left, __global atomic_int *sense, __global int *x, __global int *y)
{
  size_t i = get_group_id (0), n = get_num_groups (0);
  if (MEETINGS & 1)
    {
      if (DATA)
        x[i] = 1;
      meet (left, sense, 1);
    }
  y[i] = DATA ? x[(i + 1) % n] : 1;
  if (MEETINGS & 2)
    {
      meet (left, sense, 0);
      if (DATA)
        x[i] = 2;
    }
}
//@ assert y[0] == 1 && y[1] == 1
