/* Comparisons: one row per test, one column per model, and where models differ. */
#pragma once

#include "report/record.h"

typedef struct RspTableStyle {
  gboolean colour;    /* ANSI colours for cells that differ from the row's first */
  gboolean only_diff; /* only rows that differ, each with the disagreements */
} RspTableStyle;

/* A comparison, test by test. It keeps only a line per test. */
typedef struct RspComparison RspComparison;

RspComparison *rsp_comparison_new (const RspTableStyle *style);
void rsp_comparison_free (RspComparison *comparison);
/* A row: the records (RspRecord) of a test, at least one, each of a different model. */
void rsp_comparison_add (RspComparison *comparison, const GPtrArray *records);
/* Appends the table, totals, and how every two models relate:
 *
 *     Test  own        opencl_rem
 *     MP    Never 0/3  Never 0/3
 *   * Race  Never 0/2  Never 0/2 data_race
 *
 * Models differ on a test if they allow different states, raise different flags, give different
 * observations, or only one of them was checked to the end. Differences in counts alone are
 * ignored, and so are tests that are missing in a column (of a log). */
void rsp_comparison_format (const RspComparison *comparison, GString *out);

/* Cells of that table, newly allocated; see rsp_tsv_format. n_cells is RSP_TSV_COLUMNS, and NULL
 * ends the array: free with g_strfreev. */
enum { RSP_TSV_COLUMNS = 7 };
extern const char *const rsp_tsv_columns[RSP_TSV_COLUMNS];
