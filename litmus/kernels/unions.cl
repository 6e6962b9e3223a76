// Unions of several sizes, without a cast that would ask for bytes first: their members share these.
union pixel { uint all; uchar channel[4]; };
struct tagged { int kind; union { long whole; short part[4]; } u; };

__kernel void paint (__global union pixel *p, __global struct tagged *t)
{
  int i = get_local_id (0);
  union pixel own;
  own.all = 0x04030201;
  assert (own.channel[2] == 3);
  p[0].channel[CHANNEL] = own.channel[1];
  t[i].kind = 1;
  t[i].u.whole = 0x0001000200030004;
  assert (t[i].u.part[1] == 3 && t[i].kind == 1);
}
