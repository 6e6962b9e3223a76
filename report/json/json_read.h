#pragma once

#include "report/json/json.h"

/* Reads a file of records and appends them to lines (of RspJsonLine, which own the records). Wrong
 * lines are reported in diagnostics with their place and left out; an incomplete last line is left
 * out with a warning, and so are unknown members, with one warning each. FALSE after an error.
 * *whole, unless NULL, is the number of bytes up to the last complete line. */
gboolean rsp_json_read (RspSource *source, GArray *lines, gsize *whole,
                        RspDiagnostics *diagnostics);
