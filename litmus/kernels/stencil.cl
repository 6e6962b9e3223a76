// A stencil: each value becomes the sum of its neighbours'. Wrong with -D IN_PLACE.
__kernel void stencil (__global const int *in, __global int *out)
{
  int i = get_global_id (0), n = get_global_size (0);
#ifdef IN_PLACE
  out[i] = (i > 0 ? out[i - 1] : 0) + (i + 1 < n ? out[i + 1] : 0);
#else
  out[i] = (i > 0 ? in[i - 1] : 0) + (i + 1 < n ? in[i + 1] : 0);
#endif
}
