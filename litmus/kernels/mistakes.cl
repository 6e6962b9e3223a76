/* A failure ends its execution, but races besides are found: -D FAIL=… chooses what fails. */
#define UNSET_LOCAL own[get_local_id (0) + 1]
#define UNSET_PRIVATE unset
#define DIVISION (1 / x[9])
#define REMAINDER (x[8] %= x[9])
#define OUTSIDE inside[get_local_id (0) + 3]
#define OUTSIDE_LOCAL own[9]
#define NOWHERE (*(__global int *) 0)
#define BEFORE own[get_local_id (0) - 1]
__kernel void mistakes (__global int *x)
{
  __local int own[8];
  int unset, inside[4] = { 1, 2, 3, 4 };
  own[get_local_id (0)] = 0;
  int y = FAIL;
  x[SHARED] = y;
}
