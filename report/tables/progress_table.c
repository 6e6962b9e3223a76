#include "report/tables/progress_table.h"
#include "report/grid.h"

#include <string.h>

typedef struct Table {
  const RspProgress *models;
  guint n;
  GPtrArray *words; /* the models', owned */
  GArray *rows;     /* of Row */
  guint *hanging;   /* per model: tests that hang */
} Table;

/* A test, and the words of its line. */
typedef struct Row {
  const char *test;
  const char *const *cells;
} Row;

static const char hangs[] = "hangs", ends[] = "ends", ends_bounded[] = "ends?",
                  unknown[] = "unknown";

/* ---- Rows ---- */

/* The record has one line per model (report/progress.c). */
static const char *cell_of (const char *line) {
  if (g_str_has_prefix (line, "Hangs "))
    return hangs;
  if (!g_str_has_prefix (line, "Ends "))
    return unknown;
  return g_str_has_suffix (line, ")") ? ends_bounded : ends;
}

static void add_row (Table *table, const RspRecord *record) {
  g_auto (GStrv) lines = g_strsplit (record->progress ? record->progress : "", "\n", -1);
  if (g_strv_length (lines) != table->n + 1)
    return;
  const char **cells = g_new (const char *, table->n);
  for (guint i = 0; i < table->n; i++) {
    cells[i] = cell_of (lines[i]);
    table->hanging[i] += cells[i] == hangs;
  }
  Row row = { record->test, cells };
  g_array_append_val (table->rows, row);
}

static const Row *get_row (const Table *table, guint i) {
  return &g_array_index (table->rows, Row, i);
}

static gboolean is_end (const char *cell) { return cell == ends || cell == ends_bounded; }

/* The models under which it ends, but under no weaker one: "obe, hsa". */
static char *format_weakest (const Table *table, const Row *row) {
  g_autoptr (GPtrArray) weakest = g_ptr_array_new ();
  for (guint i = 0; i < table->n; i++) {
    gboolean least = is_end (row->cells[i]);
    for (guint k = 0; k < table->n; k++)
      least = least
              && !(is_end (row->cells[k])
                   && rsp_progress_is_stronger (&table->models[i], &table->models[k]));
    if (least)
      g_ptr_array_add (weakest, table->words->pdata[i]);
  }
  g_ptr_array_add (weakest, NULL);
  return weakest->len > 1 ? g_strjoinv (", ", (char **) weakest->pdata) : g_strdup ("none");
}

static void format_rows (const Table *table, GString *out) {
  RspGrid grid = grid_new (table->n + 2);
  g_autofree const char **cells = g_new (const char *, table->n + 1);
  memcpy (cells, table->words->pdata, sizeof *cells * table->n);
  cells[table->n] = "enough";
  grid_add_words (&grid, g_strdup ("Progress"), cells, table->n + 1);
  for (guint r = 0; r < table->rows->len; r++) {
    const Row *row = get_row (table, r);
    g_autofree char *weakest = format_weakest (table, row);
    memcpy (cells, row->cells, sizeof *cells * table->n);
    cells[table->n] = weakest;
    grid_add_words (&grid, g_strdup (row->test), cells, table->n + 1);
  }
  g_autoptr (GPtrArray) totals = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < table->n; i++)
    g_ptr_array_add (totals, g_strdup_printf ("%u", table->hanging[i]));
  memcpy (cells, totals->pdata, sizeof *cells * table->n);
  cells[table->n] = "";
  grid_add_words (&grid, g_strdup_printf ("of %u hang", table->rows->len), cells, table->n + 1);
  grid_format (&grid, out);
  grid_clear (&grid);
}

/* ---- The lattice ---- */

static gboolean is_next_weaker (const Table *table, guint strong, guint weak) {
  const RspProgress *m = table->models;
  if (!rsp_progress_is_stronger (&m[strong], &m[weak]))
    return FALSE;
  for (guint i = 0; i < table->n; i++)
    if (rsp_progress_is_stronger (&m[strong], &m[i]) && rsp_progress_is_stronger (&m[i], &m[weak]))
      return FALSE;
  return TRUE;
}

/* "3, such as MP" */
static char *format_separating (const Table *table, guint strong, guint weak) {
  const char *first = NULL;
  guint n = 0;
  for (guint r = 0; r < table->rows->len; r++) {
    const Row *row = get_row (table, r);
    if (!is_end (row->cells[strong]) || row->cells[weak] != hangs)
      continue;
    first = first ? first : row->test;
    n++;
  }
  return n ? g_strdup_printf ("%u, such as %s", n, first) : g_strdup ("0");
}

static void format_lattice (const Table *table, GString *out) {
  RspGrid grid = grid_new (2);
  const char *heading = "tests that end under the first, and hang under the second";
  grid_add_words (&grid, g_strdup ("Promises"), &heading, 1);
  for (guint a = 0; a < table->n; a++)
    for (guint b = 0; b < table->n; b++)
      if (is_next_weaker (table, a, b)) {
        g_autofree char *separating = format_separating (table, a, b);
        const char *cell = separating;
        grid_add_words (&grid,
                        g_strdup_printf ("%s > %s", (char *) table->words->pdata[a],
                                         (char *) table->words->pdata[b]),
                        &cell, 1);
      }
  if (grid.lines->len > 1)
    grid_format (&grid, out);
  grid_clear (&grid);
}

/* ---- The whole ---- */

static void clear_row (gpointer data) { g_free ((gpointer) ((Row *) data)->cells); }

void rsp_progress_table_format (const GPtrArray *records, const RspProgress *models, guint n,
                                GString *out) {
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (Row));
  g_autofree guint *hanging = g_new0 (guint, n + 1);
  Table table = { models, n, words, rows, hanging };
  g_array_set_clear_func (rows, clear_row);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (words, rsp_progress_format (&models[i]));
  for (guint i = 0; i < records->len; i++)
    add_row (&table, records->pdata[i]);
  if (!rows->len)
    return;
  format_rows (&table, out);
  format_lattice (&table, out);
  g_string_erase (out, 0, 1); /* the line before the first table */
}
