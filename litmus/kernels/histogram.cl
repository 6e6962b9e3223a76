// A histogram. Wrong with -D PLAIN: increments of one bin race.
__kernel void histogram (__global const uint *data, volatile __global uint *bins)
{
  uint bin = data[get_global_id (0)] % 4;
#ifdef PLAIN
  bins[bin]++;
#else
  atomic_inc (&bins[bin]);
#endif
}
