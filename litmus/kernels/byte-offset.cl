// Buffers that begin at an offset in bytes, with rows of so many bytes each: what is accessed are floats.
__kernel void add (__global float *in, ulong offset, __global void *out, __global char *rows, ulong stride)
{
  int i = get_global_id (0);
  in = (__global float *) ((__global char *) in + offset);
  __global char *row = rows + i * stride;
  for (int k = 0; k < 2; k++)
    *(__global float *) (row + 4 * k) = in[k];
  ((__global int *) out)[i] = (int) (row - rows);
  assert (((__global int *) out)[i] == i * stride);
}
