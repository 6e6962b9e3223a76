/* Each sub-group has barriers of its own: they separate the accesses of its work-items, and no others.
 * WITH=2 reads what another sub-group writes; ONE: only one sub-group comes to the barrier; HALF: half of each. */
#ifndef WITH
#define WITH 1
#endif
#if defined ONE
#define COMES (get_sub_group_id () == 0)
#elif defined HALF
#define COMES (get_sub_group_local_id () == 0)
#else
#define COMES true
#endif
__kernel void exchange (__global int *a, __global int *b)
{
  int i = get_global_id (0);
  a[i] = i;
  if (COMES)
    sub_group_barrier (CLK_GLOBAL_MEM_FENCE);
  b[i] = a[i ^ WITH];
  // With a barrier per round, each of its own.
  for (int round = 0; round < 2; round++)
    sub_group_barrier (CLK_GLOBAL_MEM_FENCE);
}
//@ assert b[0] == WITH
