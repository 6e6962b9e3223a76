/* Signals that end a run: they are held back while it lasts, so that it ends in good order. */
#pragma once

#include <glib.h>
#include <signal.h>

typedef struct CliSignals {
  sigset_t held, before;
} CliSignals;

/* Does the process ignore the signal, as under nohup? */
gboolean cli_signal_is_ignored (int signal);
/* Holds back SIGINT and SIGTERM, unless they are ignored, in this thread and those it makes from
 * now on. */
void cli_signals_hold (CliSignals *signals);
/* The signal that arrived meanwhile, or 0. */
int cli_signals_arrived (const CliSignals *signals);
void cli_signals_release (const CliSignals *signals);
/* Ends the process as that signal does by itself, so that a shell sees why. */
void cli_signals_die (int signal) G_GNUC_NORETURN;
