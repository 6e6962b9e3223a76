// Memory as bytes: pointers to parts of what was written, and to several elements.
union word { uint all; uchar part[4]; ushort half_of[2]; };
struct record { uchar kind; ushort length; uint value[2]; };

uint sum (const uchar *bytes, int n)
{
  uint s = 0;
  for (int i = 0; i < n; i++)
    s += bytes[i];
  return s;
}

__kernel void views (__global uint *x, __global uchar *raw, __local ulong *l, __constant uint *fixed)
{
  int i = get_local_id (0);
  __global uchar *b = (__global uchar *) x;
  union word w = { .all = 0x01020304 };
  x[i] = 0x01020304;
  b[4 * i + PART] += 0x10;
  assert (x[i] == 0x01020304 + (0x10 << 8 * PART));
  assert (*(__global ushort *) (b + 4 * i + 2) >> 12 == (PART == 3 ? 1 : 0));
  assert (w.part[0] == 4 && w.half_of[1] == 0x0102);
  w.part[3] = 0x7f;
  assert (w.all == 0x7f020304 && sum ((uchar *) &w, 4) == 136);
  ((__local uint *) l)[i] = i + 5;
  barrier (CLK_LOCAL_MEM_FENCE);
  assert (get_local_size (0) == 1 || l[0] == ((ulong) 6 << 32 | 5));
  __global struct record *r = (__global struct record *) raw + i;
  r->length = 300 + i;
  r->value[1] = 7;
  raw[12 * i] = 1;
  assert (r->kind == 1 && raw[12 * i + 2] == 44 + i && (__global uchar *) &r->value[1] - raw == 12 * i + 8);
  assert (((__constant ushort *) fixed)[2 * i + 1] == 2 + i);
  float f = 1.0f;
  assert (((uchar *) &f)[3] == 0x3f);
}
