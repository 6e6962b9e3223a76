/* Comparisons: one row per test, one column per model, and where models part. */
#ifndef RSP_REPORT_COMPARE_H
#define RSP_REPORT_COMPARE_H

#include "report/record.h"

typedef struct RspTableStyle
{
  gboolean colour;    /* ANSI colours for cells that differ from the row's first */
  gboolean only_diff; /* only rows that differ, each with what the models disagree about */
} RspTableStyle;

/* Appends the table of records (RspRecord, the records of a test one after another), totals, and
 * how each ordered pair of models relates:
 *
 *     Test  own        opencl_rem
 *     MP    Never 0/3  Never 0/3
 *   * Race  Never 0/2  Never 0/2 data_race
 *
 * Models differ on a test if they allow different states, raise different flags, give another
 * observation, or only one of them was checked to the end; counts alone make no difference, nor
 * does a test that one column, a log's, does not have. */
void rsp_compare_format (const GPtrArray *records, const RspTableStyle *style, GString *out);

/* Cells of that table, newly allocated; see rsp_tsv_format. n_cells is RSP_TSV_COLUMNS, and NULL
 * ends the array: free with g_strfreev. */
enum
{
  RSP_TSV_COLUMNS = 7
};
extern const char *const rsp_tsv_columns[RSP_TSV_COLUMNS];

#endif
