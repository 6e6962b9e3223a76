/* JSON: a tree of values, its reader and its writer. */
#pragma once

#include "base/base.h"

#include <glib.h>

/* A value. An object keeps the order of its members. Values are counted, so that one can be in
 * several trees. */
typedef struct RspJson RspJson;

RspJson *rsp_json_ref (RspJson *value);
void rsp_json_unref (RspJson *value);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspJson, rsp_json_unref)

/* ---- Building ---- */
RspJson *rsp_json_null (void);
RspJson *rsp_json_boolean (gboolean value);
RspJson *rsp_json_number (gint64 value);
RspJson *rsp_json_real (double value);

/* A number if every reader's numbers can hold it, otherwise a string of digits. */
#define RSP_JSON_MOST ((RspCount) 1 << 53)
RspJson *rsp_json_count (RspCount count);

/* null for NULL. */
RspJson *rsp_json_text (const char *value);

/* A list of texts: of char *; NULL-terminated, or none for NULL. */
RspJson *rsp_json_texts (const GPtrArray *texts);
RspJson *rsp_json_strv (const char *const *texts);

/* An empty list, and a value at its end, which it takes. */
RspJson *rsp_json_list (void);
void rsp_json_add (RspJson *list, RspJson *value);

/* An object of the members given as name, value, …, NULL; takes the values, of which NULL is left
 * out. One without members. */
RspJson *rsp_json_object (const char *name, ...) G_GNUC_NULL_TERMINATED;
RspJson *rsp_json_empty (void);

/* Adds or replaces a member; takes the value. NULL removes the member. */
void rsp_json_set (RspJson *object, const char *name, RspJson *value);
void rsp_json_set_text (RspJson *object, const char *name, const char *text);

/* ---- Looking at a value: NULL may stand for a value that is missing ---- */
gboolean rsp_json_is_null (const RspJson *value);
gboolean rsp_json_is_boolean (const RspJson *value);
gboolean rsp_json_is_true (const RspJson *value);

/* The value itself if it is a list, an object; otherwise NULL. */
RspJson *rsp_json_as_list (RspJson *value);
RspJson *rsp_json_as_object (RspJson *value);

/* The value's own text; NULL if it is not a string. */
const char *rsp_json_as_text (const RspJson *value);

/* A number without fraction and exponent that fits; any number. */
gint64 rsp_json_as_integer (const RspJson *value, gint64 otherwise);
double rsp_json_as_real (const RspJson *value, double otherwise);

/* The elements of a list, the members of an object; 0 for other values. */
guint rsp_json_length (const RspJson *value);
RspJson *rsp_json_item (const RspJson *value, guint i);
const char *rsp_json_name (const RspJson *object, guint i);

/* The member at a path: rsp_json_get (params, "textDocument", "uri", NULL). The last one of a name
 * counts. NULL if there is none. */
RspJson *rsp_json_get (RspJson *value, const char *name, ...) G_GNUC_NULL_TERMINATED;

/* ---- Reading ---- */
typedef enum RspJsonProblem {
  RSP_JSON_SYNTAX,   /* not JSON, or not UTF-8, from there on */
  RSP_JSON_TOO_DEEP, /* lists and objects nested more than 512 deep */
  RSP_JSON_LONE,     /* half of a surrogate pair on its own: `\uXXXX` */
  RSP_JSON_MORE      /* text after the value */
} RspJsonProblem;

typedef struct RspJsonError {
  RspJsonProblem problem;
  gsize at; /* offset of a byte of the text; its length: the text ends too early */
} RspJsonError;

/* The value that a text is (RFC 8259), or NULL. U+0000, which no text here can have, becomes
 * U+FFFD. */
RspJson *rsp_json_parse (const char *text, gsize length, RspJsonError *error);

/* ---- Writing ---- */
/* Without white space; a number that was read as it was written. */
void rsp_json_append (const RspJson *value, GString *out);
void rsp_json_append_line (const RspJson *value, GString *out);
char *rsp_json_to_string (const RspJson *value);

/* A string, with its quotes. Bytes that are not UTF-8 become U+FFFD. */
void rsp_json_append_text (const char *text, gsize length, GString *out);
