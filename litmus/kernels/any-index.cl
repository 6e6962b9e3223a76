// An index that may have any value (-arg n=any): arrays grow only with numbers that the conditions before it allow.
__kernel void meet (__global int *x, int n)
{
  int i = get_global_id (0);
  if (n >= 20 && n < LIMIT)
    x[i ? n + 24 : 2 * n] = i;
}
