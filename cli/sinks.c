/* Where records go: logs, tables, JSON, pages, pictures. */
#include "api/api.h"
#include "base/json.h"
#include "cli/extra.h"
#include "cli/internal.h"
#include "cli/options.h"
#include "model/model.h"
#include "report/page/page.h"
#include "report/report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- Forms ---------------------------------------------------------------------------------- */

/* The forms of the report on standard output, except the log. */

static gboolean take_json (CliSink *sink, const RspRecord *record) {
  g_autoptr (GString) line = g_string_new (NULL);
  (void) sink;
  rsp_json_format (record, line);
  return cli_write (line);
}

static gboolean begin_tsv (CliSink *sink) {
  g_autoptr (GString) head = g_string_new (NULL);
  (void) sink;
  rsp_tsv_format_header (head);
  return cli_write (head);
}

static gboolean take_tsv (CliSink *sink, const RspRecord *record) {
  g_autoptr (GString) line = g_string_new (NULL);
  g_autofree char *title = rsp_test_title (sink->titles, record->test, record->path);
  rsp_tsv_format (record, title, line);
  return cli_write (line);
}

/* ---- Comparisons ---- */
static gboolean begin_table (CliSink *sink) {
  sink->data = rsp_comparison_new (&(RspTableStyle){ .colour = cli_uses_colour (STDOUT_FILENO),
                                                     .only_diff = sink->options->diff > 0 });
  return TRUE;
}

static void take_row (CliSink *sink, const GPtrArray *records) {
  rsp_comparison_add (sink->data, records);
}

static gboolean end_table (CliSink *sink, const GPtrArray *records) {
  g_autoptr (GString) table = g_string_new (NULL);
  (void) records;
  rsp_comparison_format (sink->data, table);
  return cli_write (table);
}

/* ---- -expect ---- */
static gboolean begin_expect (CliSink *sink) {
  sink->data = cli_comparison_new (sink->expectations);
  return TRUE;
}

static gboolean take_expect (CliSink *sink, const RspRecord *record) {
  cli_comparison_take (sink->data, record);
  return TRUE;
}

/* Shows the differences, and only then promotes them. */
static gboolean end_expect (CliSink *sink, const GPtrArray *records) {
  CliComparison *comparison = sink->data;
  gboolean promote = sink->options->promote > 0, written;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  (void) records;
  cli_comparison_end (comparison);
  cli_comparison_format (comparison, cli_uses_colour (STDOUT_FILENO), text);
  if (!promote)
    cli_comparison_note_promote (comparison, diagnostics);
  written = cli_write (text) && (!promote || cli_comparison_promote (comparison, diagnostics));
  cli_print_diagnostics (diagnostics, sink->options->quiet);
  if (!written)
    return FALSE;
  sink->differs = !promote && cli_comparison_differs (comparison);
  g_string_truncate (text, 0);
  cli_comparison_format_counts (comparison, promote, text);
  return cli_write (text);
}

static const CliSink cli_sink_json = { .take = take_json };

static const CliSink cli_sink_tsv = { .begin = begin_tsv, .take = take_tsv };

static const CliSink cli_sink_table = { .begin = begin_table,
                                        .take_row = take_row,
                                        .end = end_table,
                                        .free_data = (GDestroyNotify) rsp_comparison_free };

static const CliSink cli_sink_expect = { .begin = begin_expect,
                                         .take = take_expect,
                                         .end = end_expect,
                                         .free_data = (GDestroyNotify) cli_comparison_free };

/* ---- Live ----------------------------------------------------------------------------------- */

/* Live pages (-live): the workbench in the page of -html. */

/* The file of the workbench's page, where `make workbench` or `make install` puts it; NULL if there
 * is none. Newly allocated. */
