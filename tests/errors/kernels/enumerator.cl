kernel void k (global int *x)
{
  int n = x[0];
  enum { A = n };
  x[1] = A;
}
