// Constants of the text: as sizes, labels and indexes; booleans; arrays without a name.
constant int N = 4;
static int pick (const int n)
{
  const int m = n + 1;
  int a[3] = { 7, 8, 9 };
  {
    const int m = 2;
    assert (a[m] == 9);
  }
  return a[m];
}

static int through_pointer (const int n)
{
  const int m = n;
  const int *p = &m;
  return *p;
}

kernel void sizes (global int *x, int n, bool flag)
{
  const int i = get_global_id (0);
  const uchar c = 300;
  const bool b = 4;
  const uint u = -1;
  const int e = 2.7f;
  int a[N] = { 1 }, q[N - 2];
  local int shared[N * 2];
  assert (sizeof a == 16 && sizeof q == 8 && sizeof shared == 32 && sizeof (c) == 1);
  assert (pick (1) == 9 && pick (0) == 8 && through_pointer (3) == 3);
  assert (c == 44 && b == 1 && (bool) 4 == 1 && flag == 1 && u == 0xffffffff && u > 0 && e == 2);
  assert (sizeof ((int[]){ 1, 2 }) == 8 && (int[]){ 4, 5 }[1] == 5 && FLT_MANT_DIG == 24 && SCHAR_MAX == 127);
  switch (n)
    {
    case N + 1:
      x[i] = n;
    }
}
//@ assert x[0] == N + 1
