/* Braces that are left out, designators, strings, sizes that initialisers give, and unions. */
typedef struct { int a, b[2]; } S;
typedef union { int i; uint u; float f; } U;
typedef union { float4 v; float a[4]; } V;
__constant int table[][2] = { 1, 2, 3, 4, [3] = { 7 } };
__constant char text[] = "a\n" "bc";
__kernel void initialisers (__global int *x)
{
  S s[] = { 1, 2, 3, { .b = { 5, 6 } } };
  char own[4] = "xyz";
  int4 v[2] = { { 1, 2, 3, 4 }, (int4) 5 };
  assert (s[0].b[1] == 3 && s[1].a == 0 && s[1].b[0] == 5 && sizeof s == 24);
  assert (table[1][0] == 3 && table[2][1] == 0 && table[3][0] == 7 && sizeof (table) / sizeof table[0] == 4);
  assert (text[1] == '\n' && text[4] == 0 && sizeof text == 5 && own[2] == 'z' && own[3] == 0);
  assert (v[0].w == 4 && v[1].z == 5);
  U u = { -1 };
  V w;
  assert (u.u == UINT_MAX && u.u / 2 == INT_MAX);
  u.u /= 2;
  assert (u.i == INT_MAX && sizeof (U) == 4);
  u.f = 1.0f;
  assert (u.i == 0x3f800000);
  w.v = (float4)(1.0f, 2.0f, 3.0f, 4.0f);
  w.a[1] = 5.0f;
  assert (w.v.y == 5.0f && w.a[3] == 4.0f);
  x[get_global_id (0)] = own[0];
}