static char *find_workbench (void) {
  static const char *const places[] = { "workbench.html", "build/workbench.html" };
  g_auto (GStrv) folders = rsp_directories ("cat", NULL, NULL);
  for (guint i = 0; folders[i]; i++)
    for (gsize k = 0; k < G_N_ELEMENTS (places); k++) {
      g_autofree char *above = g_path_get_dirname (folders[i]);
      g_autofree char *path = g_build_filename (above, places[k], NULL);
      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&path);
    }
  return NULL;
}

static gboolean is_installed (const char *path, const char *const *folders) {
  g_autofree char *folder = g_path_get_dirname (path);
  return strcmp (folder, ".") != 0 && g_strv_contains (folders, folder);
}

/* As text that cannot end an element of a page. */
static char *without_markup (RspJson *node) {
  g_autoptr (GString) line = g_string_new (NULL);
  rsp_json_append_line (node, line);
  g_auto (GStrv) parts = g_strsplit (line->str, "<", -1);
  return g_strjoinv ("\\u003c", parts);
}

/* JSON without markup: { page: the workbench, texts: models that are not installed, by name }.
 * Newly allocated; NULL, with a message on standard error, if the workbench cannot be read. */
static char *cli_live_format (const CliOptions *options) {
  g_autoptr (GError) error = NULL;
  g_autofree char *path = find_workbench (), *page = NULL;
  g_auto (GStrv) folders = rsp_directories ("cat", NULL, NULL);
  const char *const *known = (const char *const *) folders;
  RspJson *texts = rsp_json_empty ();
  if (path && !g_file_get_contents (path, &page, NULL, &error))
    fprintf (stderr, "error: %s\n", error->message);
  for (guint i = 0; i < options->models->len; i++) {
    /* The files of a model, with those that it includes, that the workbench does not have. */
    g_auto (GStrv) parts = g_strsplit (options->models->pdata[i], " ", 2);
    g_autoptr (RspDiagnostics) reported = rsp_diagnostics_new (); /* by the checks */
    g_autoptr (RspModel) model = rsp_model_read (parts[0], known, NULL, NULL, reported);
    for (guint k = 0; model && k < model->sources->len; k++) {
      const RspSource *source = model->sources->pdata[k];
      g_autofree char *name = g_path_get_basename (source->name);
      if (g_file_test (source->name, G_FILE_TEST_EXISTS) && !is_installed (source->name, known))
        rsp_json_set_text (texts, name, source->text);
    }
  }
  g_autoptr (RspJson) live
      = rsp_json_object ("page", rsp_json_text (page ? page : ""), "texts", texts, NULL);
  return page ? without_markup (live) : NULL;
}

/* ---- Html ----------------------------------------------------------------------------------- */

/* The page of -html. */

/* Reports what can be known to fail: a run may take hours. */
static gboolean begin_html (CliSink *sink) {
  g_autofree char *workbench = sink->options->live ? find_workbench () : NULL;
  if (!sink->options->live || workbench)
    return cli_can_write_file (sink->options->html);
  fprintf (stderr, "error: -live needs the workbench's page, which `make workbench` makes\n");
  return FALSE;
}

typedef struct Drawer {
  CliRenderer *renderer;
  GError *error; /* why some picture is missing, or NULL */
} Drawer;

/* The SVG element alone, without what precedes it in a file. */
static char *draw (gpointer data, const char *dot) {
  Drawer *drawer = data;
  g_autoptr (GBytes) bytes
      = cli_render (drawer->renderer, dot, "svg", drawer->error ? NULL : &drawer->error);
  gsize length = 0;
  const char *text = bytes ? g_bytes_get_data (bytes, &length) : NULL;
  const char *start = text ? g_strstr_len (text, (gssize) length, "<svg") : NULL;
  return start ? g_strndup (start, length - (gsize) (start - text)) : NULL;
}

