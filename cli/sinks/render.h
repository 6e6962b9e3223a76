/* Graphviz as a library, used only by the program, so that librspcheck.a needs GLib alone. */
#pragma once

#include <glib.h>

typedef struct CliRenderer CliRenderer;

/* Graphviz can be used by one thread at a time and keeps its plug-ins loaded: one renderer serves
 * many pictures. Graphviz itself is loaded with the first one. */
CliRenderer *cli_renderer_new (void);
void cli_renderer_free (CliRenderer *renderer);

/* The picture of a graph (DOT) in a format of Graphviz ("svg", "pdf", "png"), as bytes; NULL if
 * Graphviz cannot be loaded or fails. */
GBytes *cli_render (CliRenderer *renderer, const char *dot, const char *format, GError **error);
