/* A language server (Language Server Protocol 3.17) for tests, models and mappings. */
#pragma once

#include <glib.h>

/* Serves the client on two file descriptors until it asks to exit. models (of char *): those whose
 * verdicts are shown over tests; empty: each language's default. FALSE if it ends otherwise. */
gboolean rsp_lsp_run (int in, int out, const GPtrArray *models);
