/* The server's loop: messages in the order in which they come, except that a request is not begun
 * that has been cancelled, and that diagnostics wait until no edit is left to apply. */
#include "lsp/lsp.h"
#include "lsp/languages/cat.h"
#include "lsp/check.h"
#include "lsp/job.h"
#include "lsp/languages/kernel.h"
#include "lsp/languages/litmus.h"
#include "lsp/languages/map.h"
#include "lsp/languages/words.h"
#include "parser/layout.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* ---- Documents ---- */

static LspDocument *document_of (const LspServer *server, JsonNode *params) {
  const char *uri = rsp_json_as_text (rsp_json_get (params, "textDocument", "uri", NULL));
  return uri ? g_hash_table_lookup (server->documents, uri) : NULL;
}

/* A document's text is a new one. What depends on it must be looked at again. */
static void text_changed (LspServer *server, LspDocument *document) {
  GHashTableIter iter;
  gpointer other;
  g_hash_table_insert (server->texts, g_strdup (document->path), rsp_source_ref (document->source));
  g_hash_table_iter_init (&iter, server->documents);
  while ((document->kind == LSP_MODEL || document->kind == LSP_MAPPING)
         && g_hash_table_iter_next (&iter, NULL, &other))
    ((LspDocument *) other)->changed |= ((LspDocument *) other)->kind == document->kind;
  lsp_job_cancel (server, NULL, LSP_CONTENT_MODIFIED, "a text has changed");
}

static void did_open (LspServer *server, JsonNode *params) {
  JsonNode *item = rsp_json_get (params, "textDocument", NULL);
  const char *uri = rsp_json_as_text (rsp_json_get (item, "uri", NULL)),
             *text = rsp_json_as_text (rsp_json_get (item, "text", NULL));
  if (!uri || !text)
    return;
  LspDocument *document
      = lsp_document_new (uri, rsp_json_as_number (rsp_json_get (item, "version", NULL)), text);
  g_hash_table_insert (server->documents, g_strdup (uri), document);
  text_changed (server, document);
}

static void did_change (LspServer *server, JsonNode *params) {
  LspDocument *document = document_of (server, params);
  if (!document)
    return;
  document->version = rsp_json_as_number (rsp_json_get (params, "textDocument", "version", NULL));
  lsp_document_change (document, rsp_json_as_list (rsp_json_get (params, "contentChanges", NULL)),
                       server->encoding);
  text_changed (server, document);
}

static void did_save (LspServer *server, JsonNode *params) {
  LspDocument *document = document_of (server, params);
  if (document)
    document->saved = TRUE;
}

static void did_close (LspServer *server, JsonNode *params) {
  LspDocument *document = document_of (server, params);
  if (!document)
    return;
  lsp_notify (server, "textDocument/publishDiagnostics",
              rsp_json_object ("uri", rsp_json_text (document->uri), "diagnostics",
                               rsp_json_list (json_array_new ()), NULL));
  text_changed (server, document);
  g_hash_table_remove (server->texts, document->path);
  g_hash_table_remove (server->documents, document->uri);
}

static void publish (LspServer *server) {
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, server->documents);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    LspDocument *document = value;
    if (document->changed)
      lsp_notify (server, "textDocument/publishDiagnostics", lsp_diagnostics (server, document));
    document->changed = FALSE;
  }
}

/* ---- Initialization ---- */

static void set_models (LspServer *server, JsonNode *settings) {
  JsonArray *models = rsp_json_as_list (rsp_json_get (settings, "models", NULL));
  if (!models)
    return;
  g_ptr_array_set_size (server->models, 0);
  for (guint i = 0; i < json_array_get_length (models); i++) {
    const char *name = rsp_json_as_text (json_array_get_element (models, i));
    if (name)
      g_ptr_array_add (server->models, g_strdup (name));
  }
}

