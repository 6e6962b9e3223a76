kernel void k (global int *x)
{
  x[0] = 1; //@ assert x[0] == 2
  /* x[0] = 1; //@ assert x[0] == 2 */
  // as in x[0] = 1; //@ assert x[0] == 2
} //@ assert x[0] == 2
    //@ assert x[0] == 1
