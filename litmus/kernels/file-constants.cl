/* Constants of the file: a sampler, and integers whose bytes are read. */
__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
__constant int numbers[3] = { 1, 2, 0x0403 };

__kernel void file_constants (__read_only image2d_t picture, __global float *colours, __global int *bytes)
{
  int i = get_global_id (0);
  float4 colour = read_imagef (picture, nearest, (int2) (i, 0));
  colours[i] = colour.x;
  __constant char *of = (__constant char *) numbers;
  bytes[i] = of[4 * i + AT];
  assert (bytes[i] == (AT ? 4 * (i == 2) : i + 1));
}