/* The first of the client's encodings that is one of ours; UTF-16 if it names none. */
static LspEncoding choose_encoding (JsonNode *params) {
  static const char *const names[] = { "utf-8", "utf-16", "utf-32" };
  JsonArray *offered = rsp_json_as_list (
      rsp_json_get (params, "capabilities", "general", "positionEncodings", NULL));
  for (guint i = 0; offered && i < json_array_get_length (offered); i++)
    for (guint k = 0; k < G_N_ELEMENTS (names); k++)
      if (!g_strcmp0 (rsp_json_as_text (json_array_get_element (offered, i)), names[k]))
        return (LspEncoding) k;
  return LSP_UTF_16;
}

static char *folder_of (JsonNode *params) {
  JsonArray *folders = rsp_json_as_list (rsp_json_get (params, "workspaceFolders", NULL));
  JsonNode *first
      = folders && json_array_get_length (folders) ? json_array_get_element (folders, 0) : NULL;
  const char *uri = rsp_json_as_text (first ? rsp_json_get (first, "uri", NULL)
                                            : rsp_json_get (params, "rootUri", NULL));
  return uri ? g_filename_from_uri (uri, NULL, NULL) : NULL;
}

static JsonNode *initialize (LspServer *server, JsonNode *params) {
  static const char *const encodings[] = { "utf-8", "utf-16", "utf-32" };
  server->initialized = TRUE;
  server->encoding = choose_encoding (params);
  g_free (server->folder);
  server->folder = folder_of (params);
  set_models (server, rsp_json_get (params, "initializationOptions", NULL));
  JsonArray *commands = json_array_new (), *triggers = json_array_new ();
  rsp_json_add (commands, rsp_json_text ("rspcheck.explain"));
  rsp_json_add (triggers, rsp_json_text ("("));
  rsp_json_add (triggers, rsp_json_text (","));
  JsonNode *sync = rsp_json_object ("openClose", rsp_json_boolean (TRUE), "change",
                                    rsp_json_number (2), "save", rsp_json_boolean (TRUE), NULL);
  JsonNode *capabilities = rsp_json_object (
      "positionEncoding", rsp_json_text (encodings[server->encoding]), "textDocumentSync", sync,
      "hoverProvider", rsp_json_boolean (TRUE), "definitionProvider", rsp_json_boolean (TRUE),
      "referencesProvider", rsp_json_boolean (TRUE), "renameProvider", rsp_json_boolean (TRUE),
      "completionProvider", rsp_json_object (NULL, NULL), "signatureHelpProvider",
      rsp_json_object ("triggerCharacters", rsp_json_list (triggers), NULL),
      "documentFormattingProvider", rsp_json_boolean (TRUE), "documentSymbolProvider",
      rsp_json_boolean (TRUE), "foldingRangeProvider", rsp_json_boolean (TRUE),
      "codeActionProvider", rsp_json_boolean (TRUE), "codeLensProvider",
      rsp_json_object ("resolveProvider", rsp_json_boolean (TRUE), NULL), "executeCommandProvider",
      rsp_json_object ("commands", rsp_json_list (commands), NULL), NULL);
  return rsp_json_object ("capabilities", capabilities, "serverInfo",
                          rsp_json_object ("name", rsp_json_text ("rspcheck"), "version",
                                           rsp_json_text (RSP_VERSION), NULL),
                          NULL);
}

/* ---- Requests about a document ---- */

typedef JsonNode *(*Answer) (LspServer *, const LspDocument *, JsonNode *);

/* The edits that lay the text out; none for one whose tokens are not. */
static JsonNode *format (LspServer *server, const LspDocument *document, JsonNode *params) {
  (void) params;
  RspSource *source = document->source;
  JsonArray *edits = json_array_new ();
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  g_autofree char *text = rsp_layout (source, unread);
  if (text && strcmp (text, source->text) != 0)
    rsp_json_add (edits,
                  rsp_json_object ("range",
                                   lsp_range (source, 0, (guint) source->length, server->encoding),
                                   "newText", rsp_json_text (text), NULL));
  return rsp_json_list (edits);
}

