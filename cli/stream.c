/* Files of lines, and files that are replaced only when they are complete. */
#include "cli/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Lines ---------------------------------------------------------------------------------- */

static void clear_line (gpointer data) {
  CliLine *line = data;
  g_free (line->text);
  rsp_source_unref (line->span.source);
}

/* Length of the line without its comment and the blanks at its end. */
static gsize useful_length (const char *start, gsize length) {
  gboolean quoted = FALSE;
  for (gsize i = 0; i < length; i++) {
    if (start[i] == '"')
      quoted = !quoted;
    if (start[i] == '#' && !quoted && (i == 0 || g_ascii_isspace (start[i - 1])))
      length = i;
  }
  while (length && g_ascii_isspace (start[length - 1]))
    length--;
  return length;
}

GArray *cli_lines_read (const char *path, RspSpan at, RspDiagnostics *diagnostics) {
  g_autoptr (RspSource) source = rsp_source_load (path, at, diagnostics);
  if (!source)
    return NULL;
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (CliLine));
  g_array_set_clear_func (lines, clear_line);
  for (guint i = 0; i < source->n_lines; i++) {
    guint begin = rsp_source_line_begin (source, i);
    guint end = i + 1 < source->n_lines ? source->lines[i + 1] : (guint) source->length;
    end = begin + (guint) useful_length (source->text + begin, end - begin);
    while (begin < end && g_ascii_isspace (source->text[begin]))
      begin++;
    if (begin == end)
      continue;
    CliLine line = { g_strndup (source->text + begin, end - begin),
                     { rsp_source_ref (source), begin, end } };
    g_array_append_val (lines, line);
  }
  return lines;
}

char *cli_line_split (CliLine *line) {
  char *blank = line->text;
  while (*blank && !g_ascii_isspace (*blank))
    blank++;
  if (!*blank)
    return NULL;
  *blank = '\0';
  return g_strchug (blank + 1);
}

/* ---- Progress ------------------------------------------------------------------------------- */

/* The line on a terminal: what is printed takes its place, and it is shown again after that. */

enum {
  USUAL_WIDTH = 80,
  FIRST_SHOWN = G_TIME_SPAN_SECOND / 2, /* after the start */
  TICK = G_TIME_SPAN_SECOND / 5
};

static struct {
  GMutex lock;      /* held while anything is printed on the terminal */
  gboolean enabled; /* is standard error a terminal, without -no-progress? */
  gboolean shown;   /* is the line on the terminal? */
  gint64 start;
  GString *line; /* as it was last shown; NULL: not yet */
  CliDescribe describe;
  gpointer data;
  GThread *thread; /* renews what is described, or NULL */
  GCond end;
  gboolean ended;
} progress;

/* Both with the lock held. */
static void show_line (void) {
  if (!progress.line)
    return;
  fprintf (stderr, "\r%s\033[K", progress.line->str);
  fflush (stderr);
  progress.shown = TRUE;
}

static void erase_line (void) {
  if (!progress.shown)
    return;
  fputs ("\r\033[K", stderr);
  fflush (stderr);
  progress.shown = FALSE;
}

