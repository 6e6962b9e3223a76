/* Pointers of which nothing is known, as from a function without a body, may be null; what they are found equal to is
 * known. */
__global int *place_of (int i);
struct list {
  __global int *head;
};
__kernel void unknown_pointers (__global int *x, struct list l)
{
  __requires (l.head == x);
  __global int *p = place_of (get_local_id (0));
  l.head[get_global_id (0) + 1] = 1;
  if (GUARD)
    p[get_global_id (0)] = 2;
}
