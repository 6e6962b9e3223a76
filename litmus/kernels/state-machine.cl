// Steps of a machine whose state is an enumeration; `switch` with fall-through, and ranges of values.
enum state { IDLE, BUSY = 3, DONE };
static int class_of (uint c)
{
  switch (c)
    {
    case 'a' ... 'z': return 1;
    case 0b110000 ... '9': return 2;
    case 0: return 3;
    default: return 0;
    }
}
__kernel void run (__global int *log, __global uint *text)
{
  enum state s = IDLE;
  int steps = 0;
  while (s != DONE)
    switch (s)
      {
      case IDLE:
        s = get_global_id (0) % 2 ? BUSY : DONE;
        steps++;
        break;
      case BUSY:
        steps += 10;
      default:
        s = DONE;
      }
  log[get_global_id (0)] = steps;
  uint c = text[get_global_id (0)];
  assert (class_of (c) == (c == 0 ? 3 : c < '0' || c > 'z' ? 0 : c <= '9' ? 2 : c < 'a' ? 0 : 1));
}
//@ assert log[0] == 1 && log[1] == 11
