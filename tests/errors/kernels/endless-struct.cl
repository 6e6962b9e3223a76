struct node { int value; struct node next; };
kernel void k (global struct node *n) { n[0].value = 1; }
