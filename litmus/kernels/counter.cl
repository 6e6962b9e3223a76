// Work-items draw numbers from a counter that lies in the array itself; the last one overwrites it.
__kernel void draw (__local int *a)
{
  a[get_local_id (0)] = atomic_inc (a + get_local_size (0) - 1);
}
