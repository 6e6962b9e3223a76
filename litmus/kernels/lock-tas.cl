// A test-and-set lock around a counter. Wrong with -D ACQ=memory_order_relaxed, -D REL=memory_order_relaxed,
// or, if the grid has several work-groups, -D SCOPE=memory_scope_work_group.
#include "lock.h"
__kernel void count (__global atomic_flag *l, __global int *n)
{
  while (atomic_flag_test_and_set_explicit (l, ACQ, SCOPE))
    ;
  *n = *n + 1;
  atomic_flag_clear_explicit (l, REL, SCOPE);
}
//@ assert n[0] == get_global_size (0)
