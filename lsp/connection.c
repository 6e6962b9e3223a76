#include "lsp/connection.h"
#include "base/json.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum {
  LARGEST = 256 << 20,      /* bytes of a message */
  LARGEST_HEADER = 64 << 10 /* bytes */
};

void lsp_connection_init (LspConnection *connection, int in, int out) {
  *connection = (LspConnection){ .in = in, .out = out, .received = g_string_new (NULL) };
}

void lsp_connection_clear (LspConnection *connection) {
  g_string_free (connection->received, TRUE);
}

void lsp_connection_read (LspConnection *connection) {
  char buffer[65536];
  gssize n;
  do
    n = read (connection->in, buffer, sizeof buffer);
  while (n < 0 && errno == EINTR);
  if (n > 0)
    g_string_append_len (connection->received, buffer, n);
  else
    connection->ended = TRUE;
}

/* The value of Content-Length in a header, or -1. */
static gint64 length_in (const char *header) {
  g_auto (GStrv) lines = g_strsplit (header, "\r\n", -1);
  for (guint i = 0; lines[i]; i++)
    if (g_ascii_strncasecmp (lines[i], "Content-Length:", 15) == 0) {
      guint64 length;
      const char *value = g_strstrip (lines[i] + 15);
      return g_ascii_string_to_unsigned (value, 10, 0, LARGEST, &length, NULL) ? (gint64) length
                                                                               : -1;
    }
  return -1;
}

JsonNode *lsp_connection_take (LspConnection *connection) {
  GString *received = connection->received;
  const char *end = strstr (received->str, "\r\n\r\n");
  if (!end) {
    connection->ended |= received->len > LARGEST_HEADER;
    return NULL;
  }
  gsize header = (gsize) (end - received->str);
  g_autofree char *text = g_strndup (received->str, header);
  gint64 length = length_in (text);
  if (length < 0) {
    connection->ended = TRUE;
    return NULL;
  }
  if (received->len - header - 4 < (gsize) length)
    return NULL;
  g_autofree char *content = g_strndup (received->str + header + 4, (gsize) length);
  g_string_erase (received, 0, (gssize) (header + 4 + (gsize) length));
  return rsp_json_parse (content);
}

void lsp_connection_send (LspConnection *connection, JsonNode *message) {
  g_autoptr (GString) text = g_string_new (NULL);
  rsp_json_append_line (message, text);
  json_node_unref (message);
  g_autofree char *header
      = g_strdup_printf ("Content-Length: %" G_GSIZE_FORMAT "\r\n\r\n", text->len);
  g_string_prepend (text, header);
  for (gsize sent = 0; sent < text->len;) {
    gssize n = write (connection->out, text->str + sent, text->len - sent);
    if (n < 0 && errno != EINTR) {
      connection->ended = TRUE;
      return;
    }
    sent += n > 0 ? (gsize) n : 0;
  }
}
