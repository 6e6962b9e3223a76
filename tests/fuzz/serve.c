/* What a client sends to -serve, over a connection that it then closes. The token is TOKEN, the
 * host HOST: without the token there is no answer but a refusal. */
#define serve_run fuzz_serve_run
#include "extra/serve/serve.c"
#undef serve_run
#include "tests/fuzz/common.h"

#include <stdlib.h>

enum { QUIET = 20 }; /* milliseconds without an event after which there is no more to come */

/* libsoup 3.2 never frees the path of a request that it refuses; to see whose a leak is takes whole
 * stacks, of functions without frame pointers. */
const char *__lsan_default_suppressions (void);
const char *__lsan_default_suppressions (void) { return "leak:soup_headers_parse_request"; }
const char *__asan_default_options (void);
const char *__asan_default_options (void) { return "fast_unwind_on_malloc=0"; }

static void begin_serving (ServeSite *site) {
  g_autoptr (GError) error = NULL;
  ServeChecks *checks = g_new0 (ServeChecks, 1);
  *checks = (ServeChecks){ .own = g_ptr_array_new (),
                           .all = g_ptr_array_new (),
                           .early = G_QUEUE_INIT };
  *site = (ServeSite){ .token = g_strdup ("TOKEN"),
                       .policy = g_strdup ("default-src 'none'"),
                       .page = "page",
                       .texts = g_strdup ("{}\n"),
                       .checks = checks };
  if (!load_soup (&error) || !open_socket (site, 0, &error))
    g_error ("%s", error->message);
  site->server
      = (SoupServer *) g_object_new_with_properties (soup.server_get_type (), 0, NULL, NULL);
  soup.server_add_early_handler (site->server, NULL, look_at_head, site, NULL);
  soup.server_add_handler (site->server, NULL, take_request, site, NULL);
  listen_for_clients (site);
  g_free (site->host);
  site->host = g_strdup ("HOST");
}

/* The number of a new connection's descriptor. */
static int connect_to (const ServeSite *site) {
  struct sockaddr_storage address;
  socklen_t length = sizeof address;
  int client = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (client < 0
      || getsockname (cli_gio.socket_get_fd (site->listening), (struct sockaddr *) &address,
                      &length)
             != 0
      || connect (client, (struct sockaddr *) &address, length) != 0)
    abort ();
  return client;
}

static gboolean stop_waiting (gpointer waits) {
  *(gboolean *) waits = FALSE;
  return G_SOURCE_REMOVE;
}

/* Lets the server work until nothing happens, or the client has all. */
static void receive (int client, GString *text) {
  char buffer[65536];
  for (gboolean waits = TRUE; waits;) {
    guint timer = g_timeout_add (QUIET, stop_waiting, &waits);
    g_main_context_iteration (NULL, TRUE);
    if (waits)
      g_source_remove (timer);
    gssize n = recv (client, buffer, sizeof buffer, MSG_DONTWAIT);
    g_string_append_len (text, buffer, MAX (n, 0));
    waits = waits && (n > 0 || (n < 0 && errno == EAGAIN));
  }
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  static ServeSite site;
  if (!site.server)
    begin_serving (&site);
  g_autofree char *request = g_strndup ((const char *) data, size);
  g_autoptr (GString) answer = g_string_new (NULL);
  int client = connect_to (&site);
  if (write (client, data, size) != (gssize) size || shutdown (client, SHUT_WR) != 0)
    abort ();
  receive (client, answer);
  close (client);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  gboolean may_ask = strstr (request, "TOKEN") || strchr (request, '%');
  if ((answer->len && !g_str_has_prefix (answer->str, "HTTP/1."))
      || (!may_ask && g_str_has_prefix (answer->str + MIN (answer->len, 8), " 200")))
    g_error ("%s", answer->str);
  return 0;
}
