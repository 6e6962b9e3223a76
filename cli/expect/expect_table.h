/* expected.tsv: the expected results of the tests in its folder, one row per test and model.
 *
 *   # a comment
 *   model  test  observation  positive  negative  states  flags        (between tabs)
 *   hrf_rsp -variant subset  MP  Sometimes  1  3  -  data_race,thin_air
 *
 * A model is named as for -model, without `.cat`. `-` means: not compared; in the last column: no
 * flag. */
#pragma once

#include "cli/columns/column.h"
#include "report/tables/compare.h"

typedef struct CliRow {
  RspSpan span; /* of the line */
  CliColumn *column;
  char **cells; /* RSP_TSV_COLUMNS, as written, without blanks around them */
} CliRow;

typedef struct CliTable {
  char *path;
  RspSource *source;   /* NULL if there is no such file */
  GPtrArray *rows;     /* of CliRow */
  GHashTable *by_test; /* test -> GPtrArray of CliRow */
  GPtrArray *usual;    /* of CliColumn: those that every test of the table has; maybe none */
  gboolean sound;      /* was everything in it understood? */
} CliTable;

/* Reads the file, if it exists. Never NULL; errors are reported in diagnostics, and faulty lines
 * are left out. */
CliTable *cli_table_read (const char *path, const CliOptions *options, RspDiagnostics *diagnostics);
void cli_table_free (CliTable *table);

/* The row of a test and the label of a column; NULL if there is none. */
const CliRow *cli_table_find (const CliTable *table, const char *test, const char *label);

/* Does the row agree with the result? found are cells made by rsp_tsv_cells. */
gboolean cli_row_agrees (const CliRow *row, char *const *found);
/* The line for this result; cells that are not compared stay as they are. Newly allocated. */
char *cli_row_promoted (const CliRow *row, char *const *found);
