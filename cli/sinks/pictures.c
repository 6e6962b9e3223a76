/* Pictures: executions as files of -o, or as text on standard output after the log. */
#include "cli/sinks/report.h"
#include "cli/base/stream.h"
#include "report/explain/columns.h"
#include "report/graph/dot.h"
#include "cli/sinks/render.h"

#include <string.h>

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

static void add_explained (GArray *pictures, const RspExplanations *all) {
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

static GArray *collect (const RspRecord *record) {
  GArray *pictures = g_array_new (FALSE, FALSE, sizeof (Picture));
  g_array_set_clear_func (pictures, clear_picture);
  for (guint i = 0; i < record->shown->len; i++)
    add_picture (pictures, record->shown->pdata[i], g_strdup_printf ("%u", i + 1), NULL, 0);
  if (record->explanations)
    add_explained (pictures, record->explanations);
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

static void format_picture (const CliOptions *options, const RspRecord *record,
                            const Picture *picture, GString *out) {
  g_auto (GStrv) drawn = names_of (options->drawn), hidden = names_of (options->hidden);
  g_autoptr (GPtrArray) attributes = g_ptr_array_new (); /* a copy would own the strings */
  g_ptr_array_extend (attributes, options->edge_attributes, NULL, NULL);
  g_ptr_array_add (attributes, NULL);
  RspGraphOptions graph = { (const char *const *) drawn, (const char *const *) hidden,
                            (const char *const *) attributes->pdata };
  g_autofree char *title
      = g_strdup_printf ("%s under %s: %s", record->test, record->model, picture->name);
  if (options->format == CLI_FORMAT_TEXT)
    g_string_append_printf (out, "%s\n", title);
  if (options->format == CLI_FORMAT_TEXT)
    rsp_view_format (picture->view, out);
  else
    rsp_graph_format (picture->view, title, picture->steps, picture->n_steps, &graph, out);
}

/* ---- Where they go ---- */

static char *file_name (const CliOptions *options, const RspRecord *record,
                        const Picture *picture) {
  static const char *const endings[] = { "dot", "svg", "pdf", "png", "txt", "dot" };
  g_autofree char *model
      = record->columns > 1 ? g_strdup_printf (".%s", record->model) : g_strdup ("");
  char *name = g_strdup_printf ("%s%s.%s.%s", record->test, model, picture->name,
                                endings[options->format]);
  return g_strdelimit (name, "/ ", '_');
}

static gboolean write_bytes (const char *path, GBytes *bytes) {
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);
  g_autoptr (GString) text = g_string_new_len (data, (gssize) length);
  return cli_write_file (path, text);
}

static gboolean write_picture (CliSink *sink, const RspRecord *record, const Picture *picture) {
  const CliOptions *options = sink->options;
  static const char *const formats[] = { NULL, "svg", "pdf", "png", NULL, NULL };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *name = file_name (options, record, picture);
  g_autofree char *path = g_build_filename (options->logs ? options->logs : ".", name, NULL);
  format_picture (options, record, picture, text);
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
  return write_bytes (path, bytes);
}

static gboolean take_pictures (CliSink *sink, const RspRecord *record) {
  const CliOptions *options = sink->options;
  g_autoptr (GArray) pictures = collect (record);
  gboolean to_files = options->logs || options->view, written = TRUE;
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < pictures->len && written; i++)
    if (to_files)
      written = write_picture (sink, record, &g_array_index (pictures, Picture, i));
    else
      format_picture (options, record, &g_array_index (pictures, Picture, i), text);
  return written && (to_files || cli_write (text));
}

static gboolean begin_pictures (CliSink *sink) {
  sink->data = cli_renderer_new ();
  return TRUE;
}

static void clear_pictures (CliSink *sink) { cli_renderer_free (sink->data); }

const CliSink cli_sink_pictures
    = { .begin = begin_pictures, .take = take_pictures, .clear = clear_pictures };
