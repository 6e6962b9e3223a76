// A barrier that can be used again: the last one to arrive turns the sense. Wrong with -D REL=memory_order_relaxed.
#include "lock.h"
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
  x[i] = 1;
  meet (left, sense, 1);
  y[i] = x[(i + 1) % n];
  meet (left, sense, 0);
  x[i] = 2;
}
//@ assert y[0] == 1 && y[1] == 1
