kernel void sum (global int* out, local int* tmp) {
  int l = get_local_id (0);
  out[get_global_id (0)] = 1;
  work_group_barrier (CLK_GLOBAL_MEM_FENCE);
  if (get_global_id (0) == 0)
    out[0] = out[1] + out[2] + out[3];
}