/* The page is written even if pictures are missing. */
static gboolean end_html (CliSink *sink, const GPtrArray *records) {
  g_autoptr (GString) page = g_string_new (NULL);
  Drawer drawer = { cli_renderer_new (), NULL };
  g_autofree char *live = sink->options->live ? cli_live_format (sink->options) : NULL;
  RspPageDrawing drawing = { draw, &drawer, live };
  rsp_page_format (records, &drawing, page);
  cli_renderer_free (drawer.renderer);
  gboolean written = cli_write_file (sink->options->html, page);
  if (drawer.error)
    fprintf (stderr, "error: %s lacks pictures: %s\n", sink->options->html, drawer.error->message);
  g_autoptr (GError) error = drawer.error;
  return written && !error;
}

static const CliSink cli_sink_html
    = { .begin = begin_html, .end = end_html, .keeps_records = TRUE };

/* ---- Logs ----------------------------------------------------------------------------------- */

/* Logs: the form on standard output with one model, and the files of -o, one per model. */

typedef struct Writer {
  FILE *file;
  int failure; /* an errno, or 0 */
} Writer;

static void write_part (GString *part, gpointer data) {
  Writer *writer = data;
  if (!writer->failure)
    writer->failure = cli_write_to (writer->file, part);
  g_string_truncate (part, 0);
}

/* Writes the record's log, if it has one. Returns an errno if it cannot be written, else 0. */
static int write_log (const CliSink *sink, const RspRecord *record, gboolean colour, FILE *file) {
  const CliOptions *options = sink->options;
  g_autoptr (GString) log = g_string_new (NULL);
  Writer writer = { .file = file };
  if (options->log_undefined || !options->omitted_flag
      || !rsp_record_has_flag (record, options->omitted_flag))
    rsp_log_format_parts (record, options->verbose > 0, log, write_part, &writer);
  if (record->explanations) {
    g_autofree char *sentence = rsp_records_sentences (&record, 1);
    g_string_append_printf (log, "%s\n\n", sentence);
    rsp_explanations_format (record->explanations, colour, log);
  }
  write_part (log, &writer);
  return writer.failure;
}

gboolean cli_sink_take_log (CliSink *sink, const RspRecord *record) {
  int failure = write_log (sink, record, cli_uses_colour (STDOUT_FILENO), stdout);
  return !failure || cli_report_unwritten ("to standard output", failure);
}

static const CliSink cli_sink_log = { .take = cli_sink_take_log };

/* A suite under several progress models: a table after the logs. */
static gboolean end_progress (CliSink *sink, const GPtrArray *records) {
  const GArray *models = sink->options->progress;
  g_autoptr (GString) table = g_string_new (NULL);
  if (records->len > 1)
    rsp_progress_table_format (records, (const RspProgress *) models->data, models->len, table);
  return cli_write (table);
}

static const CliSink cli_sink_progress
    = { .take = cli_sink_take_log, .end = end_progress, .keeps_records = TRUE };

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
static char *log_file_name (Logs *logs, const char *label) {
  g_auto (GStrv) words = g_strsplit (label, " ", -1);
  g_autoptr (GString) name = g_string_new (NULL);
  for (guint i = 0; words[i]; i++)
    g_string_append_printf (name, "%s%s", i && words[i][0] != '-' ? "-" : "", words[i]);
  char *file = g_strconcat (name->str, ".log", NULL);
  for (guint n = 2; g_hash_table_contains (logs->names, file); n++) {
    g_free (file);
    file = g_strdup_printf ("%s-%u.log", name->str, n);
  }
  g_hash_table_add (logs->names, g_strdup (file));
  return file;
}

/* Each log is written when its test ends, so that an interrupted run leaves those of finished
 * tests. Records read from logs are not logged again. */
