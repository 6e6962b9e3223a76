#include "cli/serve/requests.h"
#include "base/json.h"
#include "cli/serve/save.h"

#include <glib-unix.h>
#include <string.h>
#include <sys/socket.h>

enum {
  LARGEST = 16 << 20 /* bytes of a request */
};

/* ---- Answers ---- */

static void answer (SoupServerMessage *message, guint status, const char *type, const char *text) {
  soup_server_message_set_status (message, status, NULL);
  soup_server_message_set_response (message, type, SOUP_MEMORY_COPY, text, strlen (text));
}

static void refuse (SoupServerMessage *message, guint status, const char *why) {
  g_autofree char *line = g_strconcat (why, "\n", NULL);
  answer (message, status, "text/plain; charset=utf-8", line);
}

static void answer_json (SoupServerMessage *message, JsonNode *node) {
  g_autoptr (GString) text = g_string_new (NULL);
  rsp_json_append_line (node, text);
  answer (message, SOUP_STATUS_OK, "application/json", text->str);
}

/* ---- Who may ask ---- */

static gboolean is_same (const char *a, const char *b) {
  guchar difference = 0;
  gsize n = strlen (b);
  if (strlen (a) != n)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    difference |= (guchar) (a[i] ^ b[i]);
  return difference == 0;
}

/* What follows the token in a path; NULL if it does not begin with it. */
static const char *behind_token (const ServeSite *site, const char *path) {
  g_autofree char *first = NULL;
  const char *slash = *path == '/' ? strchr (path + 1, '/') : NULL;
  if (!slash)
    return NULL;
  first = g_strndup (path + 1, (gsize) (slash - path - 1));
  return is_same (first, site->token) ? slash + 1 : NULL;
}

/* Another page's scripts reach this address too: Host shows a name that has been made to mean it,
 * Origin the page. */
static gboolean is_from_here (const ServeSite *site, SoupServerMessage *message) {
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (message);
  const char *host = soup_message_headers_get_one (headers, "Host"),
             *origin = soup_message_headers_get_one (headers, "Origin");
  g_autofree char *own = g_strconcat ("http://", site->host, NULL);
  return !g_strcmp0 (host, site->host) && (!origin || g_str_equal (origin, own));
}

/* Before the body is read. A status that is set here is the answer. */
static void look_at_head (SoupServer *server, SoupServerMessage *message, const char *path,
                          GHashTable *query, gpointer data) {
  const ServeSite *site = data;
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (message),
                     *sent = soup_server_message_get_response_headers (message);
  const char *method = soup_server_message_get_method (message);
  const char *type = soup_message_headers_get_one (headers, "Content-Type");
  gboolean posts = g_str_equal (method, "POST");
  (void) server, (void) query;
  soup_message_headers_append (sent, "Content-Security-Policy", site->policy);
  soup_message_headers_append (sent, "X-Content-Type-Options", "nosniff");
  soup_message_headers_append (sent, "Referrer-Policy", "no-referrer");
  soup_message_headers_append (sent, "Cross-Origin-Resource-Policy", "same-origin");
  soup_message_headers_append (sent, "Cross-Origin-Opener-Policy", "same-origin");
  soup_message_headers_append (sent, "Cache-Control", "no-store");
  if (!is_from_here (site, message))
    refuse (message, SOUP_STATUS_FORBIDDEN, "only this page may ask");
  else if (!behind_token (site, path))
    refuse (message, SOUP_STATUS_NOT_FOUND, "there is nothing here");
  else if (!posts && !g_str_equal (method, "GET"))
    refuse (message, SOUP_STATUS_METHOD_NOT_ALLOWED, "only GET and POST");
  else if (posts && g_strcmp0 (type, "application/json") != 0)
    refuse (message, SOUP_STATUS_UNSUPPORTED_MEDIA_TYPE, "only JSON");
  else if (posts && !soup_message_headers_get_one (headers, "Content-Length"))
    refuse (message, SOUP_STATUS_LENGTH_REQUIRED, "the length is needed");
  else if (soup_message_headers_get_content_length (headers) > LARGEST)
    refuse (message, SOUP_STATUS_REQUEST_ENTITY_TOO_LARGE, "too large");
  else
    return;
  soup_message_body_set_accumulate (soup_server_message_get_request_body (message), FALSE);
}

/* ---- Checks ---- */

/* Who waits for a check: the message, whose answer is a stream of events, and what notices that its
 * client has gone. */
typedef struct Waiting {
  ServeSite *site;
  SoupServerMessage *message;
  guint watch;             /* a source; 0: it has ended */
  gulong on_chunk, on_end; /* handlers of the message's signals */
  gboolean writing;        /* the client has not read the event before */
} Waiting;

static void end_waiting (Waiting *waiting) {
  if (waiting->watch)
    g_source_remove (waiting->watch);
  g_signal_handler_disconnect (waiting->message, waiting->on_chunk);
  g_signal_handler_disconnect (waiting->message, waiting->on_end);
  g_object_unref (waiting->message);
  g_free (waiting);
}

