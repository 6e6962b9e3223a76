/* A transposition by tiles in two dimensions: -grid 2,2x2,2. */
#define N 2
__kernel void transpose (__global int *in, __global int *out)
{
  __local int tile[N][N];
  size_t x = get_local_id (0), y = get_local_id (1), width = get_global_size (0);
  tile[y][x] = in[get_global_id (1) * width + get_global_id (0)];
#ifndef NO_BARRIER
  barrier (CLK_LOCAL_MEM_FENCE);
#endif
  size_t column = get_group_id (1) * N + x, row = get_group_id (0) * N + y;
  out[row * width + column] = tile[x][y];
  uint product = 1;
  for (uint d = 0; d < 4; d++)
    product *= get_global_size (d);
  assert (product == 16 && get_work_dim () == 2 && get_global_linear_id () == get_global_id (1) * width + get_global_id (0));
}
//@ assert out[1] == 4 && out[7] == 13
