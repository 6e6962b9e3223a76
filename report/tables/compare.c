#include "report/tables/compare.h"
#include "report/tables/diff.h"
#include "report/grid.h"
#include "report/suite.h"
#include "report/tables/tsv.h"

#include <string.h>

/* A model, and how it relates to every other one in the rows so far. */
typedef struct Column {
  char *label;
  gboolean is_device;
  gsize width; /* of its cells and its heading */
  guint totals[RSP_N_TOTALS];
  GArray
      *relations; /* of Relations, one per column; may be missing for columns that share no row */
  GArray *judgements; /* of Judgements, likewise: the other model's judgement of this device */
} Column;

typedef struct Relations {
  guint found[RSP_N_RELATIONS];
} Relations;

typedef struct Judgements {
  guint found[RSP_N_JUDGED];
} Judgements;

/* A test's line. */
typedef struct Line {
  const char *cells; /* consecutive texts: the name, and the cells of the first n_columns columns;
                      * the first byte of each tells whether it is LOUD */
  const char *diff;  /* the text that follows the line, or NULL */
  guint n_columns;
} Line;

enum { LOUD = '*', CALM = ' ' };

struct RspComparison {
  RspTableStyle style;
  GPtrArray *columns; /* of Column, in order of appearance */
  guint n_rows, n_differing;
  gsize width;         /* of the names of tests */
  GArray *lines;       /* of Line: the rows that are shown */
  GStringChunk *texts; /* theirs */
};

static const char heading[] = "  Test";

/* ---- Columns ---- */

static void free_column (gpointer data) {
  Column *column = data;
  g_free (column->label);
  g_array_unref (column->relations);
  g_array_unref (column->judgements);
  g_free (column);
}

static Column *get_column (const RspComparison *comparison, guint k) {
  return comparison->columns->pdata[k];
}

static guint add_column (RspComparison *comparison, const RspRecord *record) {
  Column *column = g_new0 (Column, 1);
  column->label = g_strdup (record->model);
  column->is_device = record->is_device;
  column->width = (gsize) g_utf8_strlen (record->model, -1);
  column->relations = g_array_new (FALSE, TRUE, sizeof (Relations));
  column->judgements = g_array_new (FALSE, TRUE, sizeof (Judgements));
  g_ptr_array_add (comparison->columns, column);
  return comparison->columns->len - 1;
}

/* The column of a record's model, which is added if it is missing. */
static guint find_column (RspComparison *comparison, const RspRecord *record) {
  for (guint k = 0; k < comparison->columns->len; k++)
    if (g_str_equal (get_column (comparison, k)->label, record->model))
      return k;
  return add_column (comparison, record);
}

/* ---- Cells ---- */

/* "Sometimes 1/15 data_race", "Loop Never 0/3", "Timeout"; "-" without a record. */
static void append_text (const RspSuite *row, const RspRecord *record, GString *cells) {
  gboolean finished = record && rsp_record_is_ok (record);
  g_string_append (cells, finished && record->loop ? "Loop " : "");
  g_string_append (cells, record ? rsp_tsv_verdict_word (record) : "-");
  if (!finished)
    return;
  if (!(record->unknown & RSP_UNKNOWN_COUNTS)) {
    g_string_append_c (cells, ' ');
    rsp_count_format (record->positive, cells);
    g_string_append_c (cells, '/');
    rsp_count_format (record->negative, cells);
  }
  if (rsp_record_is_flagged (record)) {
    g_autofree char *flags = rsp_tsv_flags (record);
    g_string_append_c (cells, ' ');
    g_string_append (cells, flags);
  }
  if (record->is_device) {
    g_autofree char *judgements = suite_judgements (row, suite_row (row, 0), record);
    g_string_append (cells, *judgements ? " " : "");
    g_string_append (cells, judgements);
  }
}

/* The cells' last text is one, which begins there. */
static void end_cell (GString *cells, gsize begin, gsize *width) {
  *width = MAX (*width, (gsize) g_utf8_strlen (cells->str + begin, -1));
  g_string_append_c (cells, '\0');
}

static void append_name (RspComparison *comparison, const char *name, gboolean differs,
                         GString *cells) {
  g_string_append_c (cells, CALM);
  gsize begin = cells->len;
  g_string_append (cells, differs ? "* " : "  ");
  g_string_append (cells, name);
  end_cell (cells, begin, &comparison->width);
}

