#include "report/grid.h"

enum {
  GAP = 2 /* blanks between columns */
};

RspGrid grid_new (guint n_columns) {
  return (RspGrid){ g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev),
                    g_new0 (gsize, n_columns), n_columns };
}

void grid_clear (RspGrid *grid) {
  g_ptr_array_unref (grid->lines);
  g_free (grid->widths);
}

/* Takes the cells. */
static void add_line (RspGrid *grid, char **cells) {
  g_ptr_array_add (grid->lines, cells);
  for (guint k = 0; k < grid->n_columns; k++)
    grid->widths[k] = MAX (grid->widths[k], (gsize) g_utf8_strlen (cells[k], -1));
}

void grid_add_words (RspGrid *grid, char *title, const char *const *words, guint n) {
  char **cells = g_new0 (char *, n + 2);
  cells[0] = title;
  for (guint i = 0; i < n; i++)
    cells[i + 1] = g_strdup (words[i]);
  add_line (grid, cells);
}

void grid_add_numbers (RspGrid *grid, char *title, const guint *numbers, guint n) {
  char **cells = g_new0 (char *, n + 2);
  cells[0] = title;
  for (guint i = 0; i < n; i++)
    cells[i + 1] = g_strdup_printf ("%u", numbers[i]);
  add_line (grid, cells);
}

void grid_format_cell (const char *cell, gsize width, gboolean loud, GString *out) {
  gsize length = (gsize) g_utf8_strlen (cell, -1);
  g_string_append (out, loud ? "\033[1;31m" : "");
  g_string_append (out, cell);
  g_string_append (out, loud ? "\033[0m" : "");
  for (gsize i = length; i < width + GAP; i++)
    g_string_append_c (out, ' ');
}

void grid_end_line (GString *out) {
  while (out->len && out->str[out->len - 1] == ' ')
    g_string_truncate (out, out->len - 1);
  g_string_append_c (out, '\n');
}

void grid_format (const RspGrid *grid, GString *out) {
  g_string_append_c (out, '\n');
  for (guint i = 0; i < grid->lines->len; i++) {
    char **cells = grid->lines->pdata[i];
    for (guint k = 0; k < grid->n_columns; k++)
      grid_format_cell (cells[k], grid->widths[k], FALSE, out);
    grid_end_line (out);
  }
}
