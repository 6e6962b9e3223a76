// The first work-item has no left neighbour. Right with -D GUARD.
__kernel void difference (__global const int *in, __global int *out)
{
  int left = in[get_local_id (0) - 1
#ifdef GUARD
                + (get_local_id (0) == 0)
#endif
  ];
  out[get_local_id (0)] = in[get_local_id (0)] - left;
}