static void set_line (const char *text) {
  if (!progress.enabled || g_get_monotonic_time () - progress.start < FIRST_SHOWN)
    return;
  struct winsize size;
  gboolean known = ioctl (STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  glong width = known ? size.ws_col : USUAL_WIDTH;
  g_autofree char *valid = rsp_visible_name (text);
  g_autofree char *visible
      = g_utf8_substring (valid, 0, MIN (g_utf8_strlen (valid, -1), width - 1));
  if (!progress.line)
    progress.line = g_string_new (NULL);
  g_string_assign (progress.line, visible);
  show_line ();
}

void cli_append_time (double seconds, GString *out) {
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

double cli_progress_seconds (void) {
  return (double) (g_get_monotonic_time () - progress.start) / G_TIME_SPAN_SECOND;
}

void cli_progress_update (const char *text) {
  g_mutex_lock (&progress.lock);
  set_line (text);
  g_mutex_unlock (&progress.lock);
}

void cli_progress_renew (void) {
  g_mutex_lock (&progress.lock);
  if (!progress.shown)
    show_line ();
  g_mutex_unlock (&progress.lock);
}

static gpointer follow (gpointer unused) {
  (void) unused;
  g_mutex_lock (&progress.lock);
  while (!progress.ended) {
    const gint64 next = g_get_monotonic_time () + TICK;
    while (!progress.ended && g_cond_wait_until (&progress.end, &progress.lock, next))
      ;
    g_autoptr (GString) text = g_string_new (NULL);
    progress.describe (progress.data, text);
    if (!progress.ended)
      set_line (text->str);
  }
  g_mutex_unlock (&progress.lock);
  return NULL;
}

void cli_progress_begin (const CliOptions *options, CliDescribe describe, gpointer data) {
  gboolean dumb = g_strcmp0 (g_getenv ("TERM"), "dumb") == 0; /* cannot erase */
  progress.enabled = !options->no_progress && !dumb && isatty (STDERR_FILENO);
  progress.start = g_get_monotonic_time ();
  progress.describe = describe;
  progress.data = data;
  progress.ended = FALSE;
  progress.thread
      = progress.enabled && describe ? g_thread_try_new ("progress", follow, NULL, NULL) : NULL;
}

void cli_progress_end (void) {
  g_mutex_lock (&progress.lock);
  progress.ended = TRUE;
  progress.enabled = FALSE;
  g_cond_signal (&progress.end);
  erase_line ();
  if (progress.line)
    g_string_free (g_steal_pointer (&progress.line), TRUE);
  g_mutex_unlock (&progress.lock);
  if (progress.thread)
    g_thread_join (g_steal_pointer (&progress.thread));
}

/* ---- Stream --------------------------------------------------------------------------------- */

gboolean cli_report_unwritten (const char *path, int errno_) {
  g_mutex_lock (&progress.lock);
  erase_line ();
  fprintf (stderr, "error: cannot write %s: %s\n", path, g_strerror (errno_));
  g_mutex_unlock (&progress.lock);
  return FALSE;
}

static int write_parts (FILE *file, const GString *text) {
  errno = 0;
  for (gsize done = 0, n; done < text->len; done += n) {
    n = MIN (text->len - done, PIPE_BUF); /* for which a pipe has room, or it has none */
    /* Waits until the file takes more. Ctrl-C and the like, which a run holds back to end in
     * good order, end the program at once if nobody reads its pipe. */
    struct pollfd out = { .fd = fileno (file), .events = POLLOUT };
    while (poll (&out, 1, 100) == 0) {
      int number = cli_signal_held ();
      if (number) {
        fprintf (stderr, "error: interrupted: nobody reads the output\n");
        cli_signals_die (number);
      }
    }
    if (fwrite (text->str + done, 1, n, file) != n || fflush (file) != 0)
      return errno ? errno : EIO;
  }
  return 0;
}

int cli_write_to (FILE *file, const GString *text) {
  const gboolean is_terminal = file == stdout && isatty (STDOUT_FILENO);
  if (!is_terminal)
    return write_parts (file, text);
  g_mutex_lock (&progress.lock);
  if (text->len)
    erase_line ();
  const int failure = write_parts (file, text);
  g_mutex_unlock (&progress.lock);
  return failure;
}

gboolean cli_write (const GString *text) {
  int failure = cli_write_to (stdout, text);
  return !failure || cli_report_unwritten ("to standard output", failure);
}

gboolean cli_is_kept_out (const char *path) {
  return rsp_source_is_confined () && g_file_test (path, G_FILE_TEST_IS_SYMLINK);
}

gboolean cli_can_write_file (const char *path) {
  g_autofree char *folder = g_path_get_dirname (path);
  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    return cli_report_unwritten (path, EISDIR);
  if (g_access (folder, F_OK) != 0)
    return cli_report_unwritten (path, errno);
  if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
    return cli_report_unwritten (path, ENOTDIR);
  if (g_file_test (path, G_FILE_TEST_EXISTS) ? g_access (path, W_OK) : g_access (folder, W_OK))
    return cli_report_unwritten (path, errno);
  return TRUE;
}

/* ---- Replacing a file ---- */
/* The new text is written into a file without a name, so that no file is left if the program is
 * killed; if the file system does not support that, into a file with a name. The new file then
 * replaces the old one. */
static gboolean write_all (int file, const GString *text) {
  for (gsize done = 0; done < text->len;) {
    gssize written = write (file, text->str + done, text->len - done);
    if (written < 0 && errno != EINTR)
      return FALSE;
    done += written > 0 ? (gsize) written : 0;
  }
  return fsync (file) == 0;
}

/* Creates a file without a name in the folder or, if that fails, with the name `other`; -1 with
 * errno on failure. */
static int open_new (const char *folder, const char *other, gboolean *named) {
  *named = FALSE;
  int file = open (folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT && errno != EINVAL))
    return file;
  *named = TRUE;
  return open (other, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);
}

/* Gives a file without a name the name `other`, replacing any file left by an earlier run. */
static gboolean name_file (int file, const char *other) {
  g_autofree char *open_file = g_strdup_printf ("/proc/self/fd/%d", file);
  g_unlink (other);
  return linkat (AT_FDCWD, open_file, AT_FDCWD, other, AT_SYMLINK_FOLLOW) == 0;
}

/* Writes or creates a regular file: at any time it has the complete old text or the complete new
 * one. An old file keeps its mode. 0, or an errno; the old file is then unchanged. */
static int replace_file (const char *path, const GString *text) {
  g_autofree char *folder = g_path_get_dirname (path), *name = g_path_get_basename (path);
  g_autofree char *hidden = g_strdup_printf (".%s.new", name);
  g_autofree char *other = g_build_filename (folder, hidden, NULL);
  gboolean named;
  int file = open_new (folder, other, &named);
  if (file < 0)
    return errno;
  struct stat old;
  gboolean whole = (write_all (file, text)
                    && (stat (path, &old) != 0 || fchmod (file, old.st_mode & 07777) == 0))
                   && (named || (named = name_file (file, other)));
  int failure = whole ? 0 : errno;
  if (close (file) != 0 && whole)
    failure = errno;
  if (!failure && g_rename (other, path) != 0)
    failure = errno;
  if (failure && named)
    g_unlink (other);
  return failure;
}

gboolean cli_write_file (const char *path, const GString *text) {
  gboolean exists = g_file_test (path, G_FILE_TEST_EXISTS);
  if (cli_is_kept_out (path))
    return cli_report_unwritten (path, EACCES);
  if (exists && !g_file_test (path, G_FILE_TEST_IS_REGULAR)) {
    FILE *file = fopen (path, "w");
    if (!file)
      return cli_report_unwritten (path, errno);
    errno = 0;
    gboolean written = fwrite (text->str, 1, text->len, file) == text->len;
    if (fclose (file) != 0 || !written)
      return cli_report_unwritten (path, errno);
    return TRUE;
  }
  /* A link is kept: the file that it names is replaced. */
  g_autofree char *real = exists ? realpath (path, NULL) : NULL;
  int failure = replace_file (real ? real : path, text);
  return failure == 0 || cli_report_unwritten (path, failure);
}

gboolean cli_append_file (const char *path, const GString *text) {
  static gint reported; /* atomic: one message for all lines of a run */
  FILE *file = fopen (path, "ae");
  gboolean written = file && fwrite (text->str, 1, text->len, file) == text->len;
  if (file)
    written &= fclose (file) == 0;
  if (!written && g_atomic_int_compare_and_exchange (&reported, FALSE, TRUE))
    cli_report_unwritten (path, errno);
  return written;
}

gboolean cli_uses_colour (int stream) {
  const char *off = g_getenv ("NO_COLOR");
  return isatty (stream) && !(off && *off) && g_strcmp0 (g_getenv ("TERM"), "dumb") != 0;
}

char *cli_file_name (char *name) {
  for (char *c = name; *c; c++)
    if (*c == '/' || *c == ' ' || g_ascii_iscntrl (*c) || (c == name && *c == '.'))
      *c = '_';
  return name;
}

/* Systems allow 255 bytes, of which replace_file needs some. */
enum { MOST_OF_NAME = 240, LAST_OF_NAME = 80, HASH_OF_NAME = 8 };

static gboolean is_inside_character (char c) { return (c & 0xc0) == 0x80; } /* in UTF-8 */

char *cli_path_in (const char *folder, char *name) {
  g_autofree char *own = cli_file_name (name);
  const gsize length = strlen (own);
  if (length > MOST_OF_NAME) {
    g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_MD5, own, -1);
    const char *last = own + length - LAST_OF_NAME;
    gsize n = MOST_OF_NAME - LAST_OF_NAME - HASH_OF_NAME - 1;
    while (is_inside_character (*last))
      last++;
    while (n && is_inside_character (own[n]))
      n--;
    g_autofree char *whole = g_steal_pointer (&own);
    own = g_strdup_printf ("%.*s-%.*s%s", (int) n, whole, HASH_OF_NAME, hash, last);
  }
  return g_build_filename (folder ? folder : ".", own, NULL);
}

