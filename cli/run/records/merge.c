#include "cli/run/records/merge.h"
#include "cli/run/missing.h"
#include "report/json/json_read.h"

#include <string.h>

/* The record used for a test under a model so far. */
typedef struct Cell {
  RspJsonLine line;
  guint file;
} Cell;

/* A property in which all records of some kind must agree with the first. */
typedef struct Agreed {
  const Cell *first;
  gboolean reported; /* has a disagreement been reported? */
} Agreed;

typedef struct Merge {
  RspDiagnostics *diagnostics;
  GPtrArray *sources; /* of RspSource: the spans' */
  gsize max_input;    /* bytes of a file */
  GHashTable *cells;  /* index and column in one 64-bit number -> Cell */
  GHashTable *agreed; /* "the model M, for tests of DIRECTORY" -> Agreed */
  const Cell *first;
  gboolean is_one_run;
} Merge;

/* ---- Comparing two records of one test and model ---- */

gboolean cli_records_same_check (const RspRecord *a, const RspRecord *b, const char **what) {
  const struct {
    const char *name, *a, *b;
  } texts[] = {
    { "test", a->test, b->test },
    { "path", a->path, b->path },
    { "kind", a->kind, b->kind },
    { "condition", a->condition, b->condition },
    { "text of the test", a->source, b->source },
    { "text of the test", a->hash, b->hash },
    { "scope tree", a->scope_hash, b->scope_hash },
    { "column", a->model, b->model },
    { "model", a->model_digest, b->model_digest },
    { "options", a->options, b->options },
    { "version", a->version, b->version },
    { "log", a->log, b->log },
  };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (g_strcmp0 (texts[i].a, texts[i].b) != 0) {
      *what = texts[i].name;
      return FALSE;
    }
  return TRUE;
}

static char *whole_text (const RspRecord *record) {
  GString *text = g_string_new (NULL);
  rsp_json_format (record, text);
  return g_string_free (text, FALSE);
}

/* The line of a record without parts that differ between runs and machines. */
static char *lasting_text (const RspRecord *record) {
  RspRecord lasting = *record;
  lasting.seconds = 0;
  lasting.shard = NULL;
  lasting.statistics = (RspStatistics){ 0 };
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (RspPruning));
  lasting.prunings = none;
  return whole_text (&lasting);
}

static int compare_texts (const RspRecord *a, const RspRecord *b,
                          char *format (const RspRecord *)) {
  g_autofree char *text_a = format (a);
  g_autofree char *text_b = format (b);
  return strcmp (text_a, text_b);
}

/* Chooses between two records of one check: an answer rather than none, then the quicker one. */
static gboolean is_better (const RspRecord *a, const RspRecord *b) {
  if (a->status != b->status)
    return a->status < b->status;
  if (a->seconds != b->seconds)
    return a->seconds < b->seconds;
  return compare_texts (a, b, whole_text) < 0;
}

/* ---- Adding ---- */

static char *place (RspSpan span) {
  return g_strdup_printf ("%s:%u", span.source->name, rsp_span_line (span));
}

/* Reports two lines that cannot be from one run. */
static void contradict (Merge *merge, RspSpan at, const Cell *other, const char *what) {
  g_autofree char *where = place (other->line.span);
  rsp_error (merge->diagnostics, at, NULL, "%s than at %s: these are not records of one run", what,
             where);
  merge->is_one_run = FALSE;
}

/* Of two records of the same test and model, the preferred one stays in the cell, and the other is
 * dropped. In one file, a later record comes from a continued run (-resume) in which the test or
 * the model had changed. */
