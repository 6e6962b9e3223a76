#include "cli/sinks/render.h"

#include <gvc.h>

struct CliRenderer
{
  GVC_t *context;
};

CliRenderer *
cli_renderer_new (void)
{
  CliRenderer *renderer = g_new0 (CliRenderer, 1);
  renderer->context = gvContext ();
  return renderer;
}

void
cli_renderer_free (CliRenderer *renderer)
{
  if (!renderer)
    return;
  gvFreeContext (renderer->context);
  g_free (renderer);
}

GBytes *
cli_render (CliRenderer *renderer, const char *dot, const char *format)
{
  GBytes *picture = NULL;
  Agraph_t *graph = agmemread (dot);
  char *data = NULL;
  unsigned int length = 0;
  if (!graph)
    return NULL;
  if (gvLayout (renderer->context, graph, "dot") == 0)
    {
      if (gvRenderData (renderer->context, graph, format, &data, &length) == 0)
        picture = g_bytes_new (data, length);
      gvFreeRenderData (data);
      gvFreeLayout (renderer->context, graph);
    }
  agclose (graph);
  return picture;
}
