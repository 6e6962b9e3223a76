// Fields of bits; OpenCL C 3.0, cl_khr_extended_bit_ops.
kernel void fields (global uint *x)
{
  uint a = 0x80000051;
  assert (bit_reverse (a) == 0x8a000001 && bit_reverse ((uchar) 3) == 192);
  assert (bitfield_extract_unsigned (a, 4, 4) == 5 && bitfield_extract_signed ((int) a, 28, 4) == -8);
  assert (bitfield_insert (a, 7u, 1, 2) == 0x80000057 && bitfield_insert (a, 9u, 0, 32) == 9);
  x[bitfield_extract_unsigned (a, 0, 1)] = 1;
}
