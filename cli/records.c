/* -merge and -resume: the records of earlier runs. */
#include "cli/internal.h"
#include "report/report.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* ---- Merge ---------------------------------------------------------------------------------- */

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
/* Are two records of the same check: test, condition, model, options and version? If not, sets
 * *what to what differs ("model"). */
static gboolean are_of_same_check (const RspRecord *a, const RspRecord *b, const char **what) {
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

/* ---- Adding ---- */
/* "FILE:LINE" */
static char *format_place (RspSpan span) {
  return g_strdup_printf ("%s:%u", span.source->name, rsp_span_line (span));
}

/* Reports two lines that cannot be from one run. */
static void contradict (Merge *merge, RspSpan at, const Cell *other, const char *what) {
  g_autofree char *where = format_place (other->line.span);
  rsp_error (merge->diagnostics, at, NULL, "%s than at %s: these are not records of one run", what,
             where);
  merge->is_one_run = FALSE;
}

/* Takes the line. Of two records of the same test and model, the cell keeps the preferred one. In
 * one file, a later record comes from a continued run (-resume) in which the test or the model had
 * changed. */
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
    const RspRecord *old = cell->line.record, *new = line.record;
    const char *what;
    gboolean take = FALSE;
    if (!are_of_same_check (old, new, &what)) {
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
    } else /* prefer an answer to none, then the quicker one */
      take = new->status != old->status     ? new->status < old->status
             : new->seconds != old->seconds ? new->seconds < old->seconds
                                            : compare_texts (new, old, whole_text) < 0;
    RspRecord *drop = take ? cell->line.record : line.record;
    if (take)
      *cell = (Cell){ line, file };
    rsp_record_free (drop);
    return;
  }
  cell = g_new (Cell, 1);
  *cell = (Cell){ line, file };
  g_hash_table_insert (merge->cells, g_memdup2 (&key, sizeof key), cell);
  if (!merge->first)
    merge->first = cell;
}

/* ---- The whole ---- */
static int compare_cells (gconstpointer a, gconstpointer b) {
  const RspRecord *r = (*(const Cell *const *) a)->line.record;
  const RspRecord *s = (*(const Cell *const *) b)->line.record;
  if (r->index != s->index)
    return r->index < s->index ? -1 : 1;
  return r->column < s->column ? -1 : r->column > s->column;
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
    g_autofree char *where = format_place (agreed->first->line.span);
    rsp_report (merge->diagnostics, severity, cell->line.span, NULL, "%s: not the same as at %s",
                key, where);
    agreed->reported = TRUE;
  }
  g_free (key);
}

/* ---- All ---- */
static void free_cell (gpointer data) {
  Cell *cell = data;
  rsp_record_free (cell->line.record);
  g_free (cell);
}

