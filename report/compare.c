#include "report/compare.h"

#include <string.h>

/* One test: a record a column, NULL where there is none. */
typedef struct Row
{
  const RspRecord **cells;
  gboolean differs;
} Row;

typedef struct Matrix
{
  GPtrArray *models; /* labels of the columns, in order of appearance; the records' */
  GArray *rows;      /* of Row */
  const RspTableStyle *style;
  GString *out;
} Matrix;

/* How two models relate on a test: the first is … */
typedef enum Relation
{
  WEAKER, /* allows more */
  STRONGER,
  INCOMPARABLE,
  EQUAL,
  UNDEFINED_IN_ONE,
  NOT_COMPARED, /* not both were checked to the end */
  N_RELATIONS
} Relation;

static const char *const relation_titles[N_RELATIONS]
    = { "weaker", "stronger", "incomparable", "equal", "undefined in one only", "not compared" };

/* ---- Building ---- */

static void
clear_row (gpointer data)
{
  Row *row = data;
  g_free (row->cells);
}

static guint
column_of (const Matrix *matrix, const RspRecord *record)
{
  guint column = 0;
  g_ptr_array_find_with_equal_func (matrix->models, record->model, g_str_equal, &column);
  return column;
}

static void
build (Matrix *matrix, const GPtrArray *records)
{
  for (guint i = 0; i < records->len; i++)
    {
      const RspRecord *record = records->pdata[i];
      if (!g_ptr_array_find_with_equal_func (matrix->models, record->model, g_str_equal, NULL))
        g_ptr_array_add (matrix->models, record->model);
    }
  const RspRecord *last = NULL;
  for (guint i = 0; i < records->len; i++)
    {
      const RspRecord *record = records->pdata[i];
      if (!last || last->index != record->index)
        {
          Row row = { g_new0 (const RspRecord *, matrix->models->len), FALSE };
          g_array_append_val (matrix->rows, row);
        }
      Row *row = &g_array_index (matrix->rows, Row, matrix->rows->len - 1);
      row->cells[column_of (matrix, record)] = record;
      last = record;
    }
}

/* ---- Differences ---- */

static gboolean
has_state (const RspRecord *record, const char *text)
{
  for (guint i = 0; i < record->states->len; i++)
    if (g_str_equal (rsp_record_state (record, i)->text, text))
      return TRUE;
  return FALSE;
}

/* Does a allow a state that b forbids? */
static gboolean
allows_more (const RspRecord *a, const RspRecord *b)
{
  for (guint i = 0; i < a->states->len; i++)
    if (!has_state (b, rsp_record_state (a, i)->text))
      return TRUE;
  return FALSE;
}

static Relation
relate (const RspRecord *a, const RspRecord *b)
{
  if (!a || !b || !rsp_record_is_ok (a) || !rsp_record_is_ok (b))
    return NOT_COMPARED;
  if (rsp_record_is_undefined (a) != rsp_record_is_undefined (b))
    return UNDEFINED_IN_ONE;
  gboolean more = allows_more (a, b), less = allows_more (b, a);
  return more ? (less ? INCOMPARABLE : WEAKER) : less ? STRONGER : EQUAL;
}

static gboolean
has_flag (const RspRecord *record, const char *name)
{
  return g_ptr_array_find_with_equal_func (record->flags, name, g_str_equal, NULL);
}

static gboolean
raises_more (const RspRecord *a, const RspRecord *b)
{
  for (guint i = 0; i < a->flags->len; i++)
    if (!has_flag (b, a->flags->pdata[i]))
      return TRUE;
  return FALSE;
}

static gboolean
differ (const RspRecord *a, const RspRecord *b)
{
  if (!a || !b)
    return a != b;
  if (a->status != b->status)
    return TRUE;
  if (!rsp_record_is_ok (a))
    return FALSE;
  return relate (a, b) != EQUAL || raises_more (a, b) || raises_more (b, a)
         || a->observation != b->observation || a->loop != b->loop;
}

static void
mark_differences (Matrix *matrix)
{
  for (guint r = 0; r < matrix->rows->len; r++)
    {
      Row *row = &g_array_index (matrix->rows, Row, r);
      for (guint k = 1; k < matrix->models->len; k++)
        row->differs |= differ (row->cells[0], row->cells[k]);
    }
}

/* ---- Printing ---- */

/* "Sometimes 1/15 data_race", "Loop Never 0/3", "Timeout"; "-" where there is no record. */
static char *
cell_text (const RspRecord *record)
{
  if (!record)
    return g_strdup ("-");
  g_auto (GStrv) cells = rsp_tsv_cells (record);
  if (!rsp_record_is_ok (record))
    return g_strdup (cells[2]);
  gboolean flagged = record->flags->len > 0;
  g_autoptr (GString) text = g_string_new (NULL);
  rsp_count_format (record->positive, text);
  g_string_append_c (text, '/');
  rsp_count_format (record->negative, text);
  return g_strdup_printf ("%s%s %s%s%s", record->loop ? "Loop " : "", cells[2], text->str,
                          flagged ? " " : "", flagged ? cells[6] : "");
}

