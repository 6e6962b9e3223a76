// Treiber's stack: pushes only. Wrong with -D REL=memory_order_relaxed: a reader does not see the node.
#include "lock.h"
__kernel void push (__global atomic_int *top, __global int *next, __global int *value, __global int *seen)
{
  int node = get_global_id (0) + 1;
  if (get_group_id (0) == 0)
    {
      int head = atomic_load_explicit (top, memory_order_relaxed, SCOPE);
      value[node] = node;
      do
        next[node] = head;
      while (!atomic_compare_exchange_strong_explicit (top, &head, node, REL, memory_order_relaxed, SCOPE));
    }
  else
    {
      int head = atomic_load_explicit (top, ACQ, SCOPE);
      if (head)
        seen[node] = value[head];
    }
}
