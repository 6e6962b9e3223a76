/* Workers: one function over many inputs, on several threads, with the results in input order. */
#ifndef CLI_WORKERS_H
#define CLI_WORKERS_H

#include <glib.h>

typedef struct CliWork
{
  /* Makes the result of input i; called in any thread, for several inputs at a time. Not NULL. */
  gpointer (*make) (gpointer data, guint i);
  /* Takes the result of input i over; called in the caller's thread, in order of i. FALSE ends the
   * work: inputs not begun are left out, and what is made already is dropped. */
  gboolean (*take) (gpointer data, guint i, gpointer result);
  void (*drop) (gpointer result);
  /* Called in the caller's thread now and then while it waits; may be NULL. */
  void (*wait) (gpointer data);
  gpointer data;
} CliWork;

/* Works on inputs 0 to n-1 with up to jobs threads; with one, everything happens in this one. FALSE
 * when take ended it. */
gboolean cli_workers_run (const CliWork *work, guint jobs, guint n);

#endif