static gboolean take_logs (CliSink *sink, const RspRecord *record) {
  Logs *logs = sink->data;
  if (record->log)
    return TRUE;
  FILE *file = g_hash_table_lookup (logs->files, record->model);
  if (!file) { /* its first record */
    g_autofree char *name = log_file_name (logs, record->model);
    g_autofree char *path = cli_path_in (sink->options->logs, g_steal_pointer (&name));
    if (cli_is_kept_out (path))
      return cli_report_unwritten (path, EACCES);
    file = fopen (path, "w");
    if (!file)
      return cli_report_unwritten (path, errno);
    g_hash_table_insert (logs->files, g_strdup (record->model), file);
  }
  int failure = write_log (sink, record, FALSE, file);
  return !failure || cli_report_unwritten (sink->options->logs, failure);
}

static void free_logs (gpointer data) {
  Logs *logs = data;
  g_hash_table_unref (logs->files);
  g_hash_table_unref (logs->names);
  g_free (logs);
}

static const CliSink cli_sink_logs
    = { .begin = begin_logs, .take = take_logs, .free_data = free_logs };

/* ---- Pictures ------------------------------------------------------------------------------- */

/* Pictures: executions as files of -o, or as text on standard output after the log. */

/* One execution to draw. */
typedef struct Picture {
  const RspExecutionView *view;
  char *name; /* "1", "blame1", "data_race" */
  const RspStep *const *steps;
  guint n_steps;
} Picture;

static void add_picture (GArray *pictures, const RspExecutionView *view, char *name,
                         const RspStep *const *steps, guint n_steps) {
  Picture picture = { view, name, steps, n_steps };
  g_array_append_val (pictures, picture);
}

static void clear_picture (gpointer data) { g_free (((Picture *) data)->name); }

/* The executions that the record shows. */
static GArray *find_pictures (const RspRecord *record) {
  GArray *pictures = g_array_new (FALSE, FALSE, sizeof (Picture));
  g_array_set_clear_func (pictures, clear_picture);
  for (guint i = 0; i < record->shown->len; i++)
    add_picture (pictures, record->shown->pdata[i], g_strdup_printf ("%u", i + 1), NULL, 0);
  const RspExplanations *all = record->explanations;
  if (all) {
    for (guint i = 0; i < all->n_outcomes; i++) {
      const RspExplanation *explanation = &all->outcomes[i];
      if (explanation->witness)
        add_picture (pictures, explanation->witness, g_strdup_printf ("witness%u", i + 1), NULL, 0);
      for (guint k = 0; k < explanation->n_blames; k++) {
        const RspBlame *blame = &explanation->blames[k];
        add_picture (pictures, blame->execution, g_strdup_printf ("blame%u.%u", i + 1, k + 1),
                     blame->n_violations ? blame->violations[0].steps : NULL,
                     blame->n_violations ? blame->violations[0].n_steps : 0);
      }
    }
    for (guint i = 0; i < all->n_flags; i++)
      add_picture (pictures, all->flags[i].execution, g_strdup (all->flags[i].flag),
                   all->flags[i].steps, all->flags[i].n_steps);
  }
  return pictures;
}

/* ---- Their text ---- */
/* "R,S" of each option as names; to be freed with g_strfreev. */
static char **names_of (const GPtrArray *lists) {
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < lists->len; i++) {
    g_auto (GStrv) some = g_strsplit (lists->pdata[i], ",", -1);
    for (guint k = 0; some[k]; k++)
      g_ptr_array_add (names, g_strdup (some[k]));
  }
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

static void format_picture (const CliOptions *options, CliFormat format, const RspRecord *record,
                            const Picture *picture, GString *out) {
  g_auto (GStrv) drawn = names_of (options->drawn), hidden = names_of (options->hidden);
  g_autoptr (GPtrArray) attributes = g_ptr_array_new (); /* a copy would own the strings */
  g_ptr_array_extend (attributes, options->edge_attributes, NULL, NULL);
  g_ptr_array_add (attributes, NULL);
  RspGraphOptions graph = { (const char *const *) drawn, (const char *const *) hidden,
                            (const char *const *) attributes->pdata, format == CLI_FORMAT_TIKZ };
  g_autofree char *title
      = g_strdup_printf ("%s under %s: %s", record->test, record->model, picture->name);
  if (format == CLI_FORMAT_TEXT) {
    g_string_append_printf (out, "%s\n", title);
    rsp_view_format (picture->view, out);
  } else
    rsp_graph_format (picture->view, title, picture->steps, picture->n_steps, &graph, out);
}

