#include "cli/run/signals.h"

#include <stdlib.h>
#include <time.h>

gboolean cli_signal_is_ignored (int number) {
  struct sigaction action;
  return sigaction (number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

void cli_signals_hold (CliSignals *signals) {
  static const int ending[] = { SIGINT, SIGTERM };
  sigemptyset (&signals->held);
  for (guint i = 0; i < G_N_ELEMENTS (ending); i++)
    if (!cli_signal_is_ignored (ending[i]))
      sigaddset (&signals->held, ending[i]);
  pthread_sigmask (SIG_BLOCK, &signals->held, &signals->before);
}

int cli_signals_arrived (const CliSignals *signals) {
  struct timespec at_once = { 0, 0 };
  int number = sigtimedwait (&signals->held, NULL, &at_once);
  return MAX (number, 0);
}

void cli_signals_release (const CliSignals *signals) {
  pthread_sigmask (SIG_SETMASK, &signals->before, NULL);
}

void cli_signals_die (int number) {
  sigset_t one;
  sigemptyset (&one);
  sigaddset (&one, number);
  signal (number, SIG_DFL);
  raise (number);
  pthread_sigmask (SIG_UNBLOCK, &one, NULL);
  _Exit (128 + number);
}
