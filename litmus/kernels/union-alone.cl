/* A union of several sizes is all that asks for smaller units of memory. */
union word { uint all; uchar part[4]; };
struct pair { int first; union word w[2]; };
static uint low (union word w) { return w.part[0]; }
__kernel void split (__global uint *a) {
  struct pair p;
  p.first = 1;
  p.w[1].all = 0x01020304 * (a[0] + 1);
  assert (low (p.w[1]) == 4 && p.w[1].part[3] == 1 + a[0] && p.first == 1);
}