gboolean cli_make_folder (const char *path) {
  return !path || g_mkdir_with_parents (path, 0777) == 0 || cli_report_unwritten (path, errno);
}

guint cli_print_diagnostics (RspDiagnostics *diagnostics, gboolean only_errors) {
  if (rsp_diagnostics_count (diagnostics) == 0)
    return 0;
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean colour = cli_uses_colour (STDERR_FILENO);
  for (guint i = 0; i < rsp_diagnostics_count (diagnostics); i++) {
    const RspDiagnostic *diagnostic = rsp_diagnostics_get (diagnostics, i);
    if (diagnostic->severity == RSP_ERROR || !only_errors)
      rsp_diagnostic_format (diagnostic, colour, text);
  }
  g_mutex_lock (&progress.lock);
  if (text->len)
    erase_line ();
  fwrite (text->str, 1, text->len, stderr);
  g_mutex_unlock (&progress.lock);
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  rsp_diagnostics_truncate (diagnostics, 0);
  return errors;
}

/* ---- Warnings ------------------------------------------------------------------------------- */

typedef struct Occurrences {
  guint n, n_tests, last; /* last: the last of these tests */
} Occurrences;

struct CliWarnings {
  gboolean all;
  RspDiagnostics *first; /* of each kind, in order of appearance */
  GArray *kinds;         /* of Occurrences, in the same order */
  guint test;            /* whose warnings are taken */
  GHashTable *seen;      /* those, as text */
};

