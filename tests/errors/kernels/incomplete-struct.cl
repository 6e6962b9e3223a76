struct node;
kernel void k (global int *x) { struct node n; x[0] = 1; }
