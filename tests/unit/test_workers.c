/* The command line's workers: order, ends, and the bound on what waits. */
#include "cli/workers.h"

#include <check.h>
#include <signal.h>
#include <glib.h>
#include <stdlib.h>

Suite *workers_suite (void);

enum { INPUTS = 500 };

/* A result is its input's number plus one. */
typedef struct Work {
  GMutex lock;
  GCond changed;
  guint begun, made, taken;
  guint most;     /* how many results waited at most */
  guint wait_for; /* input 0 is made only once this many others are */
  guint end_at;   /* take ends the work at this input */
  guint ticks;
  gboolean interrupted; /* the first tick ends the work; take is slow before it */
  guint abort_at;       /* make aborts at this input, if not 0 */
  gboolean helper;      /* … in a thread that it starts */
  guint failed;         /* inputs whose result was made by fail */
} Work;

static gpointer abort_now (gpointer data) {
  abort ();
  return data;
}

static gpointer make (gpointer data, guint i) {
  Work *work = data;
  if (i && i == work->abort_at && work->helper)
    g_thread_join (g_thread_new ("helper", abort_now, NULL));
  if (i && i == work->abort_at)
    abort_now (NULL);
  g_mutex_lock (&work->lock);
  work->begun++;
  while (i == 0 && work->made < work->wait_for)
    g_cond_wait (&work->changed, &work->lock);
  work->made++;
  work->most = MAX (work->most, work->made - work->taken);
  g_cond_broadcast (&work->changed);
  g_mutex_unlock (&work->lock);
  return GUINT_TO_POINTER (i + 1);
}

static gpointer make_up (gpointer data, guint i) {
  Work *work = data;
  ck_assert_uint_eq (i, work->abort_at);
  work->failed++;
  return GUINT_TO_POINTER (i + 1);
}

static gboolean take (gpointer data, guint i, gpointer result) {
  Work *work = data;
  ck_assert_uint_eq (GPOINTER_TO_UINT (result), i + 1);
  g_mutex_lock (&work->lock);
  ck_assert_uint_eq (work->taken, i);
  work->taken++;
  g_mutex_unlock (&work->lock);
  if (work->interrupted && !work->ticks)
    g_usleep (5000);
  return i != work->end_at;
}

static void drop (gpointer result) { ck_assert_ptr_nonnull (result); }

static gsize size (gconstpointer result) { return result ? 10 : 0; }

static gboolean tick (gpointer data, const CliWorkView *view) {
  Work *work = data;
  work->ticks++;
  ck_assert_uint_eq (view->n, INPUTS);
  ck_assert_uint_le (view->done, view->n);
  return !work->interrupted || work->ticks > 1;
}

static CliWorkEnd run (Work *work, guint jobs, gsize most_waiting) {
  CliWork all = { .make = make,
                  .fail = make_up,
                  .take = take,
                  .drop = drop,
                  .size = size,
                  .most_waiting = most_waiting,
                  .tick = tick,
                  .data = work };
  g_mutex_init (&work->lock);
  g_cond_init (&work->changed);
  CliWorkEnd end = cli_workers_run (&all, jobs, INPUTS);
  g_mutex_clear (&work->lock);
  g_cond_clear (&work->changed);
  return end;
}

/* However many threads: take checks the order. */
START_TEST (results_come_in_order) {
  static const guint jobs[] = { 1, 2, 3, 8, 1000 };
  Work work = { .end_at = INPUTS };
  ck_assert_int_eq (run (&work, jobs[_i], G_MAXSIZE), CLI_WORK_DONE);
  ck_assert_uint_eq (work.taken, INPUTS);
  ck_assert_uint_eq (work.made, INPUTS);
}
END_TEST

/* The first input is slow: it waits for five others, of ten bytes each, of which 45 may wait. */
START_TEST (what_waits_is_bounded) {
  Work work = { .end_at = INPUTS, .wait_for = 5 };
  guint jobs = 4;
  ck_assert_int_eq (run (&work, jobs, 45), CLI_WORK_DONE);
  ck_assert_uint_eq (work.taken, INPUTS);
  ck_assert_uint_ge (work.most, 5);
  /* Five are too much; then each thread ends what it had begun. One more may be on its way to
   * take. */
  ck_assert_uint_le (work.most, 5 + jobs + 1);
}
END_TEST

/* Even if nothing may wait. */
START_TEST (the_first_input_is_always_worked_on) {
  Work work = { .end_at = INPUTS };
  ck_assert_int_eq (run (&work, 3, 0), CLI_WORK_DONE);
  ck_assert_uint_eq (work.taken, INPUTS);
}
END_TEST

START_TEST (take_ends_the_work) {
  Work work = { .end_at = 7 };
  ck_assert_int_eq (run (&work, 3, 0), CLI_WORK_ENDED);
  ck_assert_uint_eq (work.taken, 8);
  ck_assert_uint_lt (work.begun, INPUTS);
}
END_TEST

/* A signal is noticed by one tick only, whose answer counts although results are always waiting. */
START_TEST (an_interruption_is_not_lost_among_results) {
  Work work = { .end_at = INPUTS, .interrupted = TRUE };
  ck_assert_int_eq (run (&work, 2, 45), CLI_WORK_INTERRUPTED);
  ck_assert_uint_lt (work.taken, INPUTS);
}
END_TEST

/* The thread of input 100 is lost; another takes its place, also where there was only the one. */
START_TEST (a_failed_assertion_costs_one_result) {
  Work work = { .end_at = INPUTS, .abort_at = 100 };
  ck_assert_int_eq (run (&work, _i, G_MAXSIZE), CLI_WORK_DONE);
  ck_assert_uint_eq (work.taken, INPUTS);
  ck_assert_uint_eq (work.failed, 1);
  ck_assert_uint_eq (work.made, INPUTS - 1);
}
END_TEST

/* Whose thread that was nobody knows; what was made until then is taken. */
START_TEST (one_in_a_helper_ends_the_work) {
  Work work = { .end_at = INPUTS, .abort_at = 100, .helper = TRUE };
  ck_assert_int_eq (run (&work, 1, G_MAXSIZE), CLI_WORK_FAILED);
  ck_assert_uint_eq (work.taken, 100);
}
END_TEST

#ifndef __SANITIZE_ADDRESS__ /* there all tests are in one process: see main.c */
/* Not the callers' own: nobody could go on. */
START_TEST (one_in_the_calling_thread_aborts) {
  Work work = { .end_at = INPUTS };
  run (&work, 1, G_MAXSIZE);
  abort_now (NULL);
}
END_TEST
#endif

Suite *workers_suite (void) {
  Suite *suite = suite_create ("workers");
  TCase *tests = tcase_create ("workers");
  tcase_add_loop_test (tests, results_come_in_order, 0, 5);
  tcase_add_test (tests, what_waits_is_bounded);
  tcase_add_test (tests, the_first_input_is_always_worked_on);
  tcase_add_test (tests, take_ends_the_work);
  tcase_add_test (tests, an_interruption_is_not_lost_among_results);
  tcase_add_loop_test (tests, a_failed_assertion_costs_one_result, 1, 4);
  tcase_add_test (tests, one_in_a_helper_ends_the_work);
#ifndef __SANITIZE_ADDRESS__
  if (g_strcmp0 (g_getenv ("CK_FORK"), "no") != 0)
    tcase_add_test_raise_signal (tests, one_in_the_calling_thread_aborts, SIGABRT);
#endif
  suite_add_tcase (suite, tests);
  return suite;
}
