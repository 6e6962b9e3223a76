#include "cli/run/records/resume.h"
#include "cli/run/records/merge.h"
#include "report/json/json_read.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

struct CliResume {
  char *path;
  RspSource *source;    /* the file's contents; NULL if it did not exist */
  GHashTable *found;    /* path and model -> GPtrArray of RspJsonLine, in the file's order */
  GHashTable *reported; /* what cli_resume_report has already reported */
  GMutex lock;          /* guards the following fields */
  int file;
  int failure; /* errno of the first write that failed, or 0 */
};

/* ---- Reading ---- */

static void free_line (gpointer data) {
  RspJsonLine *line = data;
  rsp_record_free (line->record);
  g_free (line);
}

static char *key_of (const RspRecord *record) {
  return g_strdup_printf ("%s\n%s", record->path, record->model);
}

/* Takes the line's record. */
static void keep_line (CliResume *resume, const RspJsonLine *line) {
  g_autofree char *key = key_of (line->record);
  GPtrArray *lines = g_hash_table_lookup (resume->found, key);
  if (!lines) {
    lines = g_ptr_array_new_with_free_func (free_line);
    g_hash_table_insert (resume->found, g_steal_pointer (&key), lines);
  }
  g_ptr_array_add (lines, g_memdup2 (line, sizeof *line));
}

/* *whole is where to continue writing. */
static gboolean read_file (CliResume *resume, gsize *whole, RspDiagnostics *diagnostics) {
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (RspJsonLine));
  *whole = 0;
  if (!g_file_test (resume->path, G_FILE_TEST_EXISTS))
    return TRUE;
  if (!g_file_test (resume->path, G_FILE_TEST_IS_REGULAR)) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s: is not a regular file", resume->path);
    return FALSE;
  }
  resume->source = rsp_source_read_within (resume->path, RSP_SOURCE_MOST, &error);
  if (!resume->source) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s", error->message);
    return FALSE;
  }
  gboolean good = rsp_json_read (resume->source, lines, whole, diagnostics);
  for (guint i = 0; i < lines->len; i++)
    keep_line (resume, &g_array_index (lines, RspJsonLine, i));
  return good;
}

/* ---- Writing ---- */

static void write_text (CliResume *resume, const char *text, gsize length) {
  while (length && !resume->failure) {
    gssize n = write (resume->file, text, length);
    if (n < 0 && errno != EINTR)
      resume->failure = errno;
    text += MAX (n, 0);
    length -= (gsize) MAX (n, 0);
  }
}

static gboolean open_file (CliResume *resume, gsize whole) {
  resume->file = open (resume->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (resume->file < 0)
    resume->failure = errno;
  else if (resume->source && whole < resume->source->length
           && ftruncate (resume->file, (off_t) whole) != 0)
    resume->failure = errno;
  else if (whole && resume->source->text[whole - 1] != '\n')
    write_text (resume, "\n", 1);
  return resume->failure == 0;
}

CliResume *cli_resume_new (const char *path, RspDiagnostics *diagnostics) {
  g_autoptr (CliResume) resume = g_new0 (CliResume, 1);
  gsize whole;
  resume->path = g_strdup (path);
  resume->file = -1;
  resume->found
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  resume->reported = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_mutex_init (&resume->lock);
  if (!read_file (resume, &whole, diagnostics))
    return NULL;
  open_file (resume, whole);
  return cli_resume_check (resume, diagnostics) ? g_steal_pointer (&resume) : NULL;
}

void cli_resume_free (CliResume *resume) {
  if (!resume)
    return;
  if (resume->file >= 0)
    close (resume->file);
  g_hash_table_unref (resume->found);
  g_hash_table_unref (resume->reported);
  g_mutex_clear (&resume->lock);
  rsp_source_unref (resume->source);
  g_free (resume->path);
  g_free (resume);
}

static gboolean has_other_numbers (const RspRecord *a, const RspRecord *b) {
  return a->index != b->index || a->total != b->total || a->column != b->column
         || a->columns != b->columns || g_strcmp0 (a->shard, b->shard) != 0;
}

/* Every run looks for errors again, so the file need not repeat them. */
static gboolean is_known_error (const CliResume *resume, const RspRecord *record) {
  g_autofree char *key = key_of (record);
  const GPtrArray *lines = g_hash_table_lookup (resume->found, key);
  if (record->status != RSP_STATUS_ERROR || !lines)
    return FALSE;
  const RspRecord *last = ((const RspJsonLine *) lines->pdata[lines->len - 1])->record;
  const char *what;
  return last->status == RSP_STATUS_ERROR && cli_records_same_check (last, record, &what)
         && !has_other_numbers (last, record);
}

void cli_resume_add (CliResume *resume, const RspRecord *record) {
  if (is_known_error (resume, record))
    return;
  g_autoptr (GString) line = g_string_new (NULL);
  rsp_json_format (record, line);
  g_mutex_lock (&resume->lock);
  write_text (resume, line->str, line->len);
  g_mutex_unlock (&resume->lock);
}

gboolean cli_resume_check (CliResume *resume, RspDiagnostics *diagnostics) {
  g_mutex_lock (&resume->lock);
  int failure = resume->failure;
  g_mutex_unlock (&resume->lock);
  if (failure)
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "cannot write to %s: %s", resume->path,
               g_strerror (failure));
  return failure == 0;
}

