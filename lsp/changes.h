#pragma once

#include "lsp/server.h"

/* Appends how many tests of the workspace have other verdicts, states or flags since the last edit
 * of the model at the path, and which: under the models of the settings that include it, or else
 * under itself. As far as seconds allow. For a process of its own: texts are changed. */
void lsp_changes_find (LspServer *server, const char *path, guint seconds, GString *out);
