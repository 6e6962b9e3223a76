// Atomic operations in a kernel that accesses other memory as bytes: what they access stays whole.
struct node { short a, b; int lock; };
void count (__global int *h, int v) { atomic_inc ((volatile __global int *) &h[v]); }

__kernel void atomics (__global uchar *raw, __global int *h, __global struct node *n, __global float *f, __global atomic_int *g)
{
  int i = get_global_id (0);
  __local uint bins[2];
  uint w = *(__global uint *) (raw + 4 * i);
  raw[8 + i] = w;
  bins[i] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  atomic_add (&bins[w & 1], 1u);
#ifndef FEW
  count (h, w & 1);
  atomic_xchg ((volatile __global int *) f, as_int (1.5f));
  atomic_inc ((volatile __global int *) g);
  atomic_fetch_add ((volatile __global atomic_int *) h, 1);
#endif
  n[i].a = i;
  if (atomic_cmpxchg (&n[0].lock, 0, 1) == 0)
    n[2].b++;
#ifdef PLAIN
  h[PLAIN] = i;
#endif
#ifdef BYTE
  raw[BYTE] = i;
#endif
  barrier (CLK_LOCAL_MEM_FENCE);
  assert (bins[0] == 2);
}
#ifndef FEW
//@ assert h[0] == 4 && g[0] == 2 && f[0] == 1.5f
#endif
