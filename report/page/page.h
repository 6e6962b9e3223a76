/* The page: one HTML file that shows a whole run, with everything in it that it needs. */
#ifndef RSP_REPORT_PAGE_PAGE_H
#define RSP_REPORT_PAGE_PAGE_H

#include "report/record.h"

/* Appends the page of records (RspRecord, those of a test one after another). It depends on nothing
 * else: no time, no place, no order of threads. */
void rsp_page_format (const GPtrArray *records, GString *out);

/* ---- Private part -----------------------------------------------------------------------------
 */

/* The page without its data: report/page/page.html with style and scripts, which the Makefile
 * joins. The data goes to the line that says @DATA@. */
extern const char rsp_page_template[];

#endif
