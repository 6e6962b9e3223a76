/* Private to report/json: checks of a line's text that JSON-GLib does not make. */
#ifndef RSP_REPORT_JSON_JSON_TEXT_H
#define RSP_REPORT_JSON_JSON_TEXT_H

#include "base/source.h"

/* Is the line nested more deeply than JSON-GLib, which reads recursively, may be asked to read? */
gboolean json_is_deep (RspSpan line);

/* The place of half a surrogate pair on its own: such a string is not valid text, but JSON-GLib
 * accepts it. line.end if there is none. */
guint json_lone_surrogate (RspSpan line);

/* The start of any text after the first object of a line, which occurs if concatenated files lack a
 * final newline: JSON-GLib would read both objects but return only one. The line's end if there is
 * none. */
guint json_second_object (RspSpan line);

#endif
