// Two work-items take turns.
#include "lock.h"
__kernel void play (__global atomic_int *turn, __global int *ball)
{
  int me = get_global_id (0);
  for (int round = 0; round < 2; round++)
    {
      while (atomic_load_explicit (turn, ACQ, SCOPE) != me)
        ;
      *ball += 1;
      atomic_store_explicit (turn, 1 - me, REL, SCOPE);
    }
}
//@ assert ball[0] == 4
