/* Arrays of many values, of which few are accessed. */
__kernel void large (__global int *x)
{
  __local int cube[20][20][60];
  int i = get_local_id (0);
  cube[19][i + 17][59 - i] = i;
  barrier (CLK_LOCAL_MEM_FENCE);
  x[10000 * i * APART] = cube[19][17 + (i + 1) % 2][i + END];
}
