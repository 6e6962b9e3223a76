/* The page: one self-contained HTML file that shows a whole run. */
#pragma once

#include "report/record.h"

/* Draws a graph in DOT as an SVG element, newly allocated; NULL on failure. */
typedef struct RspPageDrawing {
  char *(*draw) (gpointer data, const char *dot);
  gpointer data;
  const char *live; /* JSON for report/page/live.js; NULL: the page is not live */
} RspPageDrawing;

/* Appends the page of records (RspRecord, those of a test one after another). It depends on nothing
 * else, such as the time, the folder or the order of threads. drawing: for the executions of
 * records that have candidates; NULL leaves them out. */
void rsp_page_format (const GPtrArray *records, const RspPageDrawing *drawing, GString *out);
/* Appends that page's data alone, without pictures, as one line of JSON. */
void rsp_page_format_data (const GPtrArray *records, GString *out);

/* ---- Private part ---- */

/* The page without its data: report/page/page.html with style and scripts, which the Makefile
 * joins. The data replaces the line @DATA@. */
extern const char rsp_page_template[];
