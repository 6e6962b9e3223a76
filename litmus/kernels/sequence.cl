/* Function calls in one expression are sequenced; an assignment and `++` are not. */
int next (__global int *n) { return ++*n; }
__kernel void sequence (__global atomic_int *count, __global int *x)
{
  int id = get_global_id (0);
  x[id] = next (&x[id]) + next (&x[id]) * x[id];
  x[id] += atomic_add (&x[id], 1) + x[id] - atomic_sub (&x[id], 1);
  x[atomic_fetch_add (count, 1) & 1 ? id : id] = atomic_fetch_add (count, 1);
#ifdef TWICE
  if (id == 0)
    x[2] = x[2]++;
#endif
  barrier (CLK_GLOBAL_MEM_FENCE);
  x[id] = x[2];
}