static const struct Method {
  const char *name;
  Answer answers[LSP_OTHER + 1]; /* by the document's kind; NULL: null */
} methods[] = {
  { "textDocument/hover",
    { [LSP_MODEL] = lsp_cat_hover,
      [LSP_MAPPING] = lsp_map_hover,
      [LSP_KERNEL] = lsp_kernel_hover } },
  { "textDocument/definition",
    { [LSP_MODEL] = lsp_cat_definition,
      [LSP_TEST] = lsp_litmus_definition,
      [LSP_MAPPING] = lsp_map_definition,
      [LSP_KERNEL] = lsp_kernel_definition } },
  { "textDocument/references",
    { [LSP_MODEL] = lsp_cat_references,
      [LSP_TEST] = lsp_litmus_references,
      [LSP_KERNEL] = lsp_kernel_references } },
  { "textDocument/completion",
    { [LSP_MODEL] = lsp_cat_completion,
      [LSP_TEST] = lsp_litmus_completion,
      [LSP_MAPPING] = lsp_map_completion,
      [LSP_KERNEL] = lsp_kernel_completion } },
  { "textDocument/signatureHelp",
    { [LSP_MODEL] = lsp_cat_signature,
      [LSP_TEST] = lsp_call_signature,
      [LSP_KERNEL] = lsp_call_signature } },
  { "textDocument/formatting",
    { [LSP_MODEL] = format, [LSP_TEST] = format, [LSP_MAPPING] = format } },
  { "textDocument/documentSymbol",
    { [LSP_MODEL] = lsp_cat_symbols,
      [LSP_TEST] = lsp_litmus_symbols,
      [LSP_MAPPING] = lsp_map_symbols,
      [LSP_KERNEL] = lsp_kernel_symbols } },
  { "textDocument/foldingRange",
    { [LSP_MODEL] = lsp_cat_folding,
      [LSP_TEST] = lsp_litmus_folding,
      [LSP_MAPPING] = lsp_litmus_folding,
      [LSP_KERNEL] = lsp_litmus_folding } },
  { "textDocument/codeLens", { [LSP_MODEL] = lsp_cat_lenses, [LSP_TEST] = lsp_litmus_lenses } },
};

/* FALSE if the method is not one of these. */
static gboolean answer_method (LspServer *server, const char *method, const char *id,
                               const LspDocument *document, JsonNode *params) {
  for (gsize i = 0; i < G_N_ELEMENTS (methods); i++)
    if (g_str_equal (methods[i].name, method)) {
      Answer answer = document ? methods[i].answers[document->kind] : NULL;
      lsp_reply (server, id, answer ? answer (server, document, params) : rsp_json_null ());
      return TRUE;
    }
  return FALSE;
}

static void rename_name (LspServer *server, const char *id, const LspDocument *document,
                         JsonNode *params) {
  g_autofree char *error = NULL;
  static JsonNode *(*const renames[LSP_OTHER + 1]) (LspServer *, const LspDocument *, JsonNode *,
                                                    char **)
      = { [LSP_TEST] = lsp_litmus_rename,
          [LSP_MODEL] = lsp_cat_rename,
          [LSP_MAPPING] = lsp_map_rename,
          [LSP_KERNEL] = lsp_kernel_rename };
  JsonNode *edit = document && renames[document->kind]
                       ? renames[document->kind](server, document, params, &error)
                       : NULL;
  if (error)
    lsp_reply_error (server, id, LSP_INVALID_PARAMS, error);
  else
    lsp_reply (server, id, edit ? edit : rsp_json_null ());
}

/* ---- Requests ---- */

