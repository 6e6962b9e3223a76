/* Graphviz as a library. */
#ifndef RSP_GRAPH_RENDER_H
#define RSP_GRAPH_RENDER_H

#include <glib.h>

typedef struct RspRenderer RspRenderer;

/* Graphviz is for one thread at a time, and keeps what it has loaded: one renderer serves many
 * pictures. */
RspRenderer *rsp_renderer_new (void);
void rsp_renderer_free (RspRenderer *renderer);

/* The picture of a graph (DOT) in a format of Graphviz ("svg", "pdf", "png"), as bytes; NULL when
 * Graphviz fails. */
GBytes *rsp_render (RspRenderer *renderer, const char *dot, const char *format);

#endif
