// Numbers that may be any (-arg n=any -arg m=any): conditions on what is calculated with them, and a loop that runs as often as one
// says.
__kernel void parts (__global int *x, int n, uint m)
{
  int i = get_global_id (0), middle = (n + 1) / 2;
  if (i < middle && n % 3 == 1)
    x[i] = x[i + 1];
  if ((m & 7) == 5 && m >> 4 == 9 && n * 2 == 14)
    x[4] = i;
  for (uint k = 0; k < m; k++)
    if (k == 1)
      x[9] = i;
}