/* ---- Finding ---- */

/* Written and read again as a line, so that no member is forgotten. */
static RspRecord *copy_record (const RspRecord *record) {
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (RspJsonLine));
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  rsp_json_format (record, text);
  gsize length = text->len;
  g_autoptr (RspSource) source
      = rsp_source_new ("", g_string_free (g_steal_pointer (&text), FALSE), length);
  rsp_json_read (source, lines, NULL, unheard);
  g_assert (lines->len == 1);
  return g_array_index (lines, RspJsonLine, 0).record;
}

/* A record of this run: if earlier runs with this file had other tests, its line is written once
 * more, so that the file describes a whole run. */
static RspRecord *take_over (CliResume *resume, const RspRecord *old, const RspRecord *current) {
  RspRecord *record = copy_record (old);
  record->index = current->index;
  record->total = current->total;
  record->column = current->column;
  record->columns = current->columns;
  g_free (record->shard);
  record->shard = g_strdup (current->shard);
  if (has_other_numbers (old, record))
    cli_resume_add (resume, record);
  return record;
}

RspRecord *cli_resume_find (CliResume *resume, const RspRecord *current, CliStale *stale) {
  g_autofree char *key = key_of (current);
  const GPtrArray *lines = g_hash_table_lookup (resume->found, key);
  *stale = (CliStale){ 0 };
  for (guint i = lines ? lines->len : 0; i-- > 0;) {
    const RspJsonLine *line = lines->pdata[i];
    const char *what = NULL;
    if (line->record->status == RSP_STATUS_ERROR) /* perhaps it can be read now */
      continue;
    if (cli_records_same_check (line->record, current, &what)) {
      *stale = (CliStale){ 0 }; /* for example, a later run had different options */
      return take_over (resume, line->record, current);
    }
    if (!stale->what)
      *stale = (CliStale){ what, { line->span.source, line->span.begin, line->span.begin + 1 } };
  }
  return NULL;
}

void cli_resume_report (CliResume *resume, const CliStale *stale, const RspRecord *record,
                        RspDiagnostics *diagnostics) {
  static const char *const of_all[] = { "options", "version", "model", NULL };
  if (!stale->what)
    return;
  const char *whose = g_strv_contains (of_all, stale->what) ? "" : record->test;
  g_autofree char *key = g_strdup_printf ("%s\n%s\n%s", stale->what, whose, record->model);
  if (!g_hash_table_add (resume->reported, g_steal_pointer (&key)))
    return;
  if (*whose)
    rsp_note (diagnostics, stale->span, "%s under %s is checked again: different %s", record->test,
              record->model, stale->what);
  else
    rsp_note (diagnostics, stale->span, "tests are checked again under %s: different %s",
              record->model, stale->what);
}
