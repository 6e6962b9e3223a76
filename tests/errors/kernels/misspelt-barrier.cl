kernel void k (local int *x) { x[get_local_id (0)] = 1; sub_group_barier (CLK_LOCAL_MEM_FENCE); }
