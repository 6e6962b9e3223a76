// One level of a breadth-first search: the first to claim a vertex sets its parent. Wrong with -D PLAIN.
__constant int heads[4] = { 0, 0, 1, 2 }, tails[4] = { 1, 2, 3, 3 };
__kernel void level (volatile __global int *claimed, __global int *parent)
{
  int e = get_global_id (0), v = tails[e];
#ifdef PLAIN
  if (!claimed[v])
    {
      claimed[v] = 1;
      parent[v] = heads[e];
    }
#else
  if (atomic_cmpxchg (&claimed[v], 0, 1) == 0)
    parent[v] = heads[e];
#endif
}
