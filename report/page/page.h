/* The page: one HTML file that shows a whole run, with everything in it that it needs. */
#ifndef RSP_REPORT_PAGE_PAGE_H
#define RSP_REPORT_PAGE_PAGE_H

#include "report/record.h"

/* Who draws: an SVG element made of a graph in DOT, newly allocated; NULL when that fails. */
typedef struct RspPageDrawing
{
  char *(*draw) (gpointer data, const char *dot);
  gpointer data;
} RspPageDrawing;

/* Appends the page of records (RspRecord, those of a test one after another). It depends on nothing
 * else: no time, no place, no order of threads. drawing: for the executions of records that have
 * candidates; NULL leaves them out. */
void rsp_page_format (const GPtrArray *records, const RspPageDrawing *drawing, GString *out);

/* ---- Private part ---- */

/* The page without its data: report/page/page.html with style and scripts, which the Makefile
 * joins. The data goes to the line that says @DATA@. */
extern const char rsp_page_template[];

#endif
