/* Written by rspcheck -emit c11: docs/hardware.md */
#include "c11.h"

/* ---- Test 0: mixed____pwned___pwned____n____ ---- */

CODE void
test0_begin (unsigned group, CONTEXT c)
{
  if (group == 0)
    {
      LOCAL (int32_t, 4, 0, 1)[0] = 0;
    }
  if (group == 1)
    {
    }
}

CODE void
test0_finish (unsigned group, CONTEXT c)
{
  if (group == 0)
    {
      RESULT (3) = (int64_t) LOCAL (int32_t, 4, 0, 1)[0];
    }
  if (group == 1)
    {
    }
}

CODE void
test0_state (CONTEXT c, STATE state)
{
  state[0] = RESULT (0);
  state[1] = RESULT (1);
  state[2] = RESULT (2);
  state[3] = (int64_t) GLOBAL (int32_t, 4, 1, 1, 1)[0];
  state[4] = RESULT (3);
}

CODE void
test0_reset (CONTEXT c)
{
  GLOBAL (int32_t, 4, 0, 1, 0)[0] = 0;
  GLOBAL (int32_t, 4, 1, 1, 1)[0] = 0;
  GLOBAL (int32_t, 4, 2, 2, 2)[0] = 7;
  GLOBAL (int32_t, 4, 2, 2, 2)[1] = (0 - 1);
}

ROLE void
test0_P0 (CONTEXT c)
{
  int32_t *const x0_x = GLOBAL (int32_t, 4, 0, 1, 0);
  int32_t *const x1_flag = GLOBAL (int32_t, 4, 1, 1, 1);
  int32_t *const x2_a = GLOBAL (int32_t, 4, 2, 2, 2);
  int32_t *const x4_lock = LOCAL (int32_t, 4, 0, 1);
  int32_t r0_end = 0;
  ((*(volatile int32_t *) (x0_x) = (int32_t) 1));
  ((*(volatile int32_t *) ((x2_a + in_bounds (c, 1, 2))) = (int32_t) (int32_t) ((uint32_t) (*(volatile int32_t *) ((x2_a + in_bounds (c, 1, 2)))) + (uint32_t) 2)));
  atomic_thread_fence (memory_order_release);
  atomic_store_explicit ((_Atomic (int32_t) *) (x1_flag), (int32_t) 1, memory_order_relaxed);
  r0_end = (int32_t) FETCH_EXTREME (int32_t, x4_lock, (int32_t) 5, >, memory_order_acq_rel);
  RESULT (0) = (int64_t) r0_end;
}

ROLE void
test0_P1 (CONTEXT c)
{
  int32_t *const x0_x = GLOBAL (int32_t, 4, 0, 1, 0);
  int32_t *const x1_flag = GLOBAL (int32_t, 4, 1, 1, 1);
  int32_t *const x2_a = GLOBAL (int32_t, 4, 2, 2, 2);
  int32_t r0_expected = 0;
  int32_t r1_main = 0;
  int32_t r2_i = 0;
  int32_t r3_seed = 3;
  int32_t r4_c = 0;
  unsigned n0;
  r0_expected = (int32_t) 1;
  r1_main = (int32_t) ((int32_t) ((uint32_t) 0 - (uint32_t) 1));
  r2_i = (int32_t) 0;
  n0 = 0;
  for (; ((r2_i < 2)); ((int32_t) (int32_t) ((uint32_t) (r2_i = (int32_t) (int32_t) ((uint32_t) r2_i + (uint32_t) 1)) - (uint32_t) 1)))
  {
    if (n0++ == 2)
      {
        CUT;
        goto end;
      }
    {
      if (COMPARE_EXCHANGE (weak, int32_t, x1_flag, r0_expected, (int32_t) 2, memory_order_seq_cst, memory_order_acquire, NULL))
      {
        (r1_main = (int32_t) ((int32_t) ((uint32_t) (*(volatile int32_t *) (x0_x)) + (uint32_t) ((int32_t) ((uint32_t) (*(volatile int32_t *) ((x2_a + in_bounds (c, ((int32_t) ((uint32_t) r1_main + (uint32_t) 1)), 2)))) * (uint32_t) r3_seed)))));
        break;
      }
      else
      {
        continue;
      }
    }
  }
  r4_c = (int32_t) atomic_exchange_explicit ((_Atomic (int32_t) *) (x1_flag), (int32_t) 3, memory_order_seq_cst);
end:;
  RESULT (1) = (int64_t) r4_c;
  RESULT (2) = (int64_t) r1_main;
}

CODE void
test0_thread (unsigned group, unsigned member, CONTEXT c)
{
  if (group == 0 && member == 0)
    test0_P0 (c);
  else if (group == 1 && member == 0)
    test0_P1 (c);
}

static int
test0_satisfies (const int64_t *state)
{
  (void) state;
  return (!(((state[2] == (int64_t) UINT64_C (0x16)) && (!(state[4] == (int64_t) UINT64_C (0x0)))) || (state[0] == (int64_t) UINT64_C (0x1))) || (state[3] != (int64_t) UINT64_C (0x3)));
}

static int
test0_keeps (const int64_t *state)
{
  (void) state;
  return (!(state[1] == (int64_t) UINT64_C (0x9)));
}

static const observable test0_observables[] = {
  { "0:end", VALUE_SIGNED, 1 },
  { "1:c", VALUE_SIGNED, 0 },
  { "1:main", VALUE_SIGNED, 1 },
  { "flag", VALUE_SIGNED, 1 },
  { "lock", VALUE_SIGNED, 1 },
  { "", VALUE_SIGNED, 0 }
};

static const char *const test0_locations[] = {
  "x",
  "flag",
  "a[0]",
  "a[1]",
  "lock",
  ""
};

TEST_CODE (test0, 5);

LINKAGE const test test0 = {
  "mixed\042$(>pwned)`>pwned`;'%n\077\077/\134",
  "exists (1:main=22 /\134 ~(lock=0) \134/ 0:end=1 => ~(flag=3))",
  "611ff091dbd882d286092c00fede3a4c",
  "a0f35613fcd75740334f2e09335c25f9",
  "scopes are dropped: every operation reaches all threads",
  QUESTION_EXISTS, 5, test0_observables,
  test0_locations, 5, test0_satisfies, test0_keeps,
  4, 4, 1, 4,
  2, 1, 2,
  { 1, 1 },
  { 0, 0 },
  &test0_code
};
