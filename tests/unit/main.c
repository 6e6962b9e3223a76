/* Runs every unit test suite named in suites.h; with an argument, only the suite of that name. */
#include <check.h>
#include <stdlib.h>

/* Some suites are of folders that are not there. */
#ifdef SOME_SUITES
#define SUITE(name) __attribute__ ((weak)) Suite *name##_suite (void);
#else
#define SUITE(name) Suite *name##_suite (void);
#endif
#include "tests/unit/suites.h"
#undef SUITE

static Suite *(*const suites[]) (void) = {
#define SUITE(name) name##_suite,
#include "tests/unit/suites.h"
#undef SUITE
};

int main (int argc, char **argv) {
  setenv ("CK_DEFAULT_TIMEOUT", "60", 0); /* seconds: for tests that hang, also on a busy machine */
  SRunner *runner = srunner_create (NULL);
  for (size_t i = 0; i < sizeof suites / sizeof suites[0]; i++)
    if (suites[i])
      srunner_add_suite (runner, suites[i]());
#ifdef __SANITIZE_ADDRESS__
  /* The leak check runs when a process ends: let all tests end in this one. */
  srunner_set_fork_status (runner, CK_NOFORK);
#endif
  srunner_run (runner, argc > 1 ? argv[1] : NULL, NULL, CK_NORMAL);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
