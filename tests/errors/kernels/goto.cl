kernel void k (global int *x)
{
  if (get_local_id (0) == 0)
    goto end;
  x[0] = 1;
end:;
}
