#include "cli/run/faults.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

/* A signal's handler reaches only what is static. */
static struct sigaction before;
static GPrintFunc print_before;
static pthread_t catcher;
static gint fatal;                    /* atomic */
static _Thread_local gint *own_place; /* atomic */

static void on_abort (int number) {
  if (pthread_equal (pthread_self (), catcher)) {
    sigaction (number, &before, NULL);
    return; /* to abort, which raises the signal again */
  }
  g_atomic_int_set (own_place ? own_place : &fatal, TRUE);
  for (;;)
    pause ();
}

/* GLib reports a failed assertion twice: on standard error, and in a test runner's manner on
 * standard output, among our results. */
static void drop_text (const char *text) { (void) text; }

void cli_faults_catch (void) {
  struct sigaction action = { .sa_handler = on_abort };
  sigemptyset (&action.sa_mask);
  catcher = pthread_self ();
  g_atomic_int_set (&fatal, FALSE);
  sigaction (SIGABRT, &action, &before);
  print_before = g_set_print_handler (drop_text);
}

void cli_faults_release (void) {
  sigaction (SIGABRT, &before, NULL);
  g_set_print_handler (print_before);
}

void cli_faults_guard (gint *failed) { own_place = failed; }

gboolean cli_faults_are_fatal (void) { return g_atomic_int_get (&fatal); }
