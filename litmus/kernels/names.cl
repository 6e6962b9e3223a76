/* A variable, parameter or member may have the name of a type, which it hides to the end of its block; and so does an enumerator
 * that of a variable, or of another enumerator. */
typedef int index;
typedef float real;
typedef unsigned int uint32_t;
typedef struct node { int node, real; index T; } T;

__constant int size = 4;
enum { FIRST = 5, SECOND };

int next (int index) { return index + 1; }

void store (__global int *real, const int index) { real[index] = next (index); }

__kernel void names (__global int *x, __global T *nodes)
{
  const index i = get_local_id (0);
  {
    int index = i, real = 2;
    x[index] = real;
  }
  T T[2];
  struct node node;
  for (int real = 0; real < 2; real++)
    T[real].T = real;
  node.node = 5;
  index last = T[1].T;
  uint32_t next_one = 1;
  assert (last == 1 && node.node == 5 && sizeof (index) == 4);
  store (x, i);
  assert (x[i] == i + 1);
  {
    enum { size = 2, FIRST = size, THIRD };
    int sized[THIRD];
    assert (size == 2 && FIRST == 2 && SECOND == 6 && sizeof (sized) == 12);
    for (enum { FIRST = 9 } k = FIRST; k < 10; k++)
      assert (FIRST == 9);
  }
  {
    enum { THIRD = 1 };
    assert (THIRD == 1 && size == 4 && FIRST == 5);
  }
  nodes[SHARED].T = next_one;
}
