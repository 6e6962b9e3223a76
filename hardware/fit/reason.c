#include "hardware/fit/reason.h"

void fit_refuse (Fit *fit, const RspSpan *at, const char *format, ...) {
  va_list arguments;
  if (fit->reason)
    return;
  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  guint line = at && at->source ? rsp_span_line (*at) : 0;
  fit->reason = line ? g_strdup_printf ("line %u: %s", line, text) : g_steal_pointer (&text);
}