/* ---- Where they go ---- */
static gboolean write_picture (CliSink *sink, const RspRecord *record, const Picture *picture) {
  static const char *const formats[] = { NULL, "svg", "pdf", "png", NULL, NULL, NULL };
  static const char *const endings[] = { "dot", "svg", "pdf", "png", "txt", "tikz", "dot" };
  const CliOptions *options = sink->options;
  gboolean many = record->columns > 1;
  g_autofree char *own = cli_file_name (g_strdup (record->test));
  g_autofree char *test = rsp_test_title (sink->titles, own, record->path);
  char *name = g_strdup_printf ("%s%s%s.%s.%s", test, many ? "." : "", many ? record->model : "",
                                picture->name, endings[options->format]);
  g_autofree char *path = cli_path_in (options->logs, name);
  g_autoptr (GString) text = g_string_new (NULL);
  format_picture (options, options->format, record, picture, text);
  const char *format = formats[options->format];
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = format ? cli_render (sink->data, text->str, format, &error)
                                    : g_bytes_new (text->str, text->len);
  if (!bytes) {
    fprintf (stderr, "error: cannot write %s: %s\n", path, error->message);
    return FALSE;
  }
  if (options->view)
    g_printerr ("note: picture %s\n", path);
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);
  g_string_truncate (text, 0);
  g_string_append_len (text, data, (gssize) length);
  return cli_write_file (path, text);
}

static gboolean take_pictures (CliSink *sink, const RspRecord *record) {
  const CliOptions *options = sink->options;
  g_autoptr (GArray) pictures = find_pictures (record);
  gboolean to_files = options->logs || options->view, written = TRUE;
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < pictures->len && written; i++)
    if (to_files)
      written = write_picture (sink, record, &g_array_index (pictures, Picture, i));
    else
      format_picture (options, options->format, record, &g_array_index (pictures, Picture, i),
                      text);
  return written && (to_files || cli_write (text));
}

static gboolean begin_pictures (CliSink *sink) {
  sink->data = cli_renderer_new ();
  return TRUE;
}

static void free_renderer (gpointer renderer) { cli_renderer_free (renderer); }

static const CliSink cli_sink_pictures
    = { .begin = begin_pictures, .take = take_pictures, .free_data = free_renderer };

/* ---- Latex ---------------------------------------------------------------------------------- */

/* The document of -latex: tests with their pictures, and the tables at the end. */
typedef struct Document {
  GString *text;
  RspComparison *tables;
} Document;

static gboolean begin_latex (CliSink *sink) {
  Document *document = g_new (Document, 1);
  *document = (Document){ g_string_new (rsp_latex_head),
                          rsp_comparison_new (&(RspTableStyle){ .latex = TRUE }) };
  sink->data = document;
  return cli_can_write_file (sink->options->latex);
}

static void put_latex_row (CliSink *sink, const GPtrArray *records) {
  Document *document = sink->data;
  rsp_comparison_add (document->tables, records);
  rsp_latex_format_test (records, document->text);
  for (guint i = 0; i < records->len; i++) {
    g_autoptr (GArray) pictures = find_pictures (records->pdata[i]);
    for (guint k = 0; k < pictures->len; k++) {
      g_string_append (document->text, "\n\\medskip\\noindent\\fitted{");
      format_picture (sink->options, CLI_FORMAT_TIKZ, records->pdata[i],
                      &g_array_index (pictures, Picture, k), document->text);
      g_string_append (document->text, "}\n");
    }
  }
}

