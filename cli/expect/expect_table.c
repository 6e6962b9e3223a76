#include "cli/expect/expect_table.h"
#include "base/suggest.h"
#include "base/names.h"

#include <string.h>

enum { MODEL, TEST, OBSERVATION, POSITIVE, NEGATIVE, STATES, FLAGS };

typedef struct Reader {
  CliTable *table;
  const CliOptions *options;
  RspDiagnostics *diagnostics;
  gboolean header; /* it was seen */
} Reader;

static void free_row (gpointer data) {
  CliRow *row = data;
  rsp_source_unref (row->span.source);
  cli_column_free (row->column);
  g_strfreev (row->cells);
  g_free (row);
}

/* ---- Lines ---- */

/* The span of cell number k of the line at span, without its tabs. */
static RspSpan cell_span (RspSpan line, guint k) {
  RspSpan span = line;
  const char *text = line.source->text;
  for (; k; k--)
    span.begin += (guint) strcspn (text + span.begin, "\t") + 1;
  span.end = MIN (line.end, span.begin + (guint) strcspn (text + span.begin, "\t\r\n"));
  return span;
}

static gboolean is_header (char *const *cells) {
  return g_strv_equal ((const char *const *) cells, rsp_tsv_columns);
}

static gboolean check_number (const Reader *reader, const CliRow *row, guint k) {
  const char *cell = row->cells[k];
  if (*cell && (g_str_equal (cell, "-") || strspn (cell, "0123456789") == strlen (cell)))
    return TRUE;
  rsp_error (reader->diagnostics, cell_span (row->span, k), NULL,
             "expected the number of %s%s, or `-` for any, found `%s`", rsp_tsv_columns[k],
             k == STATES ? "" : " executions", cell);
  return FALSE;
}

static gboolean check_observation (const Reader *reader, const CliRow *row) {
  static const char *const words[] = { "Never", "Sometimes", "Always", "-", NULL };
  const char *cell = row->cells[OBSERVATION];
  if (g_strv_contains (words, cell))
    return TRUE;
  g_autofree char *hint = rsp_did_you_mean (cell, words);
  rsp_error (reader->diagnostics, cell_span (row->span, OBSERVATION), hint,
             "expected Never, Sometimes, Always, or `-` for any, found `%s`", cell);
  return FALSE;
}

static gboolean check_cells (const Reader *reader, const CliRow *row) {
  static const guint never_empty[] = { MODEL, TEST, FLAGS };
  guint n = g_strv_length (row->cells);
  if (n != RSP_TSV_COLUMNS) {
    rsp_error (reader->diagnostics, row->span, NULL,
               "expected %d cells separated by tabs, found %u", RSP_TSV_COLUMNS, n);
    return FALSE;
  }
  for (guint i = 0; i < G_N_ELEMENTS (never_empty); i++)
    if (!*row->cells[never_empty[i]]) {
      rsp_error (reader->diagnostics, cell_span (row->span, never_empty[i]),
                 never_empty[i] == FLAGS ? "`-` means no flag" : NULL,
                 "the cell of column %s is empty", rsp_tsv_columns[never_empty[i]]);
      return FALSE;
    }
  return check_observation (reader, row) && check_number (reader, row, POSITIVE)
         && check_number (reader, row, NEGATIVE) && check_number (reader, row, STATES);
}

/* Adds a valid row; FALSE if it exists already. */
static gboolean add_row (Reader *reader, CliRow *row) {
  CliTable *table = reader->table;
  const char *test = row->cells[TEST];
  const CliRow *other = cli_table_find (table, test, row->column->label);
  if (other) {
    rsp_error (reader->diagnostics, row->span, NULL,
               "test `%s` under model `%s` is on line %u already", test, row->column->label,
               rsp_span_line (other->span));
    return FALSE;
  }
  GPtrArray *rows = g_hash_table_lookup (table->by_test, test);
  if (!rows) {
    rows = g_ptr_array_new ();
    g_hash_table_insert (table->by_test, (gpointer) test, rows);
  }
  g_ptr_array_add (rows, row);
  g_ptr_array_add (table->rows, row);
  return TRUE;
}

static void read_row (Reader *reader, RspSpan span, char **cells) {
  CliRow *row = g_new0 (CliRow, 1);
  row->span = span;
  rsp_source_ref (span.source);
  row->cells = cells;
  if (check_cells (reader, row))
    row->column = cli_column_new (reader->options, row->cells[MODEL], cell_span (span, MODEL),
                                  reader->diagnostics);
  if (!row->column || !add_row (reader, row)) {
    reader->table->sound = FALSE;
    free_row (row);
  }
}

