/* Graphviz as a library: of the program, so that librspcheck.a needs GLib alone. */
#ifndef CLI_RENDER_H
#define CLI_RENDER_H

#include <glib.h>

typedef struct CliRenderer CliRenderer;

/* Graphviz is for one thread at a time, and keeps what it has loaded: one renderer serves many
 * pictures. Graphviz itself is loaded with the first. */
CliRenderer *cli_renderer_new (void);
void cli_renderer_free (CliRenderer *renderer);

/* The picture of a graph (DOT) in a format of Graphviz ("svg", "pdf", "png"), as bytes; NULL if
 * Graphviz cannot be loaded or fails. */
GBytes *cli_render (CliRenderer *renderer, const char *dot, const char *format, GError **error);

#endif
