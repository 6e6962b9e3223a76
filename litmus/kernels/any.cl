// A limit that may be any number (-arg n=any): as many values are enough as conditions can tell apart.
static bool is_odd (uint n)
{
  switch (n)
    {
    case 1: case 3: return true;
    case 5 ... 7: return n != 6;
    default: return false;
    }
}
__kernel void shift (__global int *x, __global int *seen, int n, char c)
{
  int own[2] = { 0, 1 }, i = get_global_id (0);
  if (i < n)
    x[i] = x[i + 1];
  if ((uint) n > 0xfffffff0u)
    seen[0] = n;
  if (is_odd (n))
    seen[i] = n;
  if (c % 16 == 3)
    seen[2 + i] = own[c / 16];
}