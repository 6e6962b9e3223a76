/* A structure or vector is copied although not all of it has a value; -D USE=… uses what has none. */
struct pair { int a, b; };
struct one { int a; };
#ifndef USE
#define USE 0
#endif
static struct pair partly (int a)
{
  struct pair p;
  p.a = a;
  return p;
}

__kernel void copies (__global struct pair *pairs, __global int *x)
{
  __local struct pair own[4];
  int i = get_local_id (0);
  struct pair s = partly (i), t, many[4], *p = &t;
  struct one o, q, r;
  int4 v, w;

  *p = s;
  many[i] = *p;
  many[i + 1] = many[i];
  assert (t.a == i && many[i + 1].a == i);
  own[i].a = i;
  own[i + 2] = own[i];
  assert (own[i + 2].a == i);
  v.yz = (int2) (1, 2);
  w = v;
  assert (w.z == 2);
  r = q = o;

  /* What others read is not known then. */
  pairs[i] = many[i + 1];
  barrier (CLK_GLOBAL_MEM_FENCE);
  assert (pairs[i ^ 1].a == (i ^ 1));
  if (pairs[i ^ 1].b == USE)
    x[2 + i] = 1;
#ifdef SHARED
  if (pairs[i ^ 1].b == 5)
    x[1] = 1;
#endif
  x[6 + i] = USE;
}
