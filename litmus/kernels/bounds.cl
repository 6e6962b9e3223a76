// One element too far, unless -D LAST=2.
#ifndef LAST
#define LAST 3
#endif
__kernel void fill (__global int *x)
{
  int own[3];
  for (int i = 0; i <= LAST; i++)
    own[i] = i;
  x[get_global_id (0)] = own[0];
}
