#include "cli/run/progress.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL_WIDTH = 80 };

void cli_progress_init (CliProgress *progress, gboolean quiet) {
  gboolean dumb = g_strcmp0 (g_getenv ("TERM"), "dumb") == 0; /* cannot erase */
  *progress = (CliProgress){ .enabled = !quiet && !dumb && isatty (STDERR_FILENO),
                             .start = g_get_monotonic_time () };
}

/* "4.2 s", "3 min 20 s", "2 h 5 min" */
static void append_time (double seconds, GString *out) {
  guint whole = (guint) MIN (seconds + 0.5, 1e9);
  if (seconds < 10)
    g_string_append_printf (out, "%.1f s", seconds);
  else if (whole < 60)
    g_string_append_printf (out, "%u s", whole);
  else if (whole < 3600)
    g_string_append_printf (out, "%u min %u s", whole / 60, whole % 60);
  else
    g_string_append_printf (out, "%u h %u min", whole / 3600, whole / 60 % 60);
}

static void append_rate (const CliProgress *progress, const CliWorkView *view, gint64 now,
                         GString *out) {
  double seconds = (double) (now - progress->start) / G_TIME_SPAN_SECOND;
  if (!view->done || seconds <= 0)
    return;
  double rate = view->done / seconds;
  g_string_append_printf (out, rate < 10 ? ", %.1f/s, " : ", %.0f/s, ", rate);
  append_time ((view->n - view->done) / rate, out);
  g_string_append (out, " left");
}

static gsize terminal_width (void) {
  struct winsize size;
  gboolean known = ioctl (STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : USUAL_WIDTH;
}

void cli_progress_show (CliProgress *progress, const CliWorkView *view, const char *slowest) {
  g_autoptr (GString) line = g_string_new (NULL);
  gint64 now = g_get_monotonic_time ();
  if (!progress->enabled)
    return;
  g_string_append_printf (line, "%u/%u tests", view->done, view->n);
  append_rate (progress, view, now, line);
  if (slowest) {
    g_string_append (line, ", at ");
    append_time ((double) (now - view->since) / G_TIME_SPAN_SECOND, line);
    g_string_append_printf (line, ": %s", slowest);
  }
  g_autofree char *valid = g_utf8_make_valid (line->str, -1);
  g_autofree char *visible
      = g_utf8_substring (valid, 0, MIN (g_utf8_strlen (valid, -1), (glong) terminal_width () - 1));
  fprintf (stderr, "\r%s\033[K", visible);
  fflush (stderr);
  progress->shown = TRUE;
}

void cli_progress_erase (CliProgress *progress) {
  if (!progress->shown)
    return;
  fputs ("\r\033[K", stderr);
  fflush (stderr);
  progress->shown = FALSE;
}
