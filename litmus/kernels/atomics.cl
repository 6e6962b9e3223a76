// All atomics of OpenCL 1.x, by all work-items, on the same elements of global and local memory.
#define ALL(p)                                                                                                          \
  atomic_add (p, 1), atomic_sub (p, 1), atomic_inc (p), atomic_dec (p), atomic_xchg (p, 3), atomic_cmpxchg (p, 1, 2), \
  atomic_min (p, 1), atomic_max (p, 2), atomic_and (p, 3), atomic_or (p, 4), atomic_xor (p, 5)
__kernel void atomics (__global int *a, __global uint *b, __local int *c, __local uint *d)
{
#ifdef FEW
  atomic_add (a, 1), atomic_cmpxchg (a, 1, 2);
#else
  ALL (a), ALL (b), ALL (c), ALL (d);
#endif
}
