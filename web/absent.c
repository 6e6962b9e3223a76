/* What the program and GLib call, and a browser does not have: translations. */
#include <glib.h>

const char *g_dngettext (const char *domain, const char *one, const char *several, gulong n) {
  (void) domain;
  return n == 1 ? one : several;
}
