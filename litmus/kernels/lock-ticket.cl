// A ticket lock: first come, first served.
#include "lock.h"
typedef struct ticket_lock { atomic_uint next, serving; } ticket_lock;
__kernel void count (__global ticket_lock *l, __global int *n)
{
  uint ticket = atomic_fetch_add_explicit (&l->next, 1u, memory_order_relaxed, SCOPE);
  while (atomic_load_explicit (&l->serving, ACQ, SCOPE) != ticket)
    ;
  *n += 1;
  atomic_store_explicit (&l->serving, ticket + 1, REL, SCOPE);
}
//@ assert n[0] == get_global_size (0)
