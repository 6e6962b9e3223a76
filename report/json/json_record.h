/* Private to report/json: a record from the members of its JSON object. */
#pragma once

#include "report/json/json.h"

#include <json-glib/json-glib.h>

typedef struct RecordReader {
  RspSource *source;
  RspSpan line; /* the one being read */
  RspRecord *record;
  gboolean is_json;    /* is the line an object? */
  GHashTable *unknown; /* names of members that have been reported */
  RspDiagnostics *diagnostics;
} RecordReader;

/* The member of that name in the line, or the line's first character if there is none. In JSON a
 * quote inside a string follows a backslash, so `"name":` is not found in texts. */
RspSpan json_member_span (const RecordReader *reader, const char *name);

/* Fills the structure from the members of an object: the status before the members that depend on
 * it. FALSE after an error, which is reported in diagnostics. */
gboolean json_read_object (RecordReader *reader, const RspJsonField *fields, JsonObject *object,
                           gpointer structure);
