// Small kernels, right and wrong: strides, barriers in branches and loops, helpers, pointers, types. What each finds is
// in expected.tsv.

__kernel void stride (__global int *a)
{
  int i = get_global_id (0);
  a[2 * i] = i;
  a[i] = i;
}

__kernel void div_loop (__global int *a)
{
  for (int i = 0; i < get_local_id (0); i++)
    barrier (CLK_GLOBAL_MEM_FENCE);
  a[get_global_id (0)] = 1;
}

__kernel void div_both (__global int *a)
{
  if (get_local_id (0))
    barrier (CLK_LOCAL_MEM_FENCE);
  else
    barrier (CLK_LOCAL_MEM_FENCE);
}

__kernel void div_uniform (__global int *a)
{
  if (get_group_id (0))
    barrier (CLK_LOCAL_MEM_FENCE);
  else
    barrier (CLK_LOCAL_MEM_FENCE);
}

__kernel void ret_early (__global int *a)
{
  if (get_local_id (0) == 1)
    return;
  barrier (CLK_LOCAL_MEM_FENCE);
  a[0] = 1;
}

void helper_put (__global int *p, int v) { *p = v; }
__kernel void helper (__global int *a) { helper_put (a + get_local_id (0), get_group_id (0)); }

typedef struct
{
  int x;
  float y[2];
} S_struct_race;
__kernel void struct_race (__global S_struct_race *a)
{
  int i = get_global_id (0);
  a[i].y[1] = a[(i + 1) % 4].y[1];
}

__kernel void vec_part (__global int2 *a)
{
  int i = get_global_id (0);
  if (i & 1)
    a[i / 2].x = i;
  else
    a[i / 2].y = i;
}

__kernel void inv_do (__global int *a)
{
  int i = 0;
  do
    {
      __invariant (i < 3);
      i++;
    }
  while (i < 4);
  a[get_global_id (0)] = i;
}

__kernel void sizewrap (__global int *a)
{
  size_t n = 0;
  n--;
  n++;
  size_t i = get_global_id (0) - 1;
  a[i + 1] = 1;
}

__kernel void shift (__global int *a)
{
  int i = get_global_id (0);
  a[i >> 1] = i << 1;
}

__kernel void ternary (__global int *a)
{
  int i = get_global_id (0);
  a[i ? 1 : 0] = i;
}

void addrof_g (int *p) { *p += 1; }
__kernel void addrof (__global int *a)
{
  int x = get_global_id (0);
  addrof_g (&x);
  a[x] = x;
}

__kernel void inter_fence (__global int *a)
{
  a[get_global_id (0)] = 1;
  barrier (CLK_GLOBAL_MEM_FENCE);
  a[8] = a[(get_global_id (0) + 2) % 4];
}

__kernel void localfence (__global int *a)
{
  a[get_local_id (0)] = 1;
  barrier (CLK_LOCAL_MEM_FENCE);
  a[2 + get_local_id (0)] = a[1 - get_local_id (0)];
}

__kernel void globalfence (__global int *a)
{
  a[get_local_id (0)] = 1;
  barrier (CLK_GLOBAL_MEM_FENCE);
  a[2 + get_local_id (0)] = a[1 - get_local_id (0)];
}

__kernel void pp_race (__global int *a)
{
  __global int *p = a + get_global_id (0);
  *p++ = 1;
  *p = 2;
}

__kernel void ptr_sel (__global int *a, __global int *b)
{
  __global int *p = get_local_id (0) ? a : b;
  p[0] = get_global_id (0);
}

__kernel void ptrarr (__global int *a, __global int *b)
{
  __global int *p[2];
  p[0] = a;
  p[1] = b;
  p[get_local_id (0)][get_group_id (0)] = 1;
}

__constant int c_const_race[4] = { 3, 2, 1, 3 };
__kernel void const_race (__global int *a)
{
  int i = get_global_id (0);
  a[c_const_race[i]] = i;
}

__kernel void chars (__global uchar *a, __global ushort *b)
{
  int i = get_global_id (0);
  a[i] = (uchar)300;
  b[i] = (short)-1;
  __assert ((uchar)300 == 44);
}

__kernel void while_break (__global int *a)
{
  int i = 0;
  while (1)
    {
      if (i >= 3)
        break;
      barrier (CLK_LOCAL_MEM_FENCE);
      i++;
    }
  a[get_global_id (0)] = i;
}

void nested_call_b (int x)
{
  if (x)
    barrier (CLK_LOCAL_MEM_FENCE);
}
void nested_call_c (int x) { nested_call_b (x); }
__kernel void nested_call (__global int *a) { nested_call_c (get_local_id (0)); }

__kernel void loop_ok (__global int *a)
{
  int i = get_global_id (0);
  for (int j = i; j < 16; j += 4)
    a[j] = i;
}

__kernel void vload_race (__global int *a)
{
  int i = get_global_id (0);
  vstore2 ((int2)(i, i), 0, a + i);
}

__kernel void compound (__global int *a)
{
  int i = get_global_id (0);
  a[((int[4]){ 3, 2, 1, 0 })[i]] = 1;
}

__kernel void mad (__global int *a)
{
  int i = mad24 ((int)get_group_id (0), (int)get_local_size (0), (int)get_local_id (0));
  a[i] = 1;
}

__kernel void async_nowait (__global int *a, __global int *b, __local int *t)
{
  event_t e = async_work_group_copy (t, a, 2, 0);
  b[get_global_id (0)] = t[get_local_id (0)];
  wait_group_events (1, &e);
}

__kernel void null (__global int *a)
{
  __global int *p = 0;
  *p = 1;
}

__kernel void unsignedneg (__global int *a)
{
  int i = get_global_id (0);
  a[i - 1] = 1;
}
