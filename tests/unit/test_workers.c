/* The command line's workers: order, ends, and the bound on what waits. */
#include "cli/run/workers.h"

#include <check.h>

Suite *workers_suite (void);

enum
{
  INPUTS = 500
};

/* A result is its input's number plus one. */
typedef struct Work
{
  GMutex lock;
  GCond changed;
  guint begun, made, taken;
  guint most;     /* how many results waited at most */
  guint wait_for; /* input 0 is made only when so many others are */
  guint end_at;   /* take ends the work at this input */
  guint ticks;
} Work;

static gpointer
make (gpointer data, guint i)
{
  Work *work = data;
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

static gboolean
take (gpointer data, guint i, gpointer result)
{
  Work *work = data;
  ck_assert_uint_eq (GPOINTER_TO_UINT (result), i + 1);
  g_mutex_lock (&work->lock);
  ck_assert_uint_eq (work->taken, i);
  work->taken++;
  g_mutex_unlock (&work->lock);
  return i != work->end_at;
}

static void
drop (gpointer result)
{
  ck_assert_ptr_nonnull (result);
}

static gsize
size (gconstpointer result)
{
  return result ? 10 : 0;
}

static gboolean
tick (gpointer data, const CliWorkView *view)
{
  Work *work = data;
  work->ticks++;
  ck_assert_uint_eq (view->n, INPUTS);
  ck_assert_uint_le (view->done, view->n);
  return TRUE;
}

static CliWorkEnd
run (Work *work, guint jobs, gsize most_waiting)
{
  CliWork all = { .make = make,
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
START_TEST (results_come_in_order)
{
  static const guint jobs[] = { 1, 2, 3, 8, 1000 };
  Work work = { .end_at = INPUTS };
  ck_assert_int_eq (run (&work, jobs[_i], G_MAXSIZE), CLI_WORK_DONE);
  ck_assert_uint_eq (work.taken, INPUTS);
  ck_assert_uint_eq (work.made, INPUTS);
}
END_TEST

/* The first input is slow: it waits for five others, of ten bytes each, of which 45 may wait. */
START_TEST (what_waits_is_bounded)
{
  Work work = { .end_at = INPUTS, .wait_for = 5 };
  guint jobs = 4;
  ck_assert_int_eq (run (&work, jobs, 45), CLI_WORK_DONE);
  ck_assert_uint_eq (work.taken, INPUTS);
  ck_assert_uint_ge (work.most, 5);
  /* Five are too much; then each thread ends what it had begun. One more may be on its way to take.
   */
  ck_assert_uint_le (work.most, 5 + jobs + 1);
}
END_TEST

/* Even if nothing may wait. */
START_TEST (the_first_input_is_always_worked_on)
{
  Work work = { .end_at = INPUTS };
  ck_assert_int_eq (run (&work, 3, 0), CLI_WORK_DONE);
  ck_assert_uint_eq (work.taken, INPUTS);
}
END_TEST

START_TEST (take_ends_the_work)
{
  Work work = { .end_at = 7 };
  ck_assert_int_eq (run (&work, 3, 0), CLI_WORK_ENDED);
  ck_assert_uint_eq (work.taken, 8);
  ck_assert_uint_lt (work.begun, INPUTS);
}
END_TEST

Suite *
workers_suite (void)
{
  Suite *suite = suite_create ("workers");
  TCase *tests = tcase_create ("workers");
  tcase_add_loop_test (tests, results_come_in_order, 0, 5);
  tcase_add_test (tests, what_waits_is_bounded);
  tcase_add_test (tests, the_first_input_is_always_worked_on);
  tcase_add_test (tests, take_ends_the_work);
  suite_add_tcase (suite, tests);
  return suite;
}
