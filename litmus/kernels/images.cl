// Work-items that access one pixel of an image race, as at an element of an array.
#ifndef NEXT
#define NEXT 0
#endif
void put (write_only image2d_t to, int x, int4 v) { write_imagei (to, (int2) (x, 1), v); }

__kernel void shade (write_only image2d_t out, read_write image1d_t line, read_only image2d_t in, sampler_t s)
{
  int i = get_global_id (0);
  put (out, i / SHARE, read_imagei (in, s, (int2) (i, 0)));
  int4 v = read_imagei (line, i + NEXT);
  write_imagei (line, i, v + 1);
}
