// A product of matrices by tiles. Wrong with -D ONE_BARRIER: the next tile is loaded while this one is in use.
#ifndef N
#define N 2
#endif
__kernel void multiply (__global const float *a, __global const float *b, __global float *c, int tiles)
{
  __local float s[N][N], t[N][N];
  int x = get_local_id (0) % N, y = get_local_id (0) / N;
  float sum = 0.0f;
  for (int k = 0; k < tiles; k++)
    {
      s[y][x] = a[k * N * N + y * N + x];
      t[y][x] = b[k * N * N + y * N + x];
      barrier (CLK_LOCAL_MEM_FENCE);
      for (int i = 0; i < N; i++)
        sum += s[y][i] * t[i][x];
#ifndef ONE_BARRIER
      barrier (CLK_LOCAL_MEM_FENCE);
#endif
    }
  c[y * N + x] = sum;
}