/* Begins a search about the document at `uri`. */
static void begin_job (LspServer *server, LspTask task, const char *id, JsonNode *uri,
                       JsonNode *model, JsonNode *params) {
  const char *name = rsp_json_as_text (uri);
  const LspDocument *document = name ? g_hash_table_lookup (server->documents, name) : NULL;
  if (document && document->kind == LSP_TEST)
    lsp_job_begin (server, task, id, document, rsp_json_as_text (model), params);
  else if (document && document->kind == LSP_MODEL && task == LSP_VERDICT)
    lsp_job_begin (server, LSP_CHANGES, id, document, NULL, params);
  else
    lsp_reply_error (server, id, LSP_INVALID_PARAMS, "this is not an open test");
}

static void execute (LspServer *server, const char *id, JsonNode *params) {
  JsonArray *arguments = rsp_json_as_list (rsp_json_get (params, "arguments", NULL));
  if (g_strcmp0 (rsp_json_as_text (rsp_json_get (params, "command", NULL)), "rspcheck.explain")
      || !arguments || json_array_get_length (arguments) < 1) {
    lsp_reply_error (server, id, LSP_INVALID_PARAMS,
                     "the command is `rspcheck.explain`, with a URI and a model");
    return;
  }
  JsonNode *model
      = json_array_get_length (arguments) > 1 ? json_array_get_element (arguments, 1) : NULL;
  begin_job (server, LSP_EXPLAIN, id, json_array_get_element (arguments, 0), model, params);
}

static void answer_request (LspServer *server, const char *method, const char *id,
                            JsonNode *params) {
  const LspDocument *document = document_of (server, params);
  if (g_str_equal (method, "initialize"))
    lsp_reply (server, id, initialize (server, params));
  else if (!server->initialized)
    lsp_reply_error (server, id, LSP_NOT_INITIALIZED, "`initialize` comes first");
  else if (server->shutdown)
    lsp_reply_error (server, id, LSP_INVALID_REQUEST, "the server has been shut down");
  else if (g_str_equal (method, "shutdown")) {
    server->shutdown = TRUE;
    lsp_reply (server, id, rsp_json_null ());
  } else if (g_str_equal (method, "textDocument/hover") && document && document->kind == LSP_TEST)
    lsp_job_begin (server, LSP_EVENTS, id, document, NULL, params);
  else if (g_str_equal (method, "codeLens/resolve"))
    begin_job (server, LSP_VERDICT, id, rsp_json_get (params, "data", "uri", NULL),
               rsp_json_get (params, "data", "model", NULL), params);
  else if (g_str_equal (method, "workspace/executeCommand"))
    execute (server, id, params);
  else if (g_str_equal (method, "textDocument/rename"))
    rename_name (server, id, document, params);
  else if (g_str_equal (method, "textDocument/codeAction") && document)
    lsp_reply (server, id, lsp_actions (server, document, params));
  else if (!answer_method (server, method, id, document, params))
    lsp_reply_error (server, id, LSP_UNKNOWN_METHOD, method);
}

static void take_notification (LspServer *server, const char *method, JsonNode *params) {
  if (g_str_equal (method, "exit"))
    server->ended = TRUE;
  else if (g_str_equal (method, "textDocument/didOpen"))
    did_open (server, params);
  else if (g_str_equal (method, "textDocument/didChange"))
    did_change (server, params);
  else if (g_str_equal (method, "textDocument/didSave"))
    did_save (server, params);
  else if (g_str_equal (method, "textDocument/didClose"))
    did_close (server, params);
  else if (g_str_equal (method, "workspace/didChangeConfiguration"))
    set_models (server, rsp_json_get (params, "settings", "rspcheck", NULL));
  else if (g_str_equal (method, "$/cancelRequest") && rsp_json_get (params, "id", NULL)) {
    g_autofree char *id = json_to_string (rsp_json_get (params, "id", NULL), FALSE);
    lsp_job_cancel (server, id, LSP_CANCELLED, "cancelled");
  }
}

/* ---- The loop ---- */

