#pragma once

#include "report/record.h"

/* ---- Page ----------------------------------------------------------------------------------- */

/* The page: one self-contained HTML file that shows a whole run. */

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

/* ---- Pictures ------------------------------------------------------------------------------- */

/* Candidate executions in the page, compressed, since there may be thousands of pictures. */

/* The candidates of a test's records, one per model (NULL where there is none):
 *
 *   { "pictures": [SVG], "cells": [per model: null or record->candidates] }
 *
 * where each picture has `svg`, a number of that list, in place of `dot`; as base64 of zlib's
 * format. Newly allocated; NULL if no record has candidates, or nothing can be drawn. */
char *rsp_page_pack_pictures (const RspRecord *const *cells, guint n_models,
                              const RspPageDrawing *drawing);
