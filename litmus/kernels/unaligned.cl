// A word at a byte's address, which -arg y says: it must be a multiple of 4. With -D STEP=4 it always is.
#ifndef STEP
#define STEP 1
#endif
kernel void k (global uchar *bytes, global uint *y) {
  global uchar *place = bytes + STEP * y[0];
  *place = 1;
  y[1] = *(global uint *) place;
}
