// A read opens the way to the increment that it reads: allowed, like all cycles of relaxed operations.
void up (global int *c) { atomic_inc (c); }
kernel void direct (global int *x)
{
  int l = get_local_id (0);
  if (x[1 - l] > 0)
    atomic_inc (&x[l]);
}
kernel void called (global int *x)
{
  int l = get_local_id (0);
  if (x[1 - l] > 0)
    up (x + l);
}
kernel void pointer (global int *x, global int *y)
{
  int l = get_local_id (0);
  global int *p = l ? x : y;
  if (l ? y[0] > 0 : x[0] > 0)
    atomic_inc (p);
}
kernel void chosen (global int *x, global int *y)
{
  int l = get_local_id (0);
  if (l ? y[0] > 0 : x[0] > 0)
    atomic_inc (l ? x : y);
}
typedef struct { int a, b; } pair;
kernel void member (global pair *x)
{
  int l = get_local_id (0);
  if (x[1 - l].b > 0)
    atomic_inc (&x[l].b);
}
