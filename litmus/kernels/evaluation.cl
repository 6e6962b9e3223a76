// What is evaluated is evaluated once, and loops end as often as they say.
static int next (__global int *n)
{
  return atomic_inc (n);
}

__kernel void evaluation (__global int *n)
{
  __local int table[4][2];
  table[next (n) & 0][1] = 1;
  assert (n[0] == 1);
  assert (sizeof (table[next (n)][0]) == 4 && n[0] == 1);

  /* Loops whose ends do not depend on what is read. */
  int sum = 0, left = 5, i, j;
  while (left--)
    sum += left;
  assert (sum == 10);
  for (i = 0, j = 9; i < j; i++, j -= 2)
    sum++;
  assert (i == 3 && sum == 13);
  while ((sum = sum - 2) > 0)
    if (n[sum & 1])
      left++;
  for (;;)
    if (++left > 20)
      break;

#ifdef ENDLESS
  /* A loop that ends, in one that never does. */
  while (n[1] = 1)
    for (left = 3; left--; n[2] = left)
      ;
#endif
}
//@ assert n[0] == 1
