/* What annotations read is in no data race; what C's assert reads is. */
void next (__global int *p)
{
  __requires (p[0] >= 0);
  __ensures (p[0] == 1);
  p[0] = 1;
}
__kernel void ghosts (__global int *x, __global int *z)
{
  int i = get_global_id (0);
  if (i == 0)
    next (x);
  else {
    __assume (x[0] + x[1] < 2);
    for (int k = 0; __invariant (x[0] == SEEN && z[i] == 0), k < 2; k++)
      ;
    READ;
  }
}
