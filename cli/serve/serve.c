#include "cli/serve/serve.h"
#include "cli/base/status.h"
#include "cli/base/stream.h"
#include "cli/serve/requests.h"
#include "cli/serve/texts.h"

#include <glib-unix.h>
#include <stdio.h>
#include <string.h>

/* The page, which the Makefile joins. */
extern const char serve_page[];

static void clear_site (ServeSite *site) {
  g_free (site->token);
  g_free (site->host);
  g_free (site->policy);
  json_node_unref (site->texts);
  serve_checks_free (site->checks);
}

/* 128 bits, as the system has them. */
static char *random_token (void) {
  g_autoptr (GString) token = g_string_new (NULL);
  FILE *source = fopen ("/dev/urandom", "r");
  for (int i = 0, byte; source && i < 16 && (byte = getc (source)) != EOF; i++)
    g_string_append_printf (token, "%02x", byte);
  if (source)
    fclose (source);
  return token->len == 32 ? g_strdup (token->str) : NULL;
}

/* Of the page's scripts only its own one is run. */
static char *policy_of (const char *page) {
  static const char begin[] = "<script>";
  const char *script = g_strrstr (page, begin) + strlen (begin),
             *end = strstr (script, "</script>");
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  guint8 digest[32];
  gsize length = sizeof digest;
  g_checksum_update (checksum, (const guchar *) script, end - script);
  g_checksum_get_digest (checksum, digest, &length);
  g_autofree char *hash = g_base64_encode (digest, length);
  return g_strdup_printf (
      "default-src 'none'; script-src 'sha256-%s'; style-src 'unsafe-inline'; img-src data:; "
      "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      hash);
}

static void open_address (const char *address) {
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  const char *const words[] = { "xdg-open", address, NULL };
  GSubprocess *process = g_subprocess_launcher_spawnv (launcher, words, NULL);
  if (process)
    g_object_unref (process);
}

/* The address, or NULL with an error. */
static char *listen_at (SoupServer *server, guint port, ServeSite *site, GError **error) {
  if (!soup_server_listen_local (server, port, SOUP_SERVER_LISTEN_IPV4_ONLY, error))
    return NULL;
  GSList *uris = soup_server_get_uris (server);
  site->host = g_strdup_printf ("127.0.0.1:%d", g_uri_get_port (uris->data));
  g_slist_free_full (uris, (GDestroyNotify) g_uri_unref);
  return g_strdup_printf ("http://%s/%s/", site->host, site->token);
}

static gboolean end_loop (gpointer loop) {
  g_main_loop_quit (loop);
  return G_SOURCE_CONTINUE;
}

static gboolean serve (const CliOptions *options, ServeSite *site, GError **error) {
  g_autoptr (SoupServer) server
      = (SoupServer *) g_object_new_with_properties (SOUP_TYPE_SERVER, 0, NULL, NULL);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  serve_requests (server, site);
  g_autofree char *address = listen_at (server, options->port, site, error);
  if (!address)
    return FALSE;
  g_unix_signal_add (SIGINT, end_loop, loop);
  g_unix_signal_add (SIGTERM, end_loop, loop);
  g_unix_signal_add (SIGHUP, end_loop, loop);
  printf ("%s\n", address);
  fflush (stdout);
  if (!options->no_open)
    open_address (address);
  g_main_loop_run (loop);
  soup_server_disconnect (server);
  return TRUE;
}

int cli_serve_run (const CliOptions *options, RspDiagnostics *diagnostics) {
  g_autoptr (GError) error = NULL;
  ServeSite site
      = { .token = random_token (), .page = serve_page, .may_write = options->may_write };
  site.policy = policy_of (site.page);
  site.texts = serve_texts (options, diagnostics);
  site.checks = serve_checks_new (rsp_json_get (site.texts, "installed", NULL));
  if (!site.token)
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "cannot read /dev/urandom");
  else if (!rsp_diagnostics_count_errors (diagnostics) && !serve (options, &site, &error))
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "cannot listen: %s", error->message);
  clear_site (&site);
  return cli_print_diagnostics (diagnostics, options->quiet) ? CLI_STATUS_UNFINISHED
                                                             : CLI_STATUS_OK;
}
