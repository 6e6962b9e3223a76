// Annotations about the last access to an array since the last barrier.
int number (void);
void put (__global int *q, int i)
{
  __requires (__no_write (q));
  q[i] = 1;
  __assert (__write (q));
  __assert (__write_offset_bytes (q) == __ptr_offset_bytes (q) + 4 * i);
}
__kernel void accesses (__global int *x, __global int4 *v, int n)
{
  __local int t[8];
  int i = get_global_id (0), l = get_local_id (0);
  for (int s = 0; __invariant (__write_implies (t, __write_offset_bytes (t) / sizeof (int) % STEP == l)), s < 2; s++)
    t[s * 4 + l] = s;
  __assert (__no_read (x));
  barrier (CLK_LOCAL_MEM_FENCE);
  __assert (__no_write (t) & __no_read (t));
  put (x, i);
  if (n == 1)
    put (x, i + 8);
  v[i].y += 2;
  __assert (__read_offset_bytes (v) == 16 * i + 4);
  __assert (n != 2 || __read_offset_bytes (x) == 4);
  barrier (CLK_GLOBAL_MEM_FENCE);
  __assert (__no_write (x));
  put (x + 4, i);
  __assert (n != 3 || number () > 2);
}
