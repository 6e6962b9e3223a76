// Steps of a machine whose state is an enumeration; `switch` with fall-through.
enum state { IDLE, BUSY = 3, DONE };
__kernel void run (__global int *log)
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
}
//@ assert log[0] == 1 && log[1] == 11
