// Assertions about memory at the end are expanded like other text, and left out like it.
#ifndef N
#define N 4
#endif
#define BOTH(x, value) ((x)[0] == value && (x)[1] == value)
__kernel void fill (__global int *x)
{
  x[get_global_id (0)] = N;
}
//@ assert BOTH (x, N) // as written
#ifdef WRONG
  //@ assert x[1] == N + 1
#endif
/*
//@ assert x[0] == 0
*/
