kernel void k (global int *x)
{
  switch (x[0])
    {
    case 3 ... 1:
    case 5 ... 7:
    case 6:
      x[1] = 1;
    }
}
