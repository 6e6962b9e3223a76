/* Building, writing and reading JSON. */
#pragma once

#include <json-glib/json-glib.h>

#include <json-glib/json-glib.h>

/* Sets a member of the object: to null for NULL. */
void rsp_json_set_text (JsonObject *object, const char *name, const char *text);

/* Appends the value as one line of JSON. */
void rsp_json_append_line (JsonNode *node, GString *out);

/* The same for an object, which it takes. */
void rsp_json_append_object (JsonObject *object, GString *out);

/* ---- Values ---- */
JsonNode *rsp_json_null (void);
JsonNode *rsp_json_boolean (gboolean value);
JsonNode *rsp_json_number (gint64 value);

/* null for NULL. */
JsonNode *rsp_json_text (const char *value);

/* A list of texts: of char *; NULL-terminated, or none for NULL. */
JsonNode *rsp_json_texts (const GPtrArray *texts);
JsonNode *rsp_json_strv (const char *const *texts);

/* Take the array, the object. */
JsonNode *rsp_json_list (JsonArray *array);
JsonNode *rsp_json_members (JsonObject *object);

/* An object of the members given as name, value, …, NULL; takes the values, of which NULL is left
 * out. */
JsonNode *rsp_json_object (const char *name, ...) G_GNUC_NULL_TERMINATED;

/* Adds a value to the array, which takes it. */
void rsp_json_add (JsonArray *array, JsonNode *value);

/* Does it have more than that many objects and arrays in each other? JSON-GLib reads recursively.
 */
gboolean rsp_json_is_deep (const char *text, gsize length, guint most);

/* The value that a text is; null if it is not JSON, or nested too deeply. */
JsonNode *rsp_json_parse (const char *text);

/* The member at a path: rsp_json_get (params, "textDocument", "uri", NULL). NULL if there is none;
 * so below. */
JsonNode *rsp_json_get (JsonNode *node, const char *name, ...) G_GNUC_NULL_TERMINATED;
JsonArray *rsp_json_as_list (JsonNode *node);
const char *rsp_json_as_text (JsonNode *node);

/* 0 if it is not a number. */
gint64 rsp_json_as_number (JsonNode *node);
