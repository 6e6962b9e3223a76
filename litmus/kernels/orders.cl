// Orders, scopes and flags that are arguments of functions, or numbers.
#ifndef FLAGS
#define FLAGS CLK_GLOBAL_MEM_FENCE
#endif
#ifndef ORDER
#define ORDER memory_order_acquire
#endif
static int await (__global atomic_int *flag, memory_order order, memory_scope scope)
{
  return atomic_load_explicit (flag, order, scope);
}

static void together (cl_mem_fence_flags flags)
{
  barrier (flags);
}

__kernel void orders (__global int *data, __global atomic_int *flag, __global int *seen)
{
  int i = get_global_id (0);
  data[i] = 1;
  together (FLAGS);
  seen[i] = data[i ^ 1];
  if (i == 0)
    atomic_store_explicit (flag, 1, memory_order_release, memory_scope_device);
  else if (await (flag, ORDER, memory_scope_device))
    seen[1] = seen[0];
}
