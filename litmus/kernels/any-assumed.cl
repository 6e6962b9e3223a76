// Assumptions about a number of any value (-arg n=any) leave few: conditions on those may calculate as they like.
__kernel void assumed (__global int *x, uint n)
{
  uint i = get_global_id (0);
  __requires (n != 0 && n <= 16 && (n & (n - 1)) == 0);
  __assert (n == 1 || n % 2 == 0);
  if (n * n % 24 == REST)
    x[0] = i;
}