static void append_cell (RspComparison *comparison, const RspSuite *row, guint k,
                         const RspRecord *record, GString *cells) {
  const RspRecord *first = suite_first (row, suite_row (row, 0));
  gboolean loud = comparison->style.colour && rsp_records_differ (first, record);
  g_string_append_c (cells, loud ? LOUD : CALM);
  gsize begin = cells->len;
  append_text (row, record, cells);
  end_cell (cells, begin, &get_column (comparison, k)->width);
}

/* What follows the line of a row; NULL: nothing. */
static const char *diff_text (const RspComparison *comparison, const RspSuite *row) {
  g_autoptr (GString) diff = g_string_new (NULL);
  diff_format (row, suite_row (row, 0), diff);
  return diff->len ? g_string_chunk_insert (comparison->texts, diff->str) : NULL;
}

/* cells: one per column of the comparison. */
static void add_line (RspComparison *comparison, const RspSuite *row,
                      const RspRecord *const *cells) {
  const RspRecord *first = suite_first (row, suite_row (row, 0));
  gboolean differs = suite_row (row, 0)->differs;
  Line line = { .n_columns = comparison->columns->len };
  g_autoptr (GString) texts = g_string_new (NULL);
  append_name (comparison, first->test, differs, texts);
  for (guint k = 0; k < line.n_columns; k++)
    append_cell (comparison, row, k, cells[k], texts);
  if (comparison->style.only_diff && !differs)
    return;
  line.cells = g_string_chunk_insert_len (comparison->texts, texts->str, (gssize) texts->len);
  if (comparison->style.only_diff)
    line.diff = diff_text (comparison, row);
  g_array_append_val (comparison->lines, line);
}

/* ---- Totals ---- */

static void relate (Column *column, guint b, const RspRecord *record, const RspRecord *other) {
  if (b >= column->relations->len) {
    g_array_set_size (column->relations, b + 1);
    g_array_set_size (column->judgements, b + 1);
  }
  g_array_index (column->relations, Relations, b).found[rsp_records_relate (record, other)]++;
  if (record->is_device && !other->is_device)
    g_array_index (column->judgements, Judgements, b).found[rsp_judge (record, other)]++;
}

static void add_totals (RspComparison *comparison, const RspRecord *const *cells) {
  guint n = comparison->columns->len;
  for (guint a = 0; a < n; a++) {
    Column *column = get_column (comparison, a);
    if (!cells[a])
      continue;
    count_record (cells[a], column->totals);
    for (guint b = 0; b < n; b++)
      if (b != a && cells[b])
        relate (column, b, cells[a], cells[b]);
  }
}

/* ---- Rows ---- */

RspComparison *rsp_comparison_new (const RspTableStyle *style) {
  RspComparison *comparison = g_new0 (RspComparison, 1);
  comparison->style = *style;
  comparison->width = strlen (heading);
  comparison->columns = g_ptr_array_new_with_free_func (free_column);
  comparison->lines = g_array_new (FALSE, FALSE, sizeof (Line));
  comparison->texts = g_string_chunk_new (4096);
  return comparison;
}

void rsp_comparison_free (RspComparison *comparison) {
  if (!comparison)
    return;
  g_ptr_array_unref (comparison->columns);
  g_array_unref (comparison->lines);
  g_string_chunk_free (comparison->texts);
  g_free (comparison);
}

void rsp_comparison_add (RspComparison *comparison, const GPtrArray *records) {
  g_autoptr (RspSuite) row = suite_new (records);
  for (guint i = 0; i < records->len; i++)
    find_column (comparison, records->pdata[i]);
  g_autofree const RspRecord **cells = g_new0 (const RspRecord *, comparison->columns->len);
  for (guint i = 0; i < records->len; i++)
    cells[find_column (comparison, records->pdata[i])] = records->pdata[i];
  comparison->n_rows++;
  comparison->n_differing += suite_row (row, 0)->differs;
  add_line (comparison, row, cells);
  add_totals (comparison, cells);
}

/* ---- The whole ---- */

static void format_head (const RspComparison *comparison, GString *out) {
  grid_format_cell (heading, comparison->width, FALSE, out);
  for (guint k = 0; k < comparison->columns->len; k++) {
    const Column *column = get_column (comparison, k);
    grid_format_cell (column->label, column->width, FALSE, out);
  }
  grid_end_line (out);
}

static void format_line (const RspComparison *comparison, const Line *line, GString *out) {
  const char *cell = line->cells;
  grid_format_cell (cell + 1, comparison->width, FALSE, out);
  for (guint k = 0; k < comparison->columns->len; k++) {
    static const char none[] = { CALM, '-', '\0' };
    cell = k < line->n_columns ? cell + strlen (cell) + 1 : none;
    grid_format_cell (cell + 1, get_column (comparison, k)->width, *cell == LOUD, out);
  }
  grid_end_line (out);
  g_string_append (out, line->diff ? line->diff : "");
}

