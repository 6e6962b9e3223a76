/* Records as JSON Lines, both ways. What is read back equals what was written, so that a report
 * made from a file equals the one made directly. docs/schema.json describes a line. */
#pragma once

#include "base/diagnostic.h"
#include "report/record.h"

enum {
  RSP_JSON_FORMAT = 1 /* value of the member `format`; readers refuse newer ones */
};

/* Appends one line. */
void rsp_json_format (const RspRecord *record, GString *out);

/* A record and its line, without a counted reference to the source. */
typedef struct RspJsonLine {
  RspRecord *record;
  RspSpan span;
} RspJsonLine;

/* ---- Private part ---- */

typedef enum RspJsonKind {
  RSP_JSON_TEXT,       /* char *, a string */
  RSP_JSON_NESTED,     /* char *, JSON itself */
  RSP_JSON_EXPLAINED,  /* the same, or if it is NULL the record's explanations */
  RSP_JSON_LINES,      /* char *, an array of its lines */
  RSP_JSON_BILL,       /* char *, a machine's bill: see machine_nodes.h */
  RSP_JSON_PART,       /* const char * of the record's own, a string */
  RSP_JSON_WORD,       /* an enumeration, as one of words */
  RSP_JSON_NUMBER,     /* guint */
  RSP_JSON_LARGE,      /* guint64, below 2^63 */
  RSP_JSON_COUNT,      /* RspCount, a string of digits: readers' numbers may be too small */
  RSP_JSON_BOOLEAN,    /* gboolean */
  RSP_JSON_REAL,       /* double, not negative */
  RSP_JSON_OBJECT,     /* a structure with members of its own */
  RSP_JSON_FLAGS,      /* record->flags, each with its evidence */
  RSP_JSON_THREAD,     /* guint, RSP_NO_THREAD as null */
  RSP_JSON_STATES,     /* record->states */
  RSP_JSON_PRUNINGS,   /* record->prunings, an object of numbers */
  RSP_JSON_FORCED_BY,  /* likewise: the number of pairs forced, for those that forced any */
  RSP_JSON_FORMATS,    /* the number RSP_JSON_FORMAT, which no field holds */
  RSP_JSON_JUDGEMENTS, /* record->judgements */
  RSP_JSON_DEVICE,     /* of a device's record: the device, and judgements */
  RSP_JSON_UNDEFINED   /* record->undefined, or whether n_undefined is positive */
} RspJsonKind;

typedef enum RspJsonNeed {
  RSP_JSON_ALWAYS,
  RSP_JSON_OR_NULL,      /* a text may be NULL */
  RSP_JSON_IF_SET,       /* a text that is left out if it is NULL */
  RSP_JSON_IF_ANY,       /* a count that is left out if it is 0, a boolean if it is false */
  RSP_JSON_IF_EXPLAINED, /* only of a record with explanations */
  RSP_JSON_IF_DEVICE,    /* only of a device's record */
  RSP_JSON_IF_OK         /* only if there is an answer */
} RspJsonNeed;

/* A member of an object, and the field of the structure that holds it. */
typedef struct RspJsonField {
  const char *name;
  RspJsonKind kind;
  RspJsonNeed need;
  gsize offset;
  const char *const *words;           /* RSP_JSON_WORD: NULL-terminated */
  const struct RspJsonField *members; /* RSP_JSON_OBJECT */
  guint unknown;                      /* the RspUnknown bit that makes it null; 0: always known */
} RspJsonField;

/* In the order of the line; a field without a name ends them. */
extern const RspJsonField rsp_json_record_fields[], rsp_json_state_fields[],
    rsp_json_event_fields[], rsp_json_device_fields[];
