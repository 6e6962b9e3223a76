kernel void k (global int *x)
{
  switch (x[0])
    {
    case 0:
      if (x[1])
        {
        case 1:
          x[2] = 1;
        }
    }
}
