typedef struct { int next; } node;
kernel void k (global node *x) { x[0].nxt = 1; }
