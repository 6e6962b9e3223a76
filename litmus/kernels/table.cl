// A private table that any numbers index (-arg text=any), also past its end; with -D GUARD only where it has elements.
__kernel void look_up (__global const int *text, __global int *seen)
{
  int classes[4] = { 0, 1, 1, 2 }, i = get_global_id (0);
  seen[8 + i] = seen[8 + i] + 1;
#ifdef GUARD
  if (text[i] < 0 || text[i] >= 4)
    return;
#endif
  seen[classes[text[i]]] = i;
}