static const char *
row_name (const Row *row, guint n)
{
  for (guint k = 0; k < n; k++)
    if (row->cells[k])
      return row->cells[k]->test;
  return "";
}

/* The grid is text: cell 0 of a line is its title, then one a column. */
typedef struct Grid
{
  GPtrArray *lines; /* of GStrv */
  gsize *widths;
  guint n_columns;
} Grid;

static Grid
grid_new (guint n_columns)
{
  return (Grid){ g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev),
                 g_new0 (gsize, n_columns), n_columns };
}

static void
grid_clear (Grid *grid)
{
  g_ptr_array_unref (grid->lines);
  g_free (grid->widths);
}

/* Takes the cells. */
static void
grid_add (Grid *grid, char **cells)
{
  g_ptr_array_add (grid->lines, cells);
  for (guint k = 0; k < grid->n_columns; k++)
    grid->widths[k] = MAX (grid->widths[k], (gsize) g_utf8_strlen (cells[k], -1));
}

/* One line; cells whose bit in loud is set are coloured. No blanks at the end. */
static void
grid_print (const Grid *grid, guint i, const gboolean *loud, GString *out)
{
  char **cells = grid->lines->pdata[i];
  for (guint k = 0; k < grid->n_columns; k++)
    {
      gsize length = (gsize) g_utf8_strlen (cells[k], -1);
      gboolean colour = loud && loud[k];
      g_string_append_printf (out, "%s%s%s", colour ? "\033[1;31m" : "", cells[k],
                              colour ? "\033[0m" : "");
      if (k + 1 < grid->n_columns)
        g_string_append_printf (out, "%*s", (int) (grid->widths[k] - length + 2), "");
    }
  while (out->len && out->str[out->len - 1] == ' ')
    g_string_truncate (out, out->len - 1);
  g_string_append_c (out, '\n');
}

static void
format_states (const char *title, const RspRecord *a, const RspRecord *b, GString *out)
{
  gboolean first = TRUE;
  for (guint i = 0; i < a->states->len; i++)
    {
      const RspRecordState *state = rsp_record_state (a, i);
      if (has_state (b, state->text))
        continue;
      if (first)
        g_string_append_printf (out, "      %s\n", title);
      first = FALSE;
      g_string_append_printf (out, "        %s\n", state->text);
    }
}

/* What a allows or sees and b does not. */
static void
format_only_in (const RspRecord *a, const RspRecord *b, GString *out)
{
  g_autofree char *title = g_strdup_printf ("%s allows, %s forbids:", a->model, b->model);
  format_states (title, a, b, out);
  for (guint i = 0; i < a->flags->len; i++)
    if (!has_flag (b, a->flags->pdata[i]))
      g_string_append_printf (out, "      %s sees %s, %s does not\n", a->model,
                              (const char *) a->flags->pdata[i], b->model);
}

static void
format_row_differences (const Matrix *matrix, const Row *row)
{
  for (guint i = 0; i < matrix->models->len; i++)
    for (guint k = i + 1; k < matrix->models->len; k++)
      {
        const RspRecord *a = row->cells[i], *b = row->cells[k];
        if (!a || !b || !rsp_record_is_ok (a) || !rsp_record_is_ok (b))
          continue;
        format_only_in (a, b, matrix->out);
        format_only_in (b, a, matrix->out);
      }
}

static void
format_rows (const Matrix *matrix)
{
  guint n = matrix->models->len;
  Grid grid = grid_new (n + 1);
  char **head = g_new0 (char *, n + 2);
  head[0] = g_strdup ("  Test");
  for (guint k = 0; k < n; k++)
    head[k + 1] = g_strdup (matrix->models->pdata[k]);
  grid_add (&grid, head);
  for (guint r = 0; r < matrix->rows->len; r++)
    {
      const Row *row = &g_array_index (matrix->rows, Row, r);
      char **cells = g_new0 (char *, n + 2);
      cells[0] = g_strdup_printf ("%s %s", row->differs ? "*" : " ", row_name (row, n));
      for (guint k = 0; k < n; k++)
        cells[k + 1] = cell_text (row->cells[k]);
      grid_add (&grid, cells);
    }
  g_autofree gboolean *loud = g_new0 (gboolean, n + 1);
  grid_print (&grid, 0, NULL, matrix->out);
  for (guint r = 0; r < matrix->rows->len; r++)
    {
      const Row *row = &g_array_index (matrix->rows, Row, r);
      if (matrix->style->only_diff && !row->differs)
        continue;
      for (guint k = 0; k < n; k++)
        loud[k + 1] = matrix->style->colour && differ (row->cells[0], row->cells[k]);
      grid_print (&grid, r + 1, loud, matrix->out);
      if (matrix->style->only_diff)
        format_row_differences (matrix, row);
    }
  grid_clear (&grid);
}

