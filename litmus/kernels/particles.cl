// Vectors and structures: each work-item moves its particle. Wrong with -D SHARED.
typedef struct { float4 position, velocity; int moves; } particle;
__kernel void move (__global particle *all, float step)
{
  __global particle *own = &all[get_global_id (0)];
#ifdef SHARED
  own = all;
#endif
  own->position.xyz += own->velocity.xyz * step;
  own->moves++;
}