static void settle (Merge *merge, Cell *cell, RspJsonLine line, guint file) {
  const RspRecord *old = cell->line.record, *new = line.record;
  const char *what;
  gboolean take = FALSE;
  if (!cli_records_same_check (old, new, &what)) {
    gboolean resumed = cell->file == file;
    /* A record of an unreadable test or model contradicts nothing. */
    gboolean unread = !old->kind != !new->kind;
    take = resumed || (unread && new->kind);
    if (!resumed && !unread) {
      g_autofree char *text
          = g_strdup_printf ("`%s` under `%s`: a different %s", new->test, new->model, what);
      contradict (merge, line.span, cell, text);
    }
  } else if (rsp_record_is_ok (old) && rsp_record_is_ok (new)
             && compare_texts (old, new, lasting_text) != 0) {
    g_autofree char *text
        = g_strdup_printf ("`%s` under `%s`: a different result", new->test, new->model);
    contradict (merge, line.span, cell, text);
  } else
    take = is_better (new, old);
  RspRecord *drop = take ? cell->line.record : line.record;
  if (take)
    *cell = (Cell){ line, file };
  rsp_record_free (drop);
}

/* Takes the line. */
static void add_line (Merge *merge, RspJsonLine line, guint file) {
  const RspRecord *record = line.record;
  if (merge->first && merge->first->line.record->total != record->total) {
    g_autofree char *text
        = g_strdup_printf ("a run of %u tests, a different number", record->total);
    contradict (merge, line.span, merge->first, text);
    rsp_record_free (line.record);
    return;
  }
  gint64 key = (gint64) (((guint64) record->index << 32) | record->column);
  Cell *cell = g_hash_table_lookup (merge->cells, &key);
  if (cell) {
    settle (merge, cell, line, file);
    return;
  }
  cell = g_new (Cell, 1);
  *cell = (Cell){ line, file };
  g_hash_table_insert (merge->cells, g_memdup2 (&key, sizeof key), cell);
  if (!merge->first)
    merge->first = cell;
}

/* If a file's last record gives another number of tests than earlier ones, -resume continued with
 * other tests, and wrote the records that it kept once more. After a contradiction nothing is
 * added. */
static void add_lines (Merge *merge, const GArray *lines, guint file) {
  const RspRecord *last
      = lines->len ? g_array_index (lines, RspJsonLine, lines->len - 1).record : NULL;
  guint total = last ? last->total : 0;
  for (guint i = 0; i < lines->len; i++) {
    RspJsonLine line = g_array_index (lines, RspJsonLine, i);
    if (merge->is_one_run && line.record->total == total)
      add_line (merge, line, file);
    else
      rsp_record_free (line.record);
  }
}

static void add_file (Merge *merge, const char *path, guint file) {
  g_autoptr (GError) error = NULL;
  RspSource *source = rsp_source_read_within (path, merge->max_input, &error);
  if (!source) {
    rsp_error (merge->diagnostics, RSP_NOWHERE, NULL, "%s", error->message);
    return;
  }
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (RspJsonLine));
  g_ptr_array_add (merge->sources, source);
  rsp_json_read (source, lines, NULL, merge->diagnostics);
  add_lines (merge, lines, file);
}

/* ---- The whole ---- */

static int compare_cells (gconstpointer a, gconstpointer b) {
  const RspRecord *r = (*(const Cell *const *) a)->line.record;
  const RspRecord *s = (*(const Cell *const *) b)->line.record;
  if (r->index != s->index)
    return r->index < s->index ? -1 : 1;
  return r->column < s->column ? -1 : r->column > s->column;
}

/* The cells, in order; the table owns them. */
static GPtrArray *sorted_cells (const Merge *merge) {
  GPtrArray *cells = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer cell;
  g_hash_table_iter_init (&iter, merge->cells);
  while (g_hash_table_iter_next (&iter, NULL, &cell))
    g_ptr_array_add (cells, cell);
  g_ptr_array_sort (cells, compare_cells);
  return cells;
}

/* Takes key. Reports, once per key, that the record's text in the field at offset differs from that
 * of the first record with the same key. */
static void agree (Merge *merge, RspSeverity severity, char *key, gsize offset, const Cell *cell) {
  const char *value = G_STRUCT_MEMBER (char *, cell->line.record, offset);
  Agreed *agreed = g_hash_table_lookup (merge->agreed, key);
  if (!value || !agreed) {
    Agreed first = { cell, FALSE };
    if (value)
      g_hash_table_insert (merge->agreed, key, g_memdup2 (&first, sizeof first));
    else
      g_free (key);
    return;
  }
  if (!agreed->reported
      && !g_str_equal (value, G_STRUCT_MEMBER (char *, agreed->first->line.record, offset))) {
    g_autofree char *where = place (agreed->first->line.span);
    rsp_report (merge->diagnostics, severity, cell->line.span, NULL, "%s: not the same as at %s",
                key, where);
    agreed->reported = TRUE;
  }
  g_free (key);
}

