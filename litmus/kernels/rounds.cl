// Barriers in loops: work-items meet in the same rounds of all loops around the barrier.
#define ALL CLK_LOCAL_MEM_FENCE
#define L   get_local_id (0)

// Everybody comes to it once, each in a round of its own.
__kernel void skipped (void)
{
  for (int i = 0; i < 2; i++) {
    if (L == i)
      continue;
    barrier (ALL);
  }
}

// The same rounds are skipped.
__kernel void together (void)
{
  for (int i = 0; i < 3; i++) {
    if (i == 1)
      continue;
    barrier (ALL);
  }
}

// The barrier is not in the loops, which have different numbers of rounds.
__kernel void after (void)
{
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < L + k; i++)
      ;
    barrier (ALL);
  }
}

// In the same round of the inner loop, but of different ones of the outer.
__kernel void nested (void)
{
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2 && i == L; k++)
      barrier (ALL);
}

// In different rounds of the inner loop.
__kernel void inner (void)
{
  int k = L;
  do {
    for (int i = 0; i < 2; i++)
      if (i == k)
        barrier (ALL);
    k = 1 - k;
  } while (k != L);
}

void meet (int comes)
{
  if (comes)
    barrier (ALL);
}

// The loop is the caller's.
__kernel void calls (int skips)
{
  for (int i = 0; i < 2; i++)
    meet (!skips || i == L);
}

// The loop ends at the barrier, in different rounds.
__kernel void leaves (void)
{
  for (;;) {
    barrier (ALL);
    break;
  }
  for (int i = 0;; i++)
    if (i == L) {
      barrier (ALL);
      break;
    }
}

// A round that waits, and that others need not have, comes before the barrier.
__kernel void waits (__global atomic_int *flag)
{
  if (L)
    atomic_store_explicit (flag, 1, memory_order_relaxed, memory_scope_work_group);
  for (;;)
    if (atomic_load_explicit (flag, memory_order_relaxed, memory_scope_work_group)) {
#ifdef IN
      barrier (ALL);
#endif
      break;
    }
  barrier (ALL);
}