/* The records, in the order of tests and models; NULL if they are not of one run. */
static GPtrArray *take_records (Merge *merge) {
  g_autoptr (GPtrArray) cells = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, merge->cells);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    g_ptr_array_add (cells, value);
  g_ptr_array_sort (cells, compare_cells);
  for (guint i = 0; i < cells->len; i++) {
    const Cell *cell = cells->pdata[i], *before = cells->pdata[i ? i - 1 : 0];
    const RspRecord *a = before->line.record, *b = cell->line.record;
    /* One model file is found for all tests of a directory: see cli_models_get. In another
     * directory there may be another. */
    const RspRecord *record = cell->line.record;
    g_autofree char *directory = g_path_get_dirname (record->path);
    if (!record->log) {
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
    if (a->index != b->index || a->log || b->log || !merge->is_one_run)
      continue;
    if (!g_str_equal (a->path, b->path)
        || (a->source && b->source && !g_str_equal (a->source, b->source))) {
      g_autofree char *text = g_strdup_printf ("test number %u is a different one", b->index + 1);
      contradict (merge, cell->line.span, before, text);
    }
  }
  if (!merge->is_one_run)
    return NULL;
  if (!cells->len && !rsp_diagnostics_count_errors (merge->diagnostics))
    rsp_error (merge->diagnostics, RSP_NOWHERE, NULL, "nothing to merge: these files are empty");
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
  for (guint i = 0; i < files->len; i++) {
    g_autoptr (GError) error = NULL;
    RspSource *source = rsp_source_read_within (files->pdata[i], merge.max_input, &error);
    if (!source) {
      g_autofree char *hint = rsp_near_path_hint (files->pdata[i]);
      rsp_error (diagnostics, RSP_NOWHERE, hint, "%s", error->message);
      continue;
    }
    g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (RspJsonLine));
    g_ptr_array_add (merge.sources, source);
    rsp_json_read (source, lines, NULL, diagnostics);
    /* If a file's last record gives another number of tests than earlier ones, -resume continued
     * with other tests, and wrote the records that it kept once more. */
    const RspRecord *last
        = lines->len ? g_array_index (lines, RspJsonLine, lines->len - 1).record : NULL;
    guint total = last ? last->total : 0;
    for (guint k = 0; k < lines->len; k++) {
      RspJsonLine line = g_array_index (lines, RspJsonLine, k);
      if (merge.is_one_run && line.record->total == total)
        add_line (&merge, line, i);
      else
        rsp_record_free (line.record);
    }
  }
  GPtrArray *records = take_records (&merge);
  g_hash_table_unref (merge.agreed);
  g_hash_table_unref (merge.cells);
  g_ptr_array_unref (merge.sources);
  return records;
}

/* ---- Resume --------------------------------------------------------------------------------- */

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

/* Reads the file, if it exists; *whole is where to continue writing. */
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
  for (guint i = 0; i < lines->len; i++) {
    const RspJsonLine *line = &g_array_index (lines, RspJsonLine, i);
    g_autofree char *key = key_of (line->record);
    GPtrArray *found = g_hash_table_lookup (resume->found, key);
    if (!found) {
      found = g_ptr_array_new_with_free_func (free_line);
      g_hash_table_insert (resume->found, g_steal_pointer (&key), found);
    }
    g_ptr_array_add (found, g_memdup2 (line, sizeof *line));
  }
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
  resume->file = open (resume->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (resume->file < 0)
    resume->failure = errno;
  else if (resume->source && whole < resume->source->length
           && ftruncate (resume->file, (off_t) whole) != 0)
    resume->failure = errno;
  else if (whole && resume->source->text[whole - 1] != '\n')
    write_text (resume, "\n", 1);
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

/* Every run looks again for errors, and for what it leaves out. */
static gboolean is_found_again (const RspRecord *record) {
  return record->status == RSP_STATUS_ERROR || rsp_record_is_left_out (record);
}

void cli_resume_add (CliResume *resume, const RspRecord *record) {
  g_autofree char *key = key_of (record);
  const GPtrArray *lines = g_hash_table_lookup (resume->found, key);
  const RspRecord *last
      = lines ? ((const RspJsonLine *) lines->pdata[lines->len - 1])->record : NULL;
  const char *what;
  if (last && last->status == record->status && are_of_same_check (last, record, &what)
      && !has_other_numbers (last, record))
    return; /* the file need not repeat it */
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
/* A copy with the numbers of this run. If earlier runs with this file had other tests, its line is
 * written once more, so that the file describes a whole run. */
static RspRecord *copy_for_run (CliResume *resume, const RspRecord *old, const RspRecord *current) {
  /* written and read again as a line, so that no member is forgotten */
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (RspJsonLine));
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  rsp_json_format (old, text);
  gsize length = text->len;
  g_autoptr (RspSource) source
      = rsp_source_new ("", g_string_free (g_steal_pointer (&text), FALSE), length);
  rsp_json_read (source, lines, NULL, unheard);
  g_assert (lines->len == 1);
  RspRecord *record = g_array_index (lines, RspJsonLine, 0).record;
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
    if (is_found_again (line->record))
      continue;
    if (are_of_same_check (line->record, current, &what)) {
      *stale = (CliStale){ 0 }; /* for example, a later run had different options */
      return copy_for_run (resume, line->record, current);
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
