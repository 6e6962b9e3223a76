#pragma once

#include "base/base.h"

/* All that is printed of them, newly allocated. */
static inline char *diagnostics_text (const RspDiagnostics *diagnostics) {
  GString *out = g_string_new (NULL);
  for (guint i = 0; i < rsp_diagnostics_count (diagnostics); i++)
    rsp_diagnostic_format (rsp_diagnostics_get (diagnostics, i), FALSE, out);
  return g_string_free (out, FALSE);
}
