// What a work-item wrote to memory of its own, on two ways that meet, is read after them. Both values are possible.
__kernel void ways (__global atomic_int *flag, __global int *own, __global int *out)
{
  int i = get_global_id (0);
  if (i == 0)
    atomic_store_explicit (flag, 1, memory_order_relaxed, memory_scope_device);
  else
    {
      if (atomic_load_explicit (flag, memory_order_relaxed, memory_scope_device))
        own[i] = 1;
      else
        own[i] = 2;
      out[0] = own[i];
    }
}
#ifdef ONE
//@ assert out[0] == 1
#else
//@ assert out[0] == 1 || out[0] == 2
#endif
