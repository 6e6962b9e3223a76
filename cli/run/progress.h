/* The progress line on a terminal: tests done, speed, time left, and the slowest test. */
#pragma once

#include "cli/run/workers.h"

typedef struct CliProgress {
  gboolean enabled; /* is standard error a terminal, without -q? */
  gboolean shown;
  gint64 start;
} CliProgress;

void cli_progress_init (CliProgress *progress, gboolean quiet);
/* Shows or renews the line. slowest: the test that is worked on for the longest time; NULL if none
 * is. */
void cli_progress_show (CliProgress *progress, const CliWorkView *view, const char *slowest);
/* Removes the line, if there is one: before anything else is printed, and at the end. */
void cli_progress_erase (CliProgress *progress);
