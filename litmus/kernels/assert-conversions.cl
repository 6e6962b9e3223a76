/* An assertion over memory compares as C does. */
__kernel void numbers (__global ulong *wide, __global uint *plain, __global int *negative, __global uchar *narrow)
{
  wide[0] = 0x8000000000000000UL;
  wide[1] = 1;
  plain[0] = 1;
  negative[0] = -1;
  narrow[0] = 200;
}
//@ assert wide[0] > 5 && !(wide[0] < 5) && 5 < wide[0]
//@ assert wide[0] > wide[1] && wide[0] >= wide[1]
//@ assert wide[0] == 9223372036854775808 && wide[0] < 18446744073709551615
//@ assert negative[0] > plain[0] && wide[0] < negative[0]
//@ assert negative[0] != 4294967295 && negative[0] == 0xffffffff && negative[0] < 4294967295
//@ assert narrow[0] != -56 && narrow[0] > negative[0] && negative[0] < 5
#ifdef WRONG
//@ assert wide[0] < 5
//@ assert plain[0] > negative[0]
//@ assert negative[0] == 4294967295
#endif
