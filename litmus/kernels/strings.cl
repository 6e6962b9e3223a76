// Strings as values, pointers in the file's variables, members of structures without a name, designators of parts.
typedef struct { int x; union { int i; uint u; }; struct { int p, q[2]; }; int z; } T;
typedef struct { int a[3]; T t; int end; } O;
__constant O o[2] = { [1].t.q[1] = 7, 8, [1].end = 9, [0] = { .t = { 1, 2, 3, 4, 5, 6 }, .a[1] = 20, 21, .t.z = 99 } };
__constant char *words[] = { "ab", "cde" };
__global int cell;
__global int *at = &cell;
__constant int numbers[3] = { 4, 5, 6 };
__constant int *second = &numbers[1], *third = numbers + 2;

static int length_of (const char *s)
{
  int n = 0;
  while (s[n])
    n++;
  return n;
}

__kernel void strings (__global int *x)
{
  int i = 0;
  T t = { .u = 3, .q = { 1, 2 }, 5 };
  assert (o[1].t.q[1] == 7 && o[1].t.z == 8 && o[1].end == 9 && o[1].a[0] == 0);
  assert (o[0].t.z == 99 && o[0].t.q[1] == 5 && o[0].t.i == 2 && o[0].a[1] == 20 && o[0].a[2] == 21);
  assert (t.i == 3 && t.q[1] == 2 && t.z == 5 && t.x == 0 && sizeof (T) == 24);
  assert (length_of (words[1]) == 3 && length_of ("hello") == 5 && words[0][1] == 'b');
  char inner[] = "a\0\x41" "1\1012";
  assert (sizeof (inner) == 7 && inner[1] == 0 && inner[2] == 'A' && inner[3] == '1' && inner[4] == 'A' && inner[5] == '2');
  assert (sizeof ("b\0c") == 4 && "b\0c"[2] == 'c' && "\a\\\""[0] == 7 && "\a\\\""[2] == '"');
  assert (sizeof ("abc") == 4 && "abc"[1] == 'b' && *"z" == 'z');
  assert ((t.i ?: 7) == 3 && (i++ ?: 5) == 5 && i == 1 && (t.i++ ?: 5) == 3 && t.u == 4);
  assert (*second * 10 + *third == 56);
  assert (vec_step (int3) == 4 && vec_step (i) == 1 && vec_step ((uchar8) 0) == 8);
  assert (printf ("%s %d\n", words[0], i++) == 0 && i == 2);
  *at = 3;
  x[get_global_id (0)] = cell;
}
//@ assert x[0] == 3
