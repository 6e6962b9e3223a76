/* Parts of a machine's report as JSON, both ways: texts of the record that are lists. */
#pragma once

#include <json-glib/json-glib.h>

/* Lines as an array of strings. */
JsonNode *lines_node (const char *lines);
/* Newly allocated, a newline between lines; NULL for another node. */
char *lines_text (JsonNode *node);

/* A bill ("flushes 0 1.50 3\n…") as {"flushes": {"least": 0, "mean": 1.5, "most": 3}, …}. */
JsonNode *bill_node (const char *bill);
/* Newly allocated; NULL for another node. */
char *bill_text (JsonNode *node);
