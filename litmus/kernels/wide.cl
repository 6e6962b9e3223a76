/* Arrays of which only a few elements are accessed, far apart: a large one, and one without a declared size. */
__kernel void wide (__global int *rows)
{
  __local int square[1024][1000];
  int i = get_local_id (0);
  square[0][i] = i;
  square[9][AT] = i;
  for (int r = 0; r < 3; r++)
    rows[r * 80000 + get_global_id (0)] = square[0][i];
}
