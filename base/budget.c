#include "base/budget.h"

gint64 rsp_deadline_in (double seconds) {
  return seconds > 0 ? g_get_monotonic_time () + (gint64) (seconds * 1e6) : 0;
}

char *rsp_size_format (gsize bytes) {
  static const char *const units[] = { "bytes", "KiB", "MiB" };
  guint unit = 0;
  for (; unit + 1 < G_N_ELEMENTS (units) && bytes && bytes % 1024 == 0; unit++)
    bytes /= 1024;
  return g_strdup_printf ("%" G_GSIZE_FORMAT " %s", bytes, units[unit]);
}
