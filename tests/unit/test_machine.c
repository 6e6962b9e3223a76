/* The search of transition systems, on one small enough to count by hand: two counters, each from 0
 * to its top, one step at a time. */
#include "extra/machine/internal.h"

#include <check.h>
#include <stdlib.h>

Suite *machine_suite (void);

typedef struct Counters {
  guint8 top[2];
  gboolean bounded; /* the invariant: their sum is below 4 */
} Counters;

static void start (gpointer data, GByteArray *state, RspBill *bill) {
  (void) data;
  (void) bill;
  g_byte_array_append (state, (const guint8[]){ 0, 0 }, 2);
}

static RspEnd expand (gpointer data, RspBytes state, RspSuccessors *successors) {
  const Counters *counters = data;
  for (guint i = 0; i < 2; i++) {
    guint8 next[2] = { state.data[0], state.data[1] };
    if (next[i]++ == counters->top[i])
      continue;
    g_byte_array_append (successors->bytes, next, 2);
    rsp_successors_add (successors, &(RspBill){ .n[RSP_BILL_DRAIN] = i && next[0] == 0 });
  }
  return rsp_successors_count (successors) ? RSP_END_NONE : RSP_END_FINAL;
}

static const char *violated (gpointer data, RspBytes state) {
  const Counters *counters = data;
  return counters->bounded && state.data[0] + state.data[1] >= 4 ? "the sum is below 4" : NULL;
}

static void describe (gpointer data, RspBytes from, guint i, GString *out) {
  (void) data;
  if (from.data)
    g_string_append_printf (out, "%u%u %u\n", from.data[0], from.data[1], i);
}

static guint64 progress (gpointer data, RspBytes state) {
  (void) data;
  return (guint64) state.data[0] + state.data[1];
}

static RspSystem counters_system (Counters *counters) {
  return (RspSystem){ counters, start, expand, violated, describe, progress };
}

static gboolean count_end (gpointer user, guint32 number, RspBytes state, RspEnd end) {
  guint *ends = user;
  (void) number;
  (void) state;
  *ends += end == RSP_END_FINAL;
  return TRUE;
}

START_TEST (every_state_once) {
  Counters counters = { { 3, 4 }, FALSE };
  RspSystem system = counters_system (&counters);
  for (int breadth = 0; breadth < 2; breadth++) {
    guint ends = 0;
    RspSearchOptions options = { .breadth_first = breadth };
    g_autoptr (RspStateSearch) search = rsp_search_run (&system, &options, count_end, &ends);
    ck_assert_uint_eq (rsp_store_count (search->store), 20);
    ck_assert_uint_eq (search->steps, 3 * 5 + 4 * 4);
    ck_assert_uint_eq (ends, 1);
    ck_assert (!search->limited && !search->violated);
  }
}
END_TEST

START_TEST (limits_are_reported) {
  Counters counters = { { 200, 200 }, FALSE };
  RspSystem system = counters_system (&counters);
  RspSearchOptions options = { .max_states = 100 };
  g_autoptr (RspStateSearch) search = rsp_search_run (&system, &options, NULL, NULL);
  ck_assert (search->limited);
}
END_TEST

START_TEST (invariants_end_the_search) {
  Counters counters = { { 9, 9 }, TRUE };
  RspSystem system = counters_system (&counters);
  RspSearchOptions options = { .breadth_first = TRUE, .to_violation = TRUE };
  g_autoptr (RspStateSearch) search = rsp_search_run (&system, &options, NULL, NULL);
  ck_assert_str_eq (search->violated, "the sum is below 4");
  g_autoptr (GString) trace = g_string_new (NULL);
  rsp_search_describe (&system, search, search->where, trace);
  guint lines = 0;
  for (const char *c = trace->str; *c; c++)
    lines += *c == '\n';
  ck_assert_uint_eq (lines, 4); /* the shortest way to a sum of 4 */
}
END_TEST

START_TEST (many_states_keep_their_numbers) {
  RspStore *store = rsp_store_new ();
  for (guint32 i = 0; i < 50000; i++) {
    gboolean is_new;
    RspBytes bytes = { (const guint8 *) &i, 1 + i % 4 };
    guint32 number = rsp_store_add (store, bytes, RSP_NO_STATE, &is_new);
    ck_assert_uint_eq (rsp_store_add (store, bytes, number, &is_new), number);
    ck_assert (!is_new);
    ck_assert_mem_eq (rsp_store_get (store, number).data, bytes.data, bytes.size);
  }
  rsp_store_free (store);
}
END_TEST

static gboolean never (gpointer user, RspBytes state) {
  (void) user;
  (void) state;
  return FALSE;
}

/* A step of the second counter costs 1 while the first is at 0. */
START_TEST (bills_of_all_interleavings) {
  Counters counters = { { 3, 4 }, FALSE };
  RspSystem system = counters_system (&counters);
  RspSearchOptions options = { 0 };
  RspCost cost;
  ck_assert (rsp_cost_measure (&system, &options, NULL, NULL, &cost));
  ck_assert_double_eq (cost.executions, 35); /* 7! / (3! 4!) */
  ck_assert_uint_eq (cost.least[RSP_BILL_DRAIN], 0);
  ck_assert_uint_eq (cost.most[RSP_BILL_DRAIN], 4);
  ck_assert_double_eq_tol (cost.mean[RSP_BILL_DRAIN], 1.0,
                           1e-9); /* 4 steps, each first with 1 / 4 */
  ck_assert (rsp_cost_measure (&system, &options, never, NULL, &cost));
  ck_assert_double_eq (cost.executions, 0);
}
END_TEST

START_TEST (bills_end_at_limits) {
  RspCost cost;
  RspSearchOptions options = { .max_states = 19 };
  RspSystem system = counters_system (&(Counters){ { 3, 4 }, FALSE });
  ck_assert (!rsp_cost_measure (&system, &options, NULL, NULL, &cost));
  options.max_states = 20;
  ck_assert (rsp_cost_measure (&system, &options, NULL, NULL, &cost));
  system = counters_system (&(Counters){ { 3, 4 }, TRUE }); /* whatever invariants say */
  ck_assert (rsp_cost_measure (&system, &options, NULL, NULL, &cost));
}
END_TEST

Suite *machine_suite (void) {
  Suite *suite = suite_create ("machine");
  TCase *tcase = tcase_create ("machine");
  tcase_add_test (tcase, every_state_once);
  tcase_add_test (tcase, limits_are_reported);
  tcase_add_test (tcase, invariants_end_the_search);
  tcase_add_test (tcase, many_states_keep_their_numbers);
  tcase_add_test (tcase, bills_of_all_interleavings);
  tcase_add_test (tcase, bills_end_at_limits);
  suite_add_tcase (suite, tcase);
  return suite;
}
