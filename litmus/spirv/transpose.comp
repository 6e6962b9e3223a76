// The element at a row and column of a matrix is at that column and row of the transposed one.
#version 450
layout (local_size_x = 1) in;
layout (binding = 0) buffer In { mat2x3 m; mat4 q; };
layout (binding = 1) buffer Out { uint x[2]; };
#ifndef ROW
#define ROW 2
#endif
void main () {
  m = mat2x3 (1, 2, 3, 4, 5, 6);
  mat3x2 t = transpose (m);
  mat4 s = transpose (transpose (q));
  x[t[2][1] == 6 && t[2][0] == 3 && t[0][1] == 4 && t[1] == vec2 (2, 5) ? 0 : 5] = 1;
  x[t[ROW][0] == 3 && s == q ? 1 : 5] = 1;
}