/* Is a request of the queue cancelled by a later message of it? */
static gboolean is_cancelled (const GPtrArray *queue, guint i, const char *id) {
  while (++i < queue->len)
    if (!g_strcmp0 (rsp_json_as_text (rsp_json_get (queue->pdata[i], "method", NULL)),
                    "$/cancelRequest")
        && rsp_json_get (queue->pdata[i], "params", "id", NULL)) {
      g_autofree char *other
          = json_to_string (rsp_json_get (queue->pdata[i], "params", "id", NULL), FALSE);
      if (g_str_equal (other, id))
        return TRUE;
    }
  return FALSE;
}

static void take_message (LspServer *server, const GPtrArray *queue, guint i) {
  JsonNode *message = queue->pdata[i], *id_node = rsp_json_get (message, "id", NULL);
  const char *method = rsp_json_as_text (rsp_json_get (message, "method", NULL));
  g_autofree char *id = id_node ? json_to_string (id_node, FALSE) : NULL;
  JsonNode *params = rsp_json_get (message, "params", NULL);
  g_autoptr (JsonNode) none = params ? json_node_ref (params) : rsp_json_object (NULL, NULL);
  if (json_node_get_node_type (message) != JSON_NODE_OBJECT)
    lsp_reply_error (server, "null", LSP_PARSE_ERROR, "this is not a message in JSON");
  else if (method && !id)
    take_notification (server, method, none);
  else if (method && is_cancelled (queue, i, id))
    lsp_reply_error (server, id, LSP_CANCELLED, "cancelled");
  else if (method)
    answer_request (server, method, id, none);
}

/* Waits for messages and for what jobs write. */
static void wait_for_more (LspServer *server) {
  g_autoptr (GArray) polled = g_array_new (FALSE, FALSE, sizeof (struct pollfd));
  const struct pollfd in = { .fd = server->connection.in, .events = POLLIN };
  g_array_append_val (polled, in);
  lsp_jobs_poll (server, polled);
  poll ((struct pollfd *) (gpointer) polled->data, polled->len, -1);
  if (g_array_index (polled, struct pollfd, 0).revents)
    lsp_connection_read (&server->connection);
  lsp_jobs_read (server);
}

static void take_all (LspServer *server) {
  g_autoptr (GPtrArray) queue = g_ptr_array_new_with_free_func ((GDestroyNotify) json_node_unref);
  JsonNode *message;
  while ((message = lsp_connection_take (&server->connection)))
    g_ptr_array_add (queue, message);
  for (guint i = 0; i < queue->len && !server->ended; i++)
    take_message (server, queue, i);
}

/* The messages under another number, so that a model that includes /dev/stdin does not read them.
 */
static int take_input (int in) {
  int own = dup (in), none = open ("/dev/null", O_RDONLY);
  if (own >= 0 && none >= 0)
    dup2 (none, in);
  return own >= 0 ? own : in;
}

gboolean rsp_lsp_run (int in, int out, const GPtrArray *models) {
  LspServer server = {
    .documents
    = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) lsp_document_free),
    .texts
    = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) rsp_source_unref),
    .models = g_ptr_array_new_with_free_func (g_free),
    .jobs = g_ptr_array_new_with_free_func (lsp_jobs_free),
  };
  signal (SIGPIPE, SIG_IGN);
  lsp_connection_init (&server.connection, take_input (in), out);
  for (guint i = 0; i < models->len; i++)
    g_ptr_array_add (server.models, g_strdup (models->pdata[i]));
  while (!server.ended && !server.connection.ended) {
    wait_for_more (&server);
    take_all (&server);
    publish (&server);
  }
  g_free (server.folder);
  g_ptr_array_unref (server.jobs);
  g_ptr_array_unref (server.models);
  g_hash_table_unref (server.texts);
  g_hash_table_unref (server.documents);
  lsp_connection_clear (&server.connection);
  return server.ended && server.shutdown;
}
