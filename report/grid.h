/* Small tables of text, aligned. */
#pragma once

#include <glib.h>

/* Each line is a title and one cell per column. */
typedef struct RspGrid {
  GPtrArray *lines; /* of GStrv */
  gsize *widths;
  guint n_columns; /* the title's included */
} RspGrid;

RspGrid grid_new (guint n_columns);
void grid_clear (RspGrid *grid);
/* A line of n cells, words or numbers, after a title. Takes the title. */
void grid_add_words (RspGrid *grid, char *title, const char *const *words, guint n);
void grid_add_numbers (RspGrid *grid, char *title, const guint *numbers, guint n);
/* Appends an empty line and the grid. No line ends with blanks. */
void grid_format (const RspGrid *grid, GString *out);

/* Appends a cell of a line, of this width in characters, in colour if it is loud. */
void grid_format_cell (const char *cell, gsize width, gboolean loud, GString *out);
/* Ends the line, without blanks at its end. */
void grid_end_line (GString *out);
