// A wait for a variable that is not atomic: no value may be read that ends it, and what it reads races.
__kernel void wait (__global int *data, volatile __global int *flag)
{
  if (get_global_id (0) == 0)
    {
      data[0] = 1;
      mem_fence (CLK_GLOBAL_MEM_FENCE);
      *flag = 1;
    }
  else
    {
      while (*flag == 0)
        ;
      data[1] = data[0];
    }
}