CliWarnings *cli_warnings_new (gboolean all) {
  CliWarnings *warnings = g_new0 (CliWarnings, 1);
  warnings->all = all;
  warnings->first = rsp_diagnostics_new ();
  warnings->kinds = g_array_new (FALSE, FALSE, sizeof (Occurrences));
  warnings->seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return warnings;
}

void cli_warnings_free (CliWarnings *warnings) {
  rsp_diagnostics_free (warnings->first);
  g_array_unref (warnings->kinds);
  g_hash_table_unref (warnings->seen);
  g_free (warnings);
}

static Occurrences *occurrences_of (CliWarnings *warnings, const RspDiagnostic *warning) {
  for (guint i = 0; i < warnings->kinds->len; i++)
    if (rsp_diagnostics_get (warnings->first, i)->kind == warning->kind)
      return &g_array_index (warnings->kinds, Occurrences, i);
  Occurrences none = { .last = G_MAXUINT };
  g_array_append_val (warnings->kinds, none);
  rsp_warning (warnings->first, warning->span, warning->hint, "%s", warning->message);
  rsp_diagnostics_set_kind (warnings->first, warning->kind);
  return &g_array_index (warnings->kinds, Occurrences, warnings->kinds->len - 1);
}

static gboolean stays (const RspDiagnostic *diagnostic, gpointer data) {
  CliWarnings *warnings = data;
  if (diagnostic->severity != RSP_WARNING)
    return TRUE;
  gboolean is_new = g_hash_table_add (
      warnings->seen, g_strdup_printf ("%u %s", diagnostic->span.begin, diagnostic->message));
  if (warnings->all || !is_new)
    return is_new;
  Occurrences *kind = occurrences_of (warnings, diagnostic);
  kind->n++;
  kind->n_tests += kind->last != warnings->test;
  kind->last = warnings->test;
  return FALSE;
}

void cli_warnings_take (CliWarnings *warnings, guint test, RspDiagnostics *diagnostics) {
  if (test != warnings->test)
    g_hash_table_remove_all (warnings->seen);
  warnings->test = test;
  rsp_diagnostics_filter (diagnostics, stays, warnings);
}

void cli_warnings_tell (CliWarnings *warnings, RspDiagnostics *diagnostics) {
  for (guint i = 0; i < warnings->kinds->len; i++) {
    const RspDiagnostic *first = rsp_diagnostics_get (warnings->first, i);
    const Occurrences *kind = &g_array_index (warnings->kinds, Occurrences, i);
    g_autofree char *more = g_strdup_printf (" [%u of this kind in %u test%s; -v shows all]",
                                             kind->n, kind->n_tests, kind->n_tests > 1 ? "s" : "");
    rsp_warning (diagnostics, first->span, first->hint, "%s%s", first->message,
                 kind->n > 1 ? more : "");
  }
  rsp_diagnostics_truncate (warnings->first, 0);
  g_array_set_size (warnings->kinds, 0);
}
