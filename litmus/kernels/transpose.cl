// A tile is transposed in local memory. Wrong with -D NO_BARRIER.
#define N 2
__kernel void transpose (__global const int *in, __global int *out)
{
  __local int tile[N][N];
  int x = get_local_id (0) % N, y = get_local_id (0) / N;
  tile[y][x] = in[y * N + x] + get_local_id (0);
#ifndef NO_BARRIER
  barrier (CLK_LOCAL_MEM_FENCE);
#endif
  out[y * N + x] = tile[x][y];
}
//@ assert out[0] == 0 && out[1] == 2 && out[2] == 1 && out[3] == 3
