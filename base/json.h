/* What the writers of JSON share. */
#ifndef RSP_BASE_JSON_H
#define RSP_BASE_JSON_H

#include <json-glib/json-glib.h>

/* A member of the object that is being built: the text, or null for NULL. */
void rsp_json_add_text (JsonBuilder *builder, const char *name, const char *text);

/* Appends the value as one line of JSON. */
void rsp_json_append_line (JsonNode *node, GString *out);

#endif
