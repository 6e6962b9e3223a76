/* Workers: one function over many inputs, on several threads, with the results in input order. */
#pragma once

#include <glib.h>

/* The progress of the work. */
typedef struct CliWorkView {
  guint n, done;
  gboolean busy; /* is some input being worked on? The following fields describe the one begun
                  * first */
  guint oldest;
  gint64 since; /* monotonic time, in microseconds */
} CliWorkView;

typedef enum CliWorkEnd {
  CLI_WORK_DONE,
  CLI_WORK_ENDED,       /* by take */
  CLI_WORK_INTERRUPTED, /* by tick */
  CLI_WORK_FAILED       /* by an assertion in a thread that make has started */
} CliWorkEnd;

typedef struct CliWork {
  /* Makes the result of input i; called in another thread, for several inputs at a time. Not
   * NULL. */
  gpointer (*make) (gpointer data, guint i);
  /* The result of input i if make ended in a failed assertion; called in the caller's thread. Not
   * NULL. */
  gpointer (*fail) (gpointer data, guint i);
  /* Takes the result of input i over; called in the caller's thread, in order of i. FALSE ends the
   * work: inputs not begun are left out, and finished results are dropped. */
  gboolean (*take) (gpointer data, guint i, gpointer result);
  void (*drop) (gpointer result);
  /* The approximate size of a result in bytes. No input is begun while results of more than
   * most_waiting bytes wait for an earlier one. */
  gsize (*size) (gconstpointer result);
  gsize most_waiting;
  /* Called in the caller's thread a few times a second; may be NULL. FALSE ends the work at once,
   * as a failure does: finished results are taken, up to the first gap, and unfinished ones are
   * left to their threads, which run until the process ends. */
  gboolean (*tick) (gpointer data, const CliWorkView *view);
  gpointer data;
} CliWork;

/* Works on inputs 0 to n-1 with up to jobs threads. */
CliWorkEnd cli_workers_run (const CliWork *work, guint jobs, guint n);