static void format_totals (const RspComparison *comparison, GString *out) {
  guint rows = comparison->n_rows, differing = comparison->n_differing;
  g_string_append_printf (out, "\n%u test%s, %u differ%s\n", rows, rows == 1 ? "" : "s", differing,
                          differing == 1 ? "s" : "");
  RspGrid grid = grid_new (RSP_N_TOTALS + 1);
  grid_add_words (&grid, g_strdup ("Model"), rsp_total_titles, RSP_N_TOTALS);
  for (guint k = 0; k < comparison->columns->len; k++) {
    const Column *column = get_column (comparison, k);
    grid_add_numbers (&grid, g_strdup (column->label), column->totals, RSP_N_TOTALS);
  }
  grid_format (&grid, out);
  grid_clear (&grid);
}

/* Rows of no other kind are of the kind `rest`. */
static void add_rest (const RspComparison *comparison, guint *found, guint n, guint rest) {
  guint others = 0;
  for (guint i = 0; i < n; i++)
    others += i == rest ? 0 : found[i];
  found[rest] = comparison->n_rows - others;
}

/* Model b's judgements of all tests of device a. */
static void format_judgement (const RspComparison *comparison, guint a, guint b, RspGrid *grid) {
  const Column *device = get_column (comparison, a), *model = get_column (comparison, b);
  Judgements judgements = { { 0 } };
  if (b < device->judgements->len)
    judgements = g_array_index (device->judgements, Judgements, b);
  add_rest (comparison, judgements.found, RSP_N_JUDGED, RSP_JUDGED_NOT);
  grid_add_numbers (grid, g_strdup_printf ("%s under %s", device->label, model->label),
                    judgements.found, RSP_N_JUDGED);
}

static void format_judgements (const RspComparison *comparison, GString *out) {
  guint n = comparison->columns->len;
  RspGrid grid = grid_new (RSP_N_JUDGED + 1);
  grid_add_words (&grid, g_strdup ("Device"), rsp_judged_names, RSP_N_JUDGED);
  for (guint a = 0; a < n; a++)
    for (guint b = 0; b < n; b++)
      if (get_column (comparison, a)->is_device && !get_column (comparison, b)->is_device)
        format_judgement (comparison, a, b, &grid);
  if (grid.lines->len > 1)
    grid_format (&grid, out);
  grid_clear (&grid);
}

/* same: receives a sentence if no test distinguishes the two. */
static void format_pair (const RspComparison *comparison, guint a, guint b, RspGrid *grid,
                         GString *same) {
  const Column *first = get_column (comparison, a), *second = get_column (comparison, b);
  Relations relations = { { 0 } };
  if (b < first->relations->len)
    relations = g_array_index (first->relations, Relations, b);
  add_rest (comparison, relations.found, RSP_N_RELATIONS, RSP_NOT_COMPARED);
  grid_add_numbers (grid, g_strdup_printf ("%s to %s", first->label, second->label),
                    relations.found, RSP_N_RELATIONS);
  if (is_indistinguishable (relations.found, comparison->n_rows))
    g_string_append_printf (
        same, "%s and %s are indistinguishable on this suite%s.\n", first->label, second->label,
        relations.found[RSP_NOT_COMPARED] ? ", as far as both were checked" : "");
}

static void format_pairs (const RspComparison *comparison, GString *out) {
  guint n = comparison->columns->len;
  RspGrid grid = grid_new (RSP_N_RELATIONS + 1);
  g_autoptr (GString) same = g_string_new (NULL);
  grid_add_words (&grid, g_strdup ("Pair"), rsp_relation_titles, RSP_N_RELATIONS);
  for (guint a = 0; a < n; a++)
    for (guint b = a + 1; b < n; b++)
      if (!get_column (comparison, a)->is_device && !get_column (comparison, b)->is_device)
        format_pair (comparison, a, b, &grid, same);
  if (grid.lines->len > 1)
    grid_format (&grid, out);
  if (same->len)
    g_string_append_printf (out, "\n%s", same->str);
  grid_clear (&grid);
}

void rsp_comparison_format (const RspComparison *comparison, GString *out) {
  if (!comparison->n_rows) /* nothing could be read; diagnostics have the reasons */
    return;
  format_head (comparison, out);
  for (guint i = 0; i < comparison->lines->len; i++)
    format_line (comparison, &g_array_index (comparison->lines, Line, i), out);
  format_totals (comparison, out);
  format_judgements (comparison, out);
  format_pairs (comparison, out);
}
