/* Written by rspcheck -emit opencl: docs/hardware.md */
#include "opencl.h"

/* ---- Test 0: mixed____pwned___pwned____n____ ---- */

static const char test0_source[] =
  "CODE void\012"
  "test0_begin (unsigned group, CONTEXT c)\012"
  "{\012"
  "  if (group == 0)\012"
  "    {\012"
  "      LOCAL (int32_t, 4, 0, 1)[0] = 0;\012"
  "    }\012"
  "  if (group == 1)\012"
  "    {\012"
  "    }\012"
  "}\012"
  "\012"
  "CODE void\012"
  "test0_finish (unsigned group, CONTEXT c)\012"
  "{\012"
  "  if (group == 0)\012"
  "    {\012"
  "      RESULT (3) = (int64_t) LOCAL (int32_t, 4, 0, 1)[0];\012"
  "    }\012"
  "  if (group == 1)\012"
  "    {\012"
  "    }\012"
  "}\012"
  "\012"
  "CODE void\012"
  "test0_state (CONTEXT c, STATE state)\012"
  "{\012"
  "  state[0] = RESULT (0);\012"
  "  state[1] = RESULT (1);\012"
  "  state[2] = RESULT (2);\012"
  "  state[3] = (int64_t) GLOBAL (int32_t, 4, 1, 1, 1)[0];\012"
  "  state[4] = RESULT (3);\012"
  "}\012"
  "\012"
  "CODE void\012"
  "test0_reset (CONTEXT c)\012"
  "{\012"
  "  GLOBAL (int32_t, 4, 0, 1, 0)[0] = 0;\012"
  "  GLOBAL (int32_t, 4, 1, 1, 1)[0] = 0;\012"
  "  GLOBAL (int32_t, 4, 2, 2, 2)[0] = 7;\012"
  "  GLOBAL (int32_t, 4, 2, 2, 2)[1] = (0 - 1);\012"
  "}\012"
  "\012"
  "ROLE void\012"
  "test0_P0 (CONTEXT c)\012"
  "{\012"
  "  global int32_t *const x0_x = GLOBAL (int32_t, 4, 0, 1, 0);\012"
  "  global int32_t *const x1_flag = GLOBAL (int32_t, 4, 1, 1, 1);\012"
  "  global int32_t *const x2_a = GLOBAL (int32_t, 4, 2, 2, 2);\012"
  "  local int32_t *const x4_lock = LOCAL (int32_t, 4, 0, 1);\012"
  "  int32_t r0_end = 0;\012"
  "  ((*(volatile global int32_t *) (x0_x) = (int32_t) 1));\012"
  "  ((*(volatile global int32_t *) ((x2_a + in_bounds (c, 1, 2))) = (int32_t) (int32_t) ((uint32_t) (*(volatile global int32_t *) ((x2_a + in_bounds (c, 1, 2)))) + (uint32_t) 2)));\012"
  "  atomic_work_item_fence (CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_release, memory_scope_device);\012"
  "  atomic_store_explicit ((volatile global atomic_int32_t *) (x1_flag), (int32_t) 1, memory_order_relaxed, memory_scope_work_group);\012"
  "  r0_end = (int32_t) atomic_fetch_max_explicit ((volatile local atomic_int32_t *) (x4_lock), (int32_t) 5, memory_order_acq_rel, memory_scope_sub_group);\012"
  "  RESULT (0) = (int64_t) r0_end;\012"
  "}\012"
  "\012"
  "ROLE void\012"
  "test0_P1 (CONTEXT c)\012"
  "{\012"
  "  global int32_t *const x0_x = GLOBAL (int32_t, 4, 0, 1, 0);\012"
  "  global int32_t *const x1_flag = GLOBAL (int32_t, 4, 1, 1, 1);\012"
  "  global int32_t *const x2_a = GLOBAL (int32_t, 4, 2, 2, 2);\012"
  "  int32_t r0_expected = 0;\012"
  "  int32_t r1_main = 0;\012"
  "  int32_t r2_i = 0;\012"
  "  int32_t r3_seed = 3;\012"
  "  int32_t r4_c = 0;\012"
  "  unsigned n0;\012"
  "  r0_expected = (int32_t) 1;\012"
  "  r1_main = (int32_t) ((int32_t) ((uint32_t) 0 - (uint32_t) 1));\012"
  "  r2_i = (int32_t) 0;\012"
  "  n0 = 0;\012"
  "  for (; ((r2_i < 2)); ((int32_t) (int32_t) ((uint32_t) (r2_i = (int32_t) (int32_t) ((uint32_t) r2_i + (uint32_t) 1)) - (uint32_t) 1)))\012"
  "  {\012"
  "    if (n0++ == 2)\012"
  "      {\012"
  "        TRUNCATED;\012"
  "        goto end;\012"
  "      }\012"
  "    {\012"
  "      if (COMPARE_EXCHANGE (weak, global, int32_t, x1_flag, r0_expected, (int32_t) 2, memory_order_seq_cst, memory_order_acquire, memory_scope_all_svm_devices, 0))\012"
  "      {\012"
  "        (r1_main = (int32_t) ((int32_t) ((uint32_t) (*(volatile global int32_t *) (x0_x)) + (uint32_t) ((int32_t) ((uint32_t) (*(volatile global int32_t *) ((x2_a + in_bounds (c, ((int32_t) ((uint32_t) r1_main + (uint32_t) 1)), 2)))) * (uint32_t) r3_seed)))));\012"
  "        break;\012"
  "      }\012"
  "      else\012"
  "      {\012"
  "        continue;\012"
  "      }\012"
  "    }\012"
  "  }\012"
  "  r4_c = (int32_t) atomic_exchange_explicit ((volatile global atomic_int32_t *) (x1_flag), (int32_t) 3, memory_order_seq_cst, memory_scope_device);\012"
  "end:;\012"
  "  RESULT (1) = (int64_t) r4_c;\012"
  "  RESULT (2) = (int64_t) r1_main;\012"
  "}\012"
  "\012"
  "CODE void\012"
  "test0_thread (unsigned group, unsigned member, CONTEXT c)\012"
  "{\012"
  "  if (group == 0 && member == 0)\012"
  "    test0_P0 (c);\012"
  "  else if (group == 1 && member == 0)\012"
  "    test0_P1 (c);\012"
  "}\012"
  "\012"
  "TEST_KERNELS (test0, 5)\012"
;

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
  "exists ((1:main=22 /\134 not (lock=0) \134/ 0:end=1) => not (flag=3))",
  "611ff091dbd882d286092c00fede3a4c",
  "a0f35613fcd75740334f2e09335c25f9",
  "",
  QUESTION_EXISTS, 5, test0_observables,
  test0_locations, 5, test0_satisfies, test0_keeps,
  4, 4, 1, 4,
  2, 1, 2,
  { 1, 1 },
  { 0, 0 },
  1,
  { 0, 1 },
  0, &test0_code
};
