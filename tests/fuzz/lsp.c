/* What an editor sends to the language server: a message on each line, or, after
 * "Content-Length", the bytes themselves. Whatever comes, all that the server sends is messages. */
#include "extra/lsp/internal.h"
#include "extra/lsp/lsp.h"
#include "tests/fuzz/common.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static GString *framed (const char *text) {
  GString *all = g_string_new (NULL);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i]; i++)
    g_string_append_printf (all, "Content-Length: %zu\r\n\r\n%s", strlen (lines[i]), lines[i]);
  return all;
}

static void read_answers (int file) {
  LspConnection connection;
  lsp_connection_init (&connection, file, file);
  if (lseek (file, 0, SEEK_SET) != 0)
    abort ();
  while (!connection.ended)
    lsp_connection_read (&connection);
  connection.ended = FALSE;
  for (RspJson *message; (message = lsp_connection_take (&connection)); rsp_json_unref (message))
    if (!rsp_json_as_text (rsp_json_get (message, "jsonrpc", NULL)))
      abort ();
  if (connection.ended || connection.received->len)
    abort ();
  lsp_connection_clear (&connection);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  static const char raw[] = "Content-Length";
  int in, out;
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_autoptr (GString) all = g_str_has_prefix (text, raw)
                                ? g_string_new_len ((const char *) data, (gssize) size)
                                : framed (text);
  g_free (fuzz_file_open ((const uint8_t *) all->str, all->len, &in));
  g_free (fuzz_file_open (NULL, 0, &out));
  g_autoptr (GPtrArray) models = g_ptr_array_new ();
  if (lseek (in, 0, SEEK_SET) != 0)
    abort ();
  rsp_lsp_run (in, out, models);
  read_answers (out);
  close (in);
  close (out);
  return 0;
}
