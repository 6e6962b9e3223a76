#ifndef RSP_REPORT_JSON_JSON_READ_H
#define RSP_REPORT_JSON_JSON_READ_H

#include "report/json/json.h"

/* Reads a file of records and appends them to lines (of RspJsonLine, which own the records). Each
 * line that is wrong is reported in diagnostics with its place and left out; so is a last line that
 * was not written to its end, but with a warning only. Members that are not known are left out with
 * one warning each. FALSE after an error. *whole, unless NULL, is the number of bytes up to the
 * last whole line. */
gboolean rsp_json_read (RspSource *source, GArray *lines, gsize *whole,
                        RspDiagnostics *diagnostics);

#endif
