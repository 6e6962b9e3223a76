// What is known of an array only in annotations may be anything in code.
__kernel void mark (__global int *a, __local int *t)
{
  int l = get_local_id (0);
  t[l] = l;
  if (__read_offset_bytes (t) == WHERE)
    a[l * APART] = l;
}
