/* `goto` on and back, out of loops and branches. */
__kernel void cleanup (__global int *x)
{
  int i = get_global_id (0), n = 0;
  for (int k = 0; k < 4; k++) {
    for (int m = 0; m < 4; m++) {
      if (k + m == 2 + i)
        goto found;
      n++;
    }
    if (k == 3)
      goto none;
  }
none:
  n = -1;
  goto end;
found:
  assert (n == 2 + i);
  if (i == WRONG)
    goto end;
  x[i] = n;
  return;
end:
  x[0] = n;
}

__kernel void again (__global int *x)
{
  int n = 0, m = 0;
once_more:
  n++;
  for (int k = 0; k < 2; k++) {
    m++;
    if (n < 3)
      goto once_more;
    if (k == 0)
      continue;
    if (n < 5) {
      n = 4;
      goto once_more;
    }
    goto next;
  }
  m = 100;
next:
  assert (n == 5);
  assert (m == 6);
}

__kernel void spin (__global atomic_int *flag, __global int *x)
{
  if (get_global_id (0) == 0) {
    x[0] = 1;
    atomic_store_explicit (flag, 1, memory_order_release, memory_scope_device);
    return;
  }
wait:
  if (!atomic_load_explicit (flag, ORDER, memory_scope_device))
    goto wait;
  x[0] = 2;
}

__kernel void meet (__global int *x)
{
  int l = get_local_id (0), n = 0;
  if (l == 1)
    goto first;
  x[2] = 1;
first:
  barrier (CLK_GLOBAL_MEM_FENCE);
  x[l] = l;
back:
  barrier (CLK_GLOBAL_MEM_FENCE);
  if (n++ < ROUNDS)
    goto back;
}

int sign (int i)
{
  if (i < 0)
    goto negative;
  if (i == 0)
    goto out;
  return 1;
negative:
  return -1;
out:
  return 0;
}

__kernel void calls (__global int *x)
{
  for (int i = -1; i < 2; i++) {
    if (sign (i) != i)
      goto out;
    continue;
  out:
    x[0] = 1;
  }
}