/* One model file is found for all tests of a directory: see cli_models_get. In another directory
 * there may be another. */
static void check_agreement (Merge *merge, const Cell *cell) {
  const RspRecord *record = cell->line.record;
  g_autofree char *directory = g_path_get_dirname (record->path);
  if (record->log)
    return;
  agree (merge, RSP_ERROR,
         g_strdup_printf ("the model `%s`, for tests of `%s`", record->model, directory),
         G_STRUCT_OFFSET (RspRecord, model_digest), cell);
  agree (merge, RSP_WARNING, g_strdup_printf ("the model `%s`", record->model),
         G_STRUCT_OFFSET (RspRecord, model_digest), cell);
  agree (merge, RSP_ERROR,
         g_strdup_printf ("the options of `%s`, for tests of `%s`", record->model, directory),
         G_STRUCT_OFFSET (RspRecord, options), cell);
  agree (merge, RSP_ERROR, g_strdup ("the version of rspcheck"),
         G_STRUCT_OFFSET (RspRecord, version), cell);
}

/* The records of a test have one text and path. */
static void check_test (Merge *merge, const Cell *cell, const Cell *before) {
  const RspRecord *a = before->line.record, *b = cell->line.record;
  if (a->index != b->index || a->log || b->log)
    return;
  gboolean same = g_str_equal (a->path, b->path)
                  && (!a->source || !b->source || g_str_equal (a->source, b->source));
  if (!same && merge->is_one_run) {
    g_autofree char *text = g_strdup_printf ("test number %u is a different one", b->index + 1);
    contradict (merge, cell->line.span, before, text);
  }
}

/* ---- All ---- */

static void free_cell (gpointer data) {
  Cell *cell = data;
  rsp_record_free (cell->line.record);
  g_free (cell);
}

static GPtrArray *take_records (Merge *merge) {
  g_autoptr (GPtrArray) cells = sorted_cells (merge);
  for (guint i = 0; i < cells->len; i++) {
    check_agreement (merge, cells->pdata[i]);
    if (i)
      check_test (merge, cells->pdata[i], cells->pdata[i - 1]);
  }
  if (!merge->is_one_run)
    return NULL;
  if (!cells->len && !rsp_diagnostics_count_errors (merge->diagnostics))
    rsp_warning (merge->diagnostics, RSP_NOWHERE, NULL, "nothing to merge: these files are empty");
  GPtrArray *records = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_record_free);
  for (guint i = 0; i < cells->len; i++)
    g_ptr_array_add (records, g_steal_pointer (&((Cell *) cells->pdata[i])->line.record));
  if (!cli_missing_report (records, merge->diagnostics))
    for (guint i = 0; i < records->len; i++)
      rsp_record_set_shard (records->pdata[i], 0, 0);
  return records;
}

guint cli_merge_count_models (const GPtrArray *records) {
  guint n = 0;
  for (guint i = 0; i < records->len; i++)
    n = MAX (n, ((const RspRecord *) records->pdata[i])->columns);
  return n;
}

GPtrArray *cli_merge_read (const CliOptions *options, RspDiagnostics *diagnostics) {
  const GPtrArray *files = options->inputs;
  Merge merge = { .diagnostics = diagnostics, .is_one_run = TRUE, .max_input = options->max_input };
  merge.sources = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_source_unref);
  merge.cells = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, free_cell);
  merge.agreed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; i < files->len; i++)
    add_file (&merge, files->pdata[i], i);
  GPtrArray *records = take_records (&merge);
  g_hash_table_unref (merge.agreed);
  g_hash_table_unref (merge.cells);
  g_ptr_array_unref (merge.sources);
  return records;
}
