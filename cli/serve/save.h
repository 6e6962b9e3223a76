/* Saving what is in the editor (-write). */
#pragma once

#include "base/json.h"

/* Writes { name, text } below the current folder. Newly allocated: why not, or NULL. */
char *serve_save (JsonNode *request);
