/* Names of undetermined values: states that differ only in the engine's names are one. */
#include "enumerator/search/search.h"
#include "parser/litmus/litmus.h"
#include "tests/unit/litmus_fixture.h"

Suite *tally_suite (void);

typedef struct Finished {
  RspProgram *program;
  RspOutcome *outcome;
} Finished;

/* Adds states of x (32 bits), y (32 bits) and z (8 bits), which are shown in this order. */
static Finished finish (const RspValue (*states)[3], guint n) {
  Finished f = { .program = litmus_parse (
                     "C T\n{ }\nP0 (atomic_int* x, atomic_int* y, atomic_uchar* z) { }\n"
                     "locations [x; y; z;]\nexists (x=1)"),
                 .outcome = g_new0 (RspOutcome, 1) };
  RspTally *tally = rsp_tally_new (f.program);
  ck_assert_uint_eq (f.program->n_observables, 3);
  for (guint i = 0; i < n; i++)
    ck_assert (rsp_tally_add (tally, states[i], 1, 0));
  f.outcome->program = f.program;
  RspBudget budget = { 0 };
  rsp_tally_finish (tally, &budget, f.outcome);
  rsp_tally_free (tally);
  return f;
}

static void finished_clear (Finished *f) {
  rsp_outcome_free (f->outcome);
  rsp_program_free (f->program);
}

static void assert_value (const Finished *f, guint k, gint64 offset, guint number) {
  RspValue value = rsp_outcome_value (f->outcome, f->outcome->states, k);
  ck_assert_int_eq ((gint64) value.bits, offset);
  ck_assert_uint_eq (value.unknown, number);
}

START_TEST (numbers_are_those_of_appearance) {
  static const RspValue states[][3] = { { { .unknown = 3 }, { .unknown = 7 }, { .bits = 5 } },
                                        { { .unknown = 2 }, { .unknown = 1 }, { .bits = 5 } } };
  Finished f = finish (states, 2);
  ck_assert_uint_eq (f.outcome->n_states, 1);
  assert_value (&f, 0, 0, 1);
  assert_value (&f, 1, 0, 2);
  assert_value (&f, 2, 5, 0);
  finished_clear (&f);
}
END_TEST

START_TEST (offsets_are_from_the_first_value_that_is_shown) {
  static const RspValue states[][3]
      = { { { .bits = 0, .unknown = 1 }, { .bits = -1, .unknown = 1 }, { .bits = 0 } },
          { { .bits = 4, .unknown = 2 }, { .bits = 3, .unknown = 2 }, { .bits = 0 } },
          { { .bits = 0, .unknown = 1 }, { .bits = 1, .unknown = 1 }, { .bits = 0 } } };
  Finished f = finish (states, 3);
  ck_assert_uint_eq (f.outcome->n_states, 2);
  assert_value (&f, 0, 0, 1);
  assert_value (&f, 1, -1, 1);
  finished_clear (&f);
}
END_TEST

/* z has the last 8 bits of what y is more than: from z, the engines could not say what y is. */
START_TEST (offsets_are_from_the_widest_value) {
  static const RspValue states[][3]
      = { { { .bits = 0 }, { .bits = 256, .unknown = 1 }, { .bits = 1, .unknown = 1 } },
          { { .bits = 0 }, { .bits = 0, .unknown = 1 }, { .bits = 1, .unknown = 1 } } };
  Finished f = finish (states, 2);
  ck_assert_uint_eq (f.outcome->n_states, 1);
  assert_value (&f, 1, 0, 1);
  assert_value (&f, 2, 1, 1);
  finished_clear (&f);
}
END_TEST

Suite *tally_suite (void) {
  Suite *suite = suite_create ("tally");
  TCase *tests = tcase_create ("names");
  tcase_add_test (tests, numbers_are_those_of_appearance);
  tcase_add_test (tests, offsets_are_from_the_first_value_that_is_shown);
  tcase_add_test (tests, offsets_are_from_the_widest_value);
  suite_add_tcase (suite, tests);
  return suite;
}
