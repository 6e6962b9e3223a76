// Local memory has no value before someone writes it. Right with -D ZERO.
__kernel void sum (__global int *out, __local int *own)
{
#ifdef ZERO
  own[get_local_id (0)] = 0;
#endif
  own[get_local_id (0)] += 3;
  out[get_global_id (0)] = own[get_local_id (0)];
}
