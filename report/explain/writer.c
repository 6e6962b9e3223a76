#include "report/explain/writer.h"

void
put_coloured (const Writer *w, const char *colour, const char *text)
{
  if (w->colour)
    g_string_append_printf (w->out, "%s%s" PLAIN, colour, text);
  else
    g_string_append (w->out, text);
}

const char *
event_id (const Writer *w, guint event)
{
  return w->view->events[event].id;
}