/* A ServeTell: one event at a time is in memory, and then the answer. */
static gboolean tell (gpointer data, const char *event, JsonNode *what) {
  Waiting *waiting = data;
  SoupMessageBody *body = soup_server_message_get_response_body (waiting->message);
  gboolean is_last = g_str_equal (event, "answer"), goes = is_last || !waiting->writing;
  if (goes) {
    g_autoptr (GString) text = g_string_new (NULL);
    g_string_append_printf (text, "event: %s\ndata: ", event);
    rsp_json_append_line (what, text);
    g_string_append_c (text, '\n');
    soup_message_body_append (body, SOUP_MEMORY_COPY, text->str, text->len);
    waiting->writing = TRUE;
    soup_server_message_unpause (waiting->message);
  }
  json_node_unref (what);
  if (is_last) {
    soup_message_body_complete (body);
    end_waiting (waiting);
  }
  return goes;
}

static void written (SoupServerMessage *message, gpointer data) {
  Waiting *waiting = data;
  (void) message;
  waiting->writing = FALSE;
}

static void leave (SoupServerMessage *message, gpointer data) {
  Waiting *waiting = data;
  (void) message;
  serve_checks_leave (waiting->site->checks, waiting);
}

/* The client has written more, or has closed the connection, as when its window is closed. */
static gboolean look_for_end (int socket, GIOCondition condition, gpointer data) {
  Waiting *waiting = data;
  char next;
  (void) condition;
  waiting->watch = 0;
  if (recv (socket, &next, 1, MSG_PEEK | MSG_DONTWAIT) <= 0)
    leave (waiting->message, waiting);
  return G_SOURCE_REMOVE;
}

static void run (ServeSite *site, SoupServerMessage *message, JsonNode *request) {
  Waiting *waiting = g_new0 (Waiting, 1);
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (message);
  int client = g_socket_get_fd (soup_server_message_get_socket (message));
  *waiting
      = (Waiting){ .site = site,
                   .message = g_object_ref (message),
                   .watch = g_unix_fd_add (client, G_IO_IN, look_for_end, waiting),
                   .on_chunk
                   = g_signal_connect (message, "wrote-chunk", (GCallback) written, waiting),
                   .on_end = g_signal_connect (message, "finished", (GCallback) leave, waiting) };
  soup_server_message_set_status (message, SOUP_STATUS_OK, NULL);
  soup_message_headers_set_content_type (headers, "text/event-stream", NULL);
  soup_message_headers_set_encoding (headers, SOUP_ENCODING_CHUNKED);
  soup_message_body_set_accumulate (soup_server_message_get_response_body (message), FALSE);
  const char *error = serve_checks_begin (site->checks, request, tell, waiting);
  if (!error)
    return;
  end_waiting (waiting);
  soup_message_headers_set_encoding (headers, SOUP_ENCODING_CONTENT_LENGTH);
  refuse (message, SOUP_STATUS_SERVICE_UNAVAILABLE, error);
}

/* ---- Requests ---- */

static void take_post (ServeSite *site, SoupServerMessage *message, const char *what) {
  g_autoptr (GBytes) bytes
      = soup_message_body_flatten (soup_server_message_get_request_body (message));
  g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_autoptr (JsonNode) request = rsp_json_parse (text);
  if (json_node_get_node_type (request) != JSON_NODE_OBJECT)
    refuse (message, 400, "this is not an object in JSON");
  else if (g_str_equal (what, "run"))
    run (site, message, request);
  else if (g_str_equal (what, "stop")) {
    serve_checks_stop (site->checks, rsp_json_as_text (rsp_json_get (request, "id", NULL)));
    answer_json (message, rsp_json_null ());
  } else if (g_str_equal (what, "save") && site->may_write) {
    g_autofree char *error = serve_save (request);
    if (error)
      refuse (message, SOUP_STATUS_FORBIDDEN, error);
    else
      answer_json (message, rsp_json_null ());
  } else
    refuse (message, SOUP_STATUS_NOT_FOUND, "there is nothing here");
}

static void take_request (SoupServer *server, SoupServerMessage *message, const char *path,
                          GHashTable *query, gpointer data) {
  ServeSite *site = data;
  const char *what = behind_token (site, path);
  (void) server, (void) query;
  if (g_str_equal (soup_server_message_get_method (message), "POST"))
    take_post (site, message, what);
  else if (g_str_equal (what, ""))
    answer (message, SOUP_STATUS_OK, "text/html; charset=utf-8", site->page);
  else if (g_str_equal (what, "texts"))
    answer_json (message, site->texts);
  else
    refuse (message, SOUP_STATUS_NOT_FOUND, "there is nothing here");
}

void serve_requests (SoupServer *server, ServeSite *site) {
  soup_server_add_early_handler (server, NULL, look_at_head, site, NULL);
  soup_server_add_handler (server, NULL, take_request, site, NULL);
}
