/* What the writers of JSON share; building and reading its values. */
#ifndef RSP_BASE_JSON_H
#define RSP_BASE_JSON_H

#include <json-glib/json-glib.h>

/* A member of the object that is being built: the text, or null for NULL. */
void rsp_json_add_text (JsonBuilder *builder, const char *name, const char *text);

/* Appends the value as one line of JSON. */
void rsp_json_append_line (JsonNode *node, GString *out);

/* ---- Values ---- */

JsonNode *rsp_json_null (void);
JsonNode *rsp_json_boolean (gboolean value);
JsonNode *rsp_json_number (gint64 value);
JsonNode *rsp_json_text (const char *value);
/* Takes the array. */
JsonNode *rsp_json_list (JsonArray *array);
/* An object of the members given as name, value, …, NULL; takes the values, of which NULL is left out. */
JsonNode *rsp_json_object (const char *name, ...) G_GNUC_NULL_TERMINATED;
/* Adds a value to the array, which takes it. */
void rsp_json_add (JsonArray *array, JsonNode *value);

/* The value that a text is; null if it is not JSON, or nested too deeply. */
JsonNode *rsp_json_parse (const char *text);

/* The member at a path: rsp_json_get (params, "textDocument", "uri", NULL). NULL if there is none; so below. */
JsonNode *rsp_json_get (JsonNode *node, const char *name, ...) G_GNUC_NULL_TERMINATED;
JsonArray *rsp_json_as_list (JsonNode *node);
const char *rsp_json_as_text (JsonNode *node);
/* 0 if it is not a number. */
gint64 rsp_json_as_number (JsonNode *node);

#endif
