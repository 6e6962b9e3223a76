#include "report/compare.h"
#include "report/diff.h"
#include "report/evidence.h"
#include "report/judge.h"
#include "report/suite.h"
#include "report/tsv.h"

/* ---- Cells ---- */

/* "Sometimes 1/15 data_race", "Loop Never 0/3", "Timeout"; "-" without a record. */
static char *
cell_text (const RspSuite *suite, const RspSuiteRow *row, const RspRecord *record)
{
  if (!record)
    return g_strdup ("-");
  g_auto (GStrv) cells = rsp_tsv_cells (record);
  if (!rsp_record_is_ok (record))
    return g_strdup (cells[2]);
  gboolean flagged = rsp_record_is_flagged (record);
  g_autoptr (GString) text = g_string_new (NULL);
  if (!(record->unknown & RSP_UNKNOWN_COUNTS))
    {
      rsp_count_format (record->positive, text);
      g_string_append_c (text, '/');
      rsp_count_format (record->negative, text);
    }
  g_autofree char *judgements = rsp_suite_judgements (suite, row, record);
  g_autofree char *judged = g_strconcat (*judgements ? " " : "", judgements, NULL);
  return g_strdup_printf ("%s%s%s%s%s%s%s", record->loop ? "Loop " : "", cells[2],
                          text->len ? " " : "", text->str, flagged ? " " : "",
                          flagged ? cells[6] : "", judged);
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
format_rows (const RspSuite *suite, const RspTableStyle *style, GString *out)
{
  guint n = suite->models->len;
  Grid grid = grid_new (n + 1);
  char **head = g_new0 (char *, n + 2);
  head[0] = g_strdup ("  Test");
  for (guint k = 0; k < n; k++)
    head[k + 1] = g_strdup (suite->models->pdata[k]);
  grid_add (&grid, head);
  for (guint r = 0; r < suite->rows->len; r++)
    {
      const RspSuiteRow *row = rsp_suite_row (suite, r);
      char **cells = g_new0 (char *, n + 2);
      cells[0]
          = g_strdup_printf ("%s %s", row->differs ? "*" : " ", rsp_suite_first (suite, row)->test);
      for (guint k = 0; k < n; k++)
        cells[k + 1] = cell_text (suite, row, row->cells[k]);
      grid_add (&grid, cells);
    }
  g_autofree gboolean *loud = g_new0 (gboolean, n + 1);
  grid_print (&grid, 0, NULL, out);
  for (guint r = 0; r < suite->rows->len; r++)
    {
      const RspSuiteRow *row = rsp_suite_row (suite, r);
      if (style->only_diff && !row->differs)
        continue;
      for (guint k = 0; k < n; k++)
        loud[k + 1]
            = style->colour && rsp_records_differ (rsp_suite_first (suite, row), row->cells[k]);
      grid_print (&grid, r + 1, loud, out);
      if (style->only_diff)
        rsp_diff_format (suite, row, out);
    }
  grid_clear (&grid);
}

/* ---- Totals ---- */

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
format_totals (const RspSuite *suite, GString *out)
{
  guint differing = rsp_suite_count_differing (suite);
  g_string_append_printf (out, "\n%u test%s, %u differ%s\n", suite->rows->len,
                          suite->rows->len == 1 ? "" : "s", differing, differing == 1 ? "s" : "");
  Grid grid = grid_new (RSP_N_TOTALS + 1);
  grid_add (&grid, title_line ("Model", rsp_total_titles, RSP_N_TOTALS));
  for (guint k = 0; k < suite->models->len; k++)
    {
      guint totals[RSP_N_TOTALS];
      rsp_suite_total (suite, k, totals);
      grid_add (&grid, number_line (g_strdup (suite->models->pdata[k]), totals, RSP_N_TOTALS));
    }
  print_grid (&grid, out);
}

static gboolean
is_device (const RspSuite *suite, guint column)
{
  for (guint r = 0; r < suite->rows->len; r++)
    {
      const RspRecord *cell = rsp_suite_row (suite, r)->cells[column];
      if (cell)
        return cell->is_device;
    }
  return FALSE;
}

/* What model `column` says of all tests of a device. */
static void
add_judgements (const RspSuite *suite, guint device, guint column, Grid *grid)
{
  guint found[RSP_N_JUDGED] = { 0 };
  for (guint r = 0; r < suite->rows->len; r++)
    {
      const RspSuiteRow *row = rsp_suite_row (suite, r);
      found[rsp_judge (row->cells[device], row->cells[column])]++;
    }
  grid_add (grid,
            number_line (g_strdup_printf ("%s under %s", (char *) suite->models->pdata[device],
                                          (char *) suite->models->pdata[column]),
                         found, RSP_N_JUDGED));
}

static void
format_judgements (const RspSuite *suite, GString *out)
{
  guint n = suite->models->len;
  Grid grid = grid_new (RSP_N_JUDGED + 1);
  grid_add (&grid, title_line ("Device", rsp_judged_names, RSP_N_JUDGED));
  for (guint a = 0; a < n; a++)
    for (guint b = 0; b < n; b++)
      if (is_device (suite, a) && !is_device (suite, b))
        add_judgements (suite, a, b, &grid);
  if (grid.lines->len > 1)
    print_grid (&grid, out);
  else
    grid_clear (&grid);
}

static void
format_pairs (const RspSuite *suite, GString *out)
{
  guint n = suite->models->len;
  guint n_models = 0;
  for (guint a = 0; a < n; a++)
    n_models += !is_device (suite, a);
  if (n_models < 2)
    return;
  Grid grid = grid_new (RSP_N_RELATIONS + 1);
  g_autoptr (GString) same = g_string_new (NULL);
  grid_add (&grid, title_line ("Pair", rsp_relation_titles, RSP_N_RELATIONS));
  for (guint a = 0; a < n; a++)
    for (guint b = a + 1; b < n; b++)
      {
        const char *first = suite->models->pdata[a], *second = suite->models->pdata[b];
        guint found[RSP_N_RELATIONS];
        if (is_device (suite, a) || is_device (suite, b))
          continue;
        rsp_suite_relate (suite, a, b, found);
        grid_add (&grid, number_line (g_strdup_printf ("%s to %s", first, second), found,
                                      RSP_N_RELATIONS));
        if (rsp_suite_is_indistinguishable (suite, found))
          g_string_append_printf (same, "%s and %s are indistinguishable on this suite%s.\n", first,
                                  second,
                                  found[RSP_NOT_COMPARED] ? ", as far as both were checked" : "");
      }
  print_grid (&grid, out);
  if (same->len)
    g_string_append_printf (out, "\n%s", same->str);
}

void
rsp_compare_format (const GPtrArray *records, const RspTableStyle *style, GString *out)
{
  g_autoptr (RspSuite) suite = rsp_suite_new (records);
  if (!suite->rows->len) /* nothing could be read: diagnostics say why */
    return;
  format_rows (suite, style, out);
  format_totals (suite, out);
  format_judgements (suite, out);
  format_pairs (suite, out);
}
