#include "report/graph/render.h"

#include <gvc.h>

struct RspRenderer
{
  GVC_t *context;
};

RspRenderer *
rsp_renderer_new (void)
{
  RspRenderer *renderer = g_new0 (RspRenderer, 1);
  renderer->context = gvContext ();
  return renderer;
}

void
rsp_renderer_free (RspRenderer *renderer)
{
  if (!renderer)
    return;
  gvFreeContext (renderer->context);
  g_free (renderer);
}

GBytes *
rsp_render (RspRenderer *renderer, const char *dot, const char *format)
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