/* Takes the cells. FALSE if the rest of the table cannot be understood. */
static gboolean read_line (Reader *reader, RspSpan span, char **cells) {
  if (reader->header) {
    read_row (reader, span, cells);
    return TRUE;
  }
  reader->header = is_header (cells);
  if (!reader->header) {
    g_autofree char *names = g_strjoinv (" ", (char **) rsp_tsv_columns);
    rsp_error (reader->diagnostics, span, NULL,
               "expected the names of the columns, separated by tabs: %s", names);
    reader->table->sound = FALSE;
  }
  g_strfreev (cells);
  return reader->header;
}

static void read_lines (Reader *reader) {
  RspSource *source = reader->table->source;
  for (guint i = 0; i < source->n_lines; i++) {
    guint begin = source->lines[i];
    RspSpan span = { source, begin, begin + (guint) strcspn (source->text + begin, "\r\n") };
    g_autofree char *text = g_strndup (source->text + begin, span.end - begin);
    if (*text == '#' || text[strspn (text, " \t")] == '\0')
      continue;
    char **cells = g_strsplit (text, "\t", -1);
    for (guint k = 0; cells[k]; k++)
      g_strstrip (cells[k]);
    if (!read_line (reader, span, cells))
      return;
  }
}

/* ---- Tables ---- */

static gboolean every_test_has (const CliTable *table, const char *label) {
  GHashTableIter iter;
  gpointer test;
  g_hash_table_iter_init (&iter, table->by_test);
  while (g_hash_table_iter_next (&iter, &test, NULL))
    if (!cli_table_find (table, test, label))
      return FALSE;
  return TRUE;
}

/* A column that every test has is one of the first test's. */
static void find_usual (CliTable *table) {
  if (!table->rows->len)
    return;
  const CliRow *first = table->rows->pdata[0];
  const GPtrArray *rows = g_hash_table_lookup (table->by_test, first->cells[TEST]);
  for (guint i = 0; i < rows->len; i++) {
    const CliRow *row = rows->pdata[i];
    if (every_test_has (table, row->column->label))
      g_ptr_array_add (table->usual, row->column);
  }
}

CliTable *cli_table_read (const char *path, const CliOptions *options,
                          RspDiagnostics *diagnostics) {
  CliTable *table = g_new0 (CliTable, 1);
  table->path = g_strdup (path);
  table->rows = g_ptr_array_new_with_free_func (free_row);
  table->by_test
      = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_ptr_array_unref);
  table->usual = g_ptr_array_new ();
  table->sound = TRUE;
  g_autoptr (GError) error = NULL;
  table->source = rsp_source_read (path, &error);
  if (!table->source && !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT)) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s", error->message);
    table->sound = FALSE;
  }
  if (!table->source)
    return table;
  Reader reader = { table, options, diagnostics, FALSE };
  read_lines (&reader);
  find_usual (table);
  return table;
}

void cli_table_free (CliTable *table) {
  if (!table)
    return;
  g_ptr_array_unref (table->usual);
  g_hash_table_unref (table->by_test);
  g_ptr_array_unref (table->rows);
  if (table->source)
    rsp_source_unref (table->source);
  g_free (table->path);
  g_free (table);
}

const CliRow *cli_table_find (const CliTable *table, const char *test, const char *label) {
  const GPtrArray *rows = g_hash_table_lookup (table->by_test, test);
  for (guint i = 0; rows && i < rows->len; i++) {
    const CliRow *row = rows->pdata[i];
    if (g_str_equal (row->column->label, label))
      return row;
  }
  return NULL;
}

/* ---- Rows ---- */

/* The flags of a cell in alphabetical order, like those of results. */
static char *sort_flags (const char *cell) {
  g_auto (GStrv) names = g_strsplit (cell, ",", -1);
  for (guint i = 0; names[i]; i++)
    g_strstrip (names[i]);
  qsort (names, g_strv_length (names), sizeof *names, rsp_compare_names);
  return g_strjoinv (",", names);
}

static gboolean cell_agrees (const CliRow *row, guint k, const char *found) {
  const char *cell = row->cells[k];
  if (k != FLAGS)
    return g_str_equal (cell, "-") || g_str_equal (cell, found);
  g_autofree char *flags = sort_flags (cell);
  return g_str_equal (flags, found);
}

gboolean cli_row_agrees (const CliRow *row, char *const *found) {
  for (guint k = OBSERVATION; k < RSP_TSV_COLUMNS; k++)
    if (!cell_agrees (row, k, found[k]))
      return FALSE;
  return TRUE;
}

char *cli_row_promoted (const CliRow *row, char *const *found) {
  char *cells[RSP_TSV_COLUMNS + 1] = { NULL };
  for (guint k = 0; k < RSP_TSV_COLUMNS; k++)
    cells[k] = k < OBSERVATION || cell_agrees (row, k, found[k]) ? row->cells[k] : found[k];
  return g_strjoinv ("\t", cells);
}
