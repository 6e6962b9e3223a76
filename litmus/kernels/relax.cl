// One relaxation of single-source shortest paths: distances fall by atomic_min. Wrong with -D PLAIN.
typedef struct { uint from, to, weight; } edge;
__constant edge edges[4] = { { 0, 1, 4 }, { 0, 2, 1 }, { 2, 1, 2 }, { 1, 3, 1 } };
__kernel void relax (volatile __global uint *distance)
{
  edge e = edges[get_global_id (0)];
#ifdef PLAIN
  if (distance[e.from] + e.weight < distance[e.to])
    distance[e.to] = distance[e.from] + e.weight;
#else
  atomic_min (&distance[e.to], atomic_add (&distance[e.from], 0) + e.weight);
#endif
}
