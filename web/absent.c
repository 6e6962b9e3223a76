/* What the program and GLib call, and a browser does not have: translations and processes. */
#include <glib.h>

const char *
g_dngettext (const char *domain, const char *one, const char *several, gulong n)
{
  (void) domain;
  return n == 1 ? one : several;
}

GQuark
g_spawn_error_quark (void)
{
  return g_quark_from_static_string ("g-exec-error-quark");
}

gboolean
g_spawn_async_with_pipes (const char *folder, char **words, char **environment, GSpawnFlags flags,
                          GSpawnChildSetupFunc setup, gpointer data, GPid *child, int *in, int *out,
                          int *err, GError **error)
{
  (void) folder, (void) words, (void) environment, (void) flags, (void) setup, (void) data;
  (void) child, (void) in, (void) out, (void) err;
  g_set_error_literal (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED,
                       "a page starts no other program, so its kernels have no macros; the page of "
                       "`rspcheck -serve` has them");
  return FALSE;
}