static gboolean end_latex (CliSink *sink, const GPtrArray *records) {
  Document *document = sink->data;
  (void) records;
  g_string_append (document->text, "\n\\section*{Models}\n\\noindent\n");
  rsp_comparison_format (document->tables, document->text);
  g_string_append (document->text, rsp_latex_tail);
  return cli_write_file (sink->options->latex, document->text);
}

static void free_document (gpointer data) {
  Document *document = data;
  g_string_free (document->text, TRUE);
  rsp_comparison_free (document->tables);
  g_free (document);
}

static const CliSink cli_sink_latex = {
  .begin = begin_latex, .take_row = put_latex_row, .end = end_latex, .free_data = free_document
};

/* ---- Report --------------------------------------------------------------------------------- */

struct CliReport {
  const CliOptions *options;
  CliExpectations *expectations;
  GHashTable *titles;
  GArray *sinks;      /* of CliSink */
  GPtrArray *row;     /* of RspRecord: those of the current test */
  GPtrArray *records; /* of RspRecord: all before them, if some sink keeps them */
  gboolean judges;    /* does a method run the tests, whose answers are sound or not? */
  gboolean unsound;   /* has there been a test that a mapping makes unsound? */
};

#define all_sinks(sink, report)                                                                    \
  CliSink *sink = (CliSink *) (report)->sinks->data, *end_ = sink + (report)->sinks->len;          \
  sink < end_;                                                                                     \
  sink++

/* The form on standard output. NULL if more than one is requested. */
static const CliSink *choose_form (const CliOptions *options, const CliCommand *command,
                                   guint n_models, RspDiagnostics *diagnostics) {
  const char *wrong = NULL;
  if (!!options->json + !!options->tsv + !!options->diff + !!options->expect > 1)
    wrong = "`-json`, `-tsv`, `-diff` and `-expect` are forms of one report: give only one of them";
  else if (options->expect && options->check.speedcheck != RSPCHECK_SPEED_EXACT)
    wrong = "`-expect` compares counts of executions, and `-speedcheck` does not count them";
  else if (options->expect && options->check.engine == RSPCHECK_ENGINE_SAT)
    wrong = "`-expect` compares counts of executions, and `-engine sat` does not count them";
  else if (options->expect && options->compared->len)
    wrong = "`-expect` compares with what is expected, and `-compare` with logs: give only one of "
            "them";
  if (wrong) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s", wrong);
    return NULL;
  }
  if (options->expect)
    return &cli_sink_expect;
  if (options->json)
    return &cli_sink_json;
  if (options->tsv)
    return &cli_sink_tsv;
  if (command && command->sink && !options->diff && !options->compared->len)
    return command->sink;
  if (n_models > 1 || options->diff || options->compared->len)
    return &cli_sink_table;
  return options->progress->len > 1 ? &cli_sink_progress : &cli_sink_log;
}

/* Pictures go to files, or as text after the log. */
static gboolean draws (const CliOptions *options) {
  return options->show != 0 || options->view || options->drawn->len
         || options->format != CLI_FORMAT_NOT_GIVEN;
}

gboolean cli_report_needs_executions (const CliOptions *options, guint n_models) {
  gboolean explained = options->explain || options->outcomes->len;
  gboolean other_form = options->json || options->tsv || options->diff || options->expect
                        || n_models > 1 || options->compared->len;
  return options->show
         || (explained && (!other_form || options->logs || options->latex || draws (options)));
}

static void add_sink (CliReport *report, const CliSink *kind) {
  CliSink sink = *kind;
  sink.options = report->options;
  sink.expectations = report->expectations;
  sink.titles = report->titles;
  g_array_append_val (report->sinks, sink);
}

