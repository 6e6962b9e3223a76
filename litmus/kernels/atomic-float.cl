// Atomic operations on floating-point numbers (cl_ext_float_atomics). -D BIG=1: the sum depends on the order in which numbers are
// added; -D PLAIN=1: who reads without an atomic function races.

#ifndef BIG
#define BIG 0
#endif

kernel void sums (global atomic_float *sum, global float *seen) {
  const uint i = get_global_id (0);
  const float values[3] = { BIG ? 0x1p24f : 0.5f, 1.0f, 1.0f };
  atomic_fetch_add (sum, values[i]);
#ifdef PLAIN
  seen[i] = *(global float *) sum;
#endif
  barrier (CLK_GLOBAL_MEM_FENCE);
  if (!i)
    __assert (atomic_load (sum) == values[1] + values[2] + values[0]);
}

kernel void extremes (global atomic_float *least, global atomic_float *most) {
  const uint i = get_global_id (0);
  atomic_fetch_min (least, -1.5f * i);
  atomic_fetch_max (most, 2.5f * i);
  barrier (CLK_GLOBAL_MEM_FENCE);
  if (!i)
    __assert (atomic_load (least) == -1.5f && atomic_load (most) == 2.5f);
}
