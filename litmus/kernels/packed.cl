// Attributes of structures: packed ones have no gaps and members at any byte, aligned ones are larger.
#define ALIGN __attribute__((aligned(16)))
typedef struct __attribute__((aligned(sizeof(int) * 4))) { int a; } line;
typedef struct { char c; int i; } __attribute__((packed)) record;
struct gap { char c; int i __attribute__((aligned(16))); };
union __attribute__((__packed__, __aligned__(2))) both { char c[3]; int i; };
struct all { char c; int i __attribute__((packed)); int ALIGN k, j; record p; };
__kernel __attribute__((reqd_work_group_size(2, 1, 1))) void packed(__global int *x, __global record *p, __global uchar *y) {
  int l = get_local_id(0);
  assert(sizeof(line) == 16 && sizeof(record) == 5 && sizeof(struct gap) == 32);
  assert(sizeof(union both) == 4 && sizeof(struct all) == 48);
  p[l].i = 0x01020304;
#ifdef CAST
  x[l] = ((__global char *) p)[5 * l + 1] + ((__global record *) (y + 1 + 5 * l))->i;
  assert(x[l] == 4);
  ((__global uchar *) p)[CAST + 6 * (1 - l)] = 2;
#endif
}
