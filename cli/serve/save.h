/* Saving what is in the editor (-write). */
#ifndef RSP_CLI_SERVE_SAVE_H
#define RSP_CLI_SERVE_SAVE_H

#include "base/json.h"

/* Writes { name, text } below the current folder. Newly allocated: why not, or NULL. */
char *serve_save (JsonNode *request);

#endif
