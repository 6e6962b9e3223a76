kernel void k (global int *x, local int *y) { async_work_group_copy (y, x, 4, 0); }