/* ---- Totals ---- */

enum
{
  TOTAL_NEVER,
  TOTAL_SOMETIMES,
  TOTAL_ALWAYS,
  TOTAL_FLAGGED,
  TOTAL_LOOP,
  TOTAL_UNFINISHED,
  N_TOTALS
};

static const char *const total_titles[N_TOTALS]
    = { "Never", "Sometimes", "Always", "flagged", "Loop", "unfinished" };

static void
count_record (const RspRecord *record, guint totals[N_TOTALS])
{
  if (!record)
    return;
  if (!rsp_record_is_ok (record))
    {
      totals[TOTAL_UNFINISHED]++;
      return;
    }
  for (guint i = TOTAL_NEVER; i <= TOTAL_ALWAYS; i++)
    totals[i] += record->observation == i - TOTAL_NEVER;
  totals[TOTAL_FLAGGED] += record->flags->len > 0;
  totals[TOTAL_LOOP] += record->loop;
}

/* A line of numbers under a title, newly allocated. */
static char **
number_line (char *title, const guint *numbers, guint n)
{
  char **cells = g_new0 (char *, n + 2);
  cells[0] = title;
  for (guint i = 0; i < n; i++)
    cells[i + 1] = g_strdup_printf ("%u", numbers[i]);
  return cells;
}

static char **
title_line (const char *title, const char *const *titles, guint n)
{
  char **cells = g_new0 (char *, n + 2);
  cells[0] = g_strdup (title);
  for (guint i = 0; i < n; i++)
    cells[i + 1] = g_strdup (titles[i]);
  return cells;
}

static void
print_grid (Grid *grid, GString *out)
{
  g_string_append_c (out, '\n');
  for (guint i = 0; i < grid->lines->len; i++)
    grid_print (grid, i, NULL, out);
  grid_clear (grid);
}

static void
format_totals (const Matrix *matrix)
{
  guint differing = 0;
  for (guint r = 0; r < matrix->rows->len; r++)
    differing += g_array_index (matrix->rows, Row, r).differs;
  g_string_append_printf (matrix->out, "\n%u test%s, %u differ%s\n", matrix->rows->len,
                          matrix->rows->len == 1 ? "" : "s", differing, differing == 1 ? "s" : "");
  Grid grid = grid_new (N_TOTALS + 1);
  grid_add (&grid, title_line ("Model", total_titles, N_TOTALS));
  for (guint k = 0; k < matrix->models->len; k++)
    {
      guint totals[N_TOTALS] = { 0 };
      for (guint r = 0; r < matrix->rows->len; r++)
        count_record (g_array_index (matrix->rows, Row, r).cells[k], totals);
      grid_add (&grid, number_line (g_strdup (matrix->models->pdata[k]), totals, N_TOTALS));
    }
  print_grid (&grid, matrix->out);
}

static void
relate_models (const Matrix *matrix, guint a, guint b, guint found[N_RELATIONS])
{
  for (guint r = 0; r < matrix->rows->len; r++)
    {
      const Row *row = &g_array_index (matrix->rows, Row, r);
      found[relate (row->cells[a], row->cells[b])]++;
    }
}

static void
format_pairs (const Matrix *matrix)
{
  guint n = matrix->models->len;
  if (n < 2)
    return;
  Grid grid = grid_new (N_RELATIONS + 1);
  g_autoptr (GString) same = g_string_new (NULL);
  grid_add (&grid, title_line ("Pair", relation_titles, N_RELATIONS));
  for (guint a = 0; a < n; a++)
    for (guint b = 0; b < n; b++)
      {
        const char *first = matrix->models->pdata[a], *second = matrix->models->pdata[b];
        guint found[N_RELATIONS] = { 0 };
        if (a == b)
          continue;
        relate_models (matrix, a, b, found);
        grid_add (&grid,
                  number_line (g_strdup_printf ("%s to %s", first, second), found, N_RELATIONS));
        if (a < b && found[EQUAL] && found[EQUAL] + found[NOT_COMPARED] == matrix->rows->len)
          g_string_append_printf (same, "%s and %s are indistinguishable on this suite%s.\n", first,
                                  second,
                                  found[NOT_COMPARED] ? ", as far as both were checked" : "");
      }
  print_grid (&grid, matrix->out);
  if (same->len)
    g_string_append_printf (matrix->out, "\n%s", same->str);
}

void
rsp_compare_format (const GPtrArray *records, const RspTableStyle *style, GString *out)
{
  Matrix matrix = { .models = g_ptr_array_new (),
                    .rows = g_array_new (FALSE, TRUE, sizeof (Row)),
                    .style = style,
                    .out = out };
  g_array_set_clear_func (matrix.rows, clear_row);
  build (&matrix, records);
  mark_differences (&matrix);
  format_rows (&matrix);
  format_totals (&matrix);
  format_pairs (&matrix);
  g_ptr_array_unref (matrix.models);
  g_array_unref (matrix.rows);
}
