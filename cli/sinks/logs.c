/* Logs: the form on standard output with one model, and the files of -o, one per model. */
#include "cli/sinks/report.h"
#include "cli/base/stream.h"
#include "report/explain/text.h"
#include "report/log/log.h"
#include "report/tables/progress_table.h"
#include "report/tables/relate.h"

#include <errno.h>
#include <unistd.h>

typedef struct Writer {
  FILE *file;
  int failure; /* an errno, or 0 */
} Writer;

static void write_part (GString *part, gpointer data) {
  Writer *writer = data;
  errno = 0;
  if (!writer->failure && fwrite (part->str, 1, part->len, writer->file) != part->len)
    writer->failure = errno ? errno : EIO;
  g_string_truncate (part, 0);
}

/* Nothing, when there is nothing to log. Returns an errno if it cannot be written, else 0. */
static int write_log (const CliSink *sink, const RspRecord *record, gboolean colour, FILE *file) {
  const CliOptions *options = sink->options;
  g_autoptr (GString) log = g_string_new (NULL);
  Writer writer = { .file = file };
  if (options->log_undefined || !options->omitted_flag
      || !rsp_record_has_flag (record, options->omitted_flag))
    rsp_log_format_parts (record, options->verbose > 0, log, write_part, &writer);
  if (record->explanations)
    rsp_explanations_format (record->explanations, colour, log);
  write_part (log, &writer);
  return writer.failure ? writer.failure : fflush (file) == 0 ? 0 : errno;
}

static gboolean take_log (CliSink *sink, const RspRecord *record) {
  int failure = write_log (sink, record, cli_uses_colour (STDOUT_FILENO), stdout);
  return !failure || cli_report_unwritten ("to standard output", failure);
}

const CliSink cli_sink_log = { .take = take_log };

/* A suite under several progress models: a table after the logs. */
static gboolean end_progress (CliSink *sink, const GPtrArray *records) {
  const GArray *models = sink->options->progress;
  g_autoptr (GString) table = g_string_new (NULL);
  if (records->len > 1)
    rsp_progress_table_format (records, (const RspProgress *) models->data, models->len, table);
  return cli_write (table);
}

const CliSink cli_sink_progress = { .take = take_log, .end = end_progress, .keeps_records = TRUE };

/* Models' records are not logged, since the device's record has their judgements. */
static gboolean take_device (CliSink *sink, const RspRecord *record) {
  return !record->is_device || take_log (sink, record);
}

const CliSink cli_sink_device = { .take = take_device };

/* ---- Files ---- */

typedef struct Logs {
  GHashTable *files; /* label of a model -> FILE */
  GHashTable *names; /* of those files */
} Logs;

static void close_file (gpointer file) { fclose (file); }

static gboolean begin_logs (CliSink *sink) {
  Logs *logs = g_new0 (Logs, 1);
  logs->files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, close_file);
  logs->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  sink->data = logs;
  return cli_make_folder (sink->options->logs);
}

/* "hrf_rsp -variant subset" -> "hrf_rsp-variant-subset.log"; unique among the models. */
static char *file_name (Logs *logs, const char *label) {
  g_auto (GStrv) words = g_strsplit (label, " ", -1);
  g_autoptr (GString) name = g_string_new (NULL);
  for (guint i = 0; words[i]; i++)
    g_string_append_printf (name, "%s%s", i && words[i][0] != '-' ? "-" : "", words[i]);
  g_strdelimit (name->str, "/", '_');
  char *file = g_strconcat (name->str, ".log", NULL);
  for (guint n = 2; g_hash_table_contains (logs->names, file); n++) {
    g_free (file);
    file = g_strdup_printf ("%s-%u.log", name->str, n);
  }
  g_hash_table_add (logs->names, g_strdup (file));
  return file;
}

/* The file of the record's model, created at its first record; NULL on failure. */
static FILE *open_file (CliSink *sink, const RspRecord *record) {
  Logs *logs = sink->data;
  FILE *file = g_hash_table_lookup (logs->files, record->model);
  if (file)
    return file;
  g_autofree char *name = file_name (logs, record->model);
  g_autofree char *path = g_build_filename (sink->options->logs, name, NULL);
  file = fopen (path, "w");
  if (file)
    g_hash_table_insert (logs->files, g_strdup (record->model), file);
  else
    cli_report_unwritten (path, errno);
  return file;
}

/* Each log is written when its test ends, so that an interrupted run leaves those of finished
 * tests. Records read from logs are not logged again. */
static gboolean take_logs (CliSink *sink, const RspRecord *record) {
  if (record->log)
    return TRUE;
  FILE *file = open_file (sink, record);
  int failure = file ? write_log (sink, record, FALSE, file) : 0;
  if (failure)
    cli_report_unwritten (sink->options->logs, failure);
  return file && !failure;
}

static void clear_logs (CliSink *sink) {
  Logs *logs = sink->data;
  if (!logs)
    return;
  g_hash_table_unref (logs->files);
  g_hash_table_unref (logs->names);
  g_free (logs);
}

const CliSink cli_sink_logs = { .begin = begin_logs, .take = take_logs, .clear = clear_logs };