CliReport *cli_report_new (const CliOptions *options, guint n_models, CliExpectations *expectations,
                           const GPtrArray *paths, const GPtrArray *records,
                           RspDiagnostics *diagnostics) {
  const CliCommand *made = records ? cli_command_of (records) : NULL;
  const CliCommand *command = records ? made : cli_requested (options, CLI_COMMAND_CHECKED);
  const CliSink *form = choose_form (options, command, n_models, diagnostics);
  if (!form)
    return NULL;
  gboolean is_text = options->format == CLI_FORMAT_DOT || options->format == CLI_FORMAT_TEXT
                     || options->format == CLI_FORMAT_TIKZ
                     || options->format == CLI_FORMAT_NOT_GIVEN;
  gboolean is_data = options->json || options->tsv; /* for programs */
  if (draws (options) && (!is_text || is_data) && !options->logs && !options->view) {
    rsp_error (diagnostics, RSP_NOWHERE, "-o DIR", "pictures %s go to files, which need a folder",
               is_text ? "beside records" : "in this format");
    return NULL;
  }
  CliReport *report = g_new0 (CliReport, 1);
  report->options = options;
  report->judges = made || cli_requested (options, CLI_COMMAND_RUNS_A_TEST);
  report->expectations = expectations;
  /* Rows and pictures are written before later tests are read. */
  if (options->tsv || draws (options))
    report->titles = records ? rsp_test_titles (records) : cli_share_titles (paths, options);
  report->sinks = g_array_new (FALSE, FALSE, sizeof (CliSink));
  report->row = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_record_free);
  report->records = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_record_free);
  add_sink (report, form);
  if (options->logs)
    add_sink (report, &cli_sink_logs);
  if (draws (options))
    add_sink (report, &cli_sink_pictures);
  if (options->html)
    add_sink (report, &cli_sink_html);
  if (options->latex)
    add_sink (report, &cli_sink_latex);
  return report;
}

void cli_report_free (CliReport *report) {
  if (!report)
    return;
  for (all_sinks (sink, report))
    if (sink->free_data && sink->data)
      sink->free_data (sink->data);
  g_array_unref (report->sinks);
  g_ptr_array_unref (report->row);
  g_ptr_array_unref (report->records);
  g_clear_pointer (&report->titles, g_hash_table_unref);
  g_free (report);
}

gboolean cli_report_begin (CliReport *report) {
  for (all_sinks (sink, report))
    if (sink->begin && !sink->begin (sink))
      return FALSE;
  return TRUE;
}

/* Ends a test, whose last record was taken. */
static void end_row (CliReport *report) {
  gboolean keeps_records = FALSE;
  if (report->row->len == 0)
    return;
  for (all_sinks (sink, report)) {
    keeps_records |= sink->keeps_records;
    if (sink->take_row)
      sink->take_row (sink, report->row);
  }
  if (keeps_records)
    g_ptr_array_extend_and_steal (report->records, g_steal_pointer (&report->row));
  else
    g_ptr_array_unref (report->row);
  report->row = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_record_free);
}

gboolean cli_report_take (CliReport *report, RspRecord *record) {
  const RspMachineReport *machine = &record->machine;
  gboolean written = TRUE;
  if (report->row->len && ((RspRecord *) report->row->pdata[0])->index != record->index)
    end_row (report);
  if (report->titles && !report->row->len) { /* the path of a log's record is the log's */
    g_autofree char *file = cli_file_name (g_strdup (record->test)); /* of pictures */
    rsp_test_titles_add (report->titles, record->test, record->path);
    rsp_test_titles_add (report->titles, file, record->path);
  }
  report->unsound |= report->judges && (machine->verdict == RSP_UNSOUND || machine->violated);
  for (all_sinks (sink, report))
    written = written && (!sink->take || sink->take (sink, record));
  g_ptr_array_add (report->row, record);
  return written;
}

gboolean cli_report_end (CliReport *report) {
  end_row (report);
  for (all_sinks (sink, report))
    if (sink->end && !sink->end (sink, report->records))
      return FALSE;
  return TRUE;
}

gboolean cli_report_differs (const CliReport *report) {
  for (all_sinks (sink, report))
    if (sink->differs)
      return TRUE;
  return FALSE;
}

gboolean cli_report_is_unsound (const CliReport *report) { return report->unsound; }
