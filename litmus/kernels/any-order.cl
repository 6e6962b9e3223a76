// Elements of any values that are compared with each other and with a limit (-arg m=any -arg n=any): all orders of them are tried.
__kernel void orders (__global int *x, __global const int *m, uint n)
{
  int i = get_global_id (0);
  if (m[0] < m[1] && m[1] < m[2] && m[2] < m[0] + GAP)
    x[0] = i;
  if ((uint) m[i] - n < WIDE && n > 7 && m[0] != m[1])
    x[1] = i;
  if (m[i] >= m[2])
    x[i + 2] = 1;
}
