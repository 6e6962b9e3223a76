// A ring of two places for one producer and one consumer.
#include "lock.h"
__kernel void transfer (__global int *ring, __global atomic_uint *head, __global atomic_uint *tail, __global int *out)
{
  if (get_global_id (0) == 0)
    for (uint i = 0; i < 2; i++)
      {
        ring[i % 2] = i + 1;
        atomic_store_explicit (tail, i + 1, REL, SCOPE);
      }
  else if (get_global_id (0) == 1)
    for (uint i = 0; i < 2; i++)
      {
        while (atomic_load_explicit (tail, ACQ, SCOPE) <= i)
          ;
        out[i] = ring[i % 2];
      }
}
//@ assert out[0] == 1 && out[1] == 2
