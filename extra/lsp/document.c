/* Documents: positions, words and places in them, changes, and the connection to the editor. */
#include "api/api.h"
#include "base/base.h"
#include "base/json.h"
#include "cli/extra.h"
#include "extra/lsp/internal.h"
#include "model/model.h"
#include "parser/litmus/litmus.h"
#include "report/report.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* ---- Changes -------------------------------------------------------------------------------- */

enum { MOST_TESTS = 2000, MOST_NAMED = 5 };

typedef struct Pair {
  RspModel *before, *after;
} Pair;

static void clear_pair (gpointer data) {
  Pair *pair = data;
  rsp_model_free (pair->before);
  rsp_model_free (pair->after);
}

/* ---- Models ---- */
/* The model with this text of the document; NULL if it has errors. */
static RspModel *load_with (LspServer *server, const char *name, const LspDocument *document,
                            RspSource *text) {
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  g_hash_table_insert (server->texts, g_strdup (document->path), rsp_source_ref (text));
  return lsp_load_model (server, name, document->path, unread);
}

/* Adds the model before and after the edit, if both can be read and the document is part of it. */
static void add_pair (LspServer *server, const char *name, const LspDocument *document,
                      GArray *pairs) {
  Pair pair = { .before = load_with (server, name, document, document->before),
                .after = load_with (server, name, document, document->source) };
  gboolean has_document = FALSE;
  for (guint i = 0; pair.before && pair.after && i < pair.after->sources->len; i++) {
    const RspSource *source = pair.after->sources->pdata[i];
    g_autofree char *path = rsp_model_resolve (source->name);
    has_document |= g_str_equal (path, document->path);
  }
  if (has_document)
    g_array_append_val (pairs, pair);
  else
    clear_pair (&pair);
}

/* ---- Tests ---- */
static void add_tests (const char *folder, GPtrArray *paths) {
  g_autoptr (GDir) files = g_dir_open (folder, 0, NULL);
  for (const char *name; files && (name = g_dir_read_name (files)) && paths->len < MOST_TESTS;) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (*name != '.' && g_file_test (path, G_FILE_TEST_IS_DIR)
        && !g_file_test (path, G_FILE_TEST_IS_SYMLINK))
      add_tests (path, paths);
    else if (g_str_has_suffix (name, ".litmus"))
      g_ptr_array_add (paths, g_steal_pointer (&path));
  }
}

static RspRecord *run_test (const RspProgram *program, const RspModel *model, const char *path) {
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  RspRunOptions options = { .show = RSPCHECK_SHOW_NONE };
  rsp_check_options_init (&options.check);
  options.check.timeout = 1;
  RspRecord *record = rsp_run_begin (program, path, "", "");
  rsp_run (program, model, &options, record, unread);
  return record;
}

/* Does the edit change the test under some model? Sets *known if one has an answer before and
 * after. */
static gboolean is_changed (const RspProgram *program, const char *path, const GArray *pairs,
                            gboolean *known) {
  gboolean changed = FALSE;
  for (guint i = 0; i < pairs->len && !changed; i++) {
    const Pair *pair = &g_array_index (pairs, Pair, i);
    g_autoptr (RspRecord) before = run_test (program, pair->before, path),
                          after = run_test (program, pair->after, path);
    g_auto (RspChange) change = { 0 };
    rsp_change_init (&change, before, after);
    *known |= rsp_change_is_known (&change);
    changed = rsp_change_is_known (&change) && !rsp_change_is_none (&change);
  }
  return changed;
}

/* ---- All ---- */
/* Appends how many of the tests the edit changes, until the time `end`. */
static void compare_tests (const GPtrArray *paths, const GArray *pairs, LspServer *server,
                           gint64 end, GString *out) {
  g_autoptr (GString) names = g_string_new (NULL);
  guint i, n = 0, n_changed = 0;
  for (i = 0; i < paths->len && g_get_monotonic_time () < end; i++) {
    const char *path = paths->pdata[i];
    g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
    RspSource *open = g_hash_table_lookup (server->texts, path),
              *source = open ? rsp_source_ref (open) : rsp_source_read (path, NULL);
    g_autoptr (RspProgram) program = source ? rsp_litmus_parse (source, FALSE, unread) : NULL;
    gboolean known = FALSE, changed = program && is_changed (program, path, pairs, &known);
    n += known;
    n_changed += changed;
    if (changed && n_changed <= MOST_NAMED)
      g_string_append_printf (names, "%s%s", n_changed > 1 ? ", " : ": ", program->name);
  }
  g_string_append_printf (out, "the last edit changes %u of %s%u test%s%s%s", n_changed,
                          i < paths->len ? "the first " : "", n, n == 1 ? "" : "s", names->str,
                          n_changed > MOST_NAMED ? ", …" : "");
}

void lsp_changes_find (LspServer *server, const char *path, guint seconds, GString *out) {
  gint64 end = g_get_monotonic_time () + (gint64) seconds * G_USEC_PER_SEC;
  const LspDocument *document = NULL;
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *folder = g_path_get_dirname (path);
  GHashTableIter iter;
  gpointer open;
  g_hash_table_iter_init (&iter, server->documents);
  while (g_hash_table_iter_next (&iter, NULL, &open))
    document = g_str_equal (((LspDocument *) open)->path, path) ? open : document;
  g_array_set_clear_func (pairs, clear_pair);
  for (guint i = 0; i < server->models->len; i++)
    add_pair (server, server->models->pdata[i], document, pairs);
  if (pairs->len == 0)
    add_pair (server, path, document, pairs);
  add_tests (server->folder ? server->folder : folder, paths);
  g_ptr_array_sort (paths, rsp_compare_names);
  if (pairs->len)
    compare_tests (paths, pairs, server, end, out);
  else
    g_string_append (out, "the model has errors, or had some before the last edit");
}

/* ---- Document ------------------------------------------------------------------------------- */

/* ---- Positions ---- */
/* The end of the line that begins at text: its `\n`, `\r\n` or `\r`, or the end of all. */
static const char *end_of_line (const char *text, const char *end) {
  while (text < end && *text != '\n' && *text != '\r')
    text++;
  return text;
}

/* The start of the next line, or NULL after the last one. */
static const char *next_line (const char *text, const char *end) {
  text = end_of_line (text, end);
  if (text == end)
    return NULL;
  return text + (text[0] == '\r' && text + 1 < end && text[1] == '\n' ? 2 : 1);
}

/* How much a character counts in a position. */
static guint units (const char *character, const char *end, LspEncoding encoding) {
  gsize bytes = MIN ((gsize) (end - character), (gsize) (g_utf8_next_char (character) - character));
  if (encoding == LSP_UTF_8)
    return (guint) bytes;
  return encoding == LSP_UTF_16 && bytes == 4 ? 2 : 1;
}

guint lsp_offset (const RspSource *source, RspJson *position, LspEncoding encoding) {
  const char *text = source->text, *end = text + source->length;
  gint64 line = rsp_json_as_integer (rsp_json_get (position, "line", NULL), 0);
  gint64 character = rsp_json_as_integer (rsp_json_get (position, "character", NULL), 0);
  for (; line > 0; line--) {
    const char *next = next_line (text, end);
    if (!next)
      return (guint) source->length;
    text = next;
  }
  end = end_of_line (text, end);
  for (gint64 n = 0; text < end; text = MIN (g_utf8_next_char (text), end)) {
    n += units (text, end, encoding);
    if (n > character)
      break;
  }
  return (guint) (text - source->text);
}

static RspJson *position_of (const RspSource *source, guint offset, LspEncoding encoding) {
  const char *text = source->text, *end = text + source->length;
  const char *at = text + MIN (offset, source->length), *next;
  gint64 line = 0, character = 0;
  for (; (next = next_line (text, end)) && next <= at; text = next)
    line++;
  for (at = MIN (at, end_of_line (text, end)); text < at; text = g_utf8_next_char (text))
    character += units (text, end, encoding);
  return rsp_json_object ("line", rsp_json_number (line), "character", rsp_json_number (character),
                          NULL);
}

RspJson *lsp_range (const RspSource *source, guint begin, guint end, LspEncoding encoding) {
  return rsp_json_object ("start", position_of (source, begin, encoding), "end",
                          position_of (source, MAX (begin, end), encoding), NULL);
}

/* ---- Documents ---- */
/* Takes text. */
static void set_text (LspDocument *document, char *text, gsize length) {
  if (document->source)
    rsp_source_unref (document->source);
  document->source = rsp_source_new (document->path, text, length);
  document->changed = TRUE;
}

LspDocument *lsp_document_new (const char *uri, gint64 version, const char *text) {
  LspDocument *document = g_new0 (LspDocument, 1);
  document->uri = g_strdup (uri);
  g_autofree char *path = g_filename_from_uri (uri, NULL, NULL);
  document->path = rsp_model_resolve (path ? path : uri);
  document->kind
      = g_str_has_suffix (document->path, ".litmus") ? LSP_TEST
        : g_str_has_suffix (document->path, ".cat")  ? LSP_MODEL
        : g_str_has_suffix (document->path, ".map") || g_str_has_suffix (document->path, ".machine")
            ? LSP_MAPPING
        : g_str_has_suffix (document->path, ".cl") ? LSP_KERNEL
        : cli_kernels_of (document->path)          ? LSP_MODULE
                                                   : LSP_OTHER;
  document->version = version;
  set_text (document, g_strdup (text), strlen (text));
  document->before = rsp_source_ref (document->source);
  return document;
}

void lsp_document_free (LspDocument *document) {
  rsp_source_unref (document->source);
  rsp_source_unref (document->before);
  rsp_json_unref (document->flagged);
  g_free (document->uri);
  g_free (document->path);
  g_free (document);
}

void lsp_document_change (LspDocument *document, RspJson *changes, LspEncoding encoding) {
  if (document->saved) {
    rsp_source_unref (document->before);
    document->before = rsp_source_ref (document->source);
    document->saved = FALSE;
  }
  for (guint i = 0; changes && i < rsp_json_length (changes); i++) {
    RspJson *change = rsp_json_item (changes, i);
    RspJson *range = rsp_json_get (change, "range", NULL);
    const char *text = rsp_json_as_text (rsp_json_get (change, "text", NULL));
    const RspSource *old = document->source;
    guint begin = range ? lsp_offset (old, rsp_json_get (range, "start", NULL), encoding) : 0;
    guint end = range ? lsp_offset (old, rsp_json_get (range, "end", NULL), encoding)
                      : (guint) old->length;
    GString *all = g_string_new_len (old->text, begin);
    g_string_append (all, text ? text : "");
    g_string_append (all, old->text + MAX (begin, end));
    gsize length = all->len;
    set_text (document, g_string_free (all, FALSE), length);
  }
}

/* ---- Models ---- */
RspModel *lsp_read_model (LspServer *server, const char *path, RspDiagnostics *diagnostics) {
  g_auto (GStrv) directories = rsp_directories ("cat", NULL, path);
  return rsp_model_read (path, (const char *const *) directories, server->texts, NULL, diagnostics);
}

const char *lsp_model_name (const LspServer *server, guint number, const char *usual) {
  if (number < server->models->len)
    return server->models->pdata[number];
  return number == 0 ? usual : NULL;
}

RspModel *lsp_load_model (LspServer *server, const char *name, const char *test,
                          RspDiagnostics *diagnostics) {
  g_auto (GStrv) directories = rsp_directories ("cat", NULL, test);
  return rsp_model_load_with (name, (const char *const *) directories, server->texts, NULL,
                              diagnostics);
}

/* ---- Places ---- */
RspJson *lsp_range_of (const LspServer *server, RspSpan span) {
  return lsp_range (span.source, span.begin, span.end, server->encoding);
}

/* The URI of a path without links: the open document's, or the file's; NULL if it is neither. Newly
 * allocated. */
static char *uri_of (const LspServer *server, const char *path) {
  GHashTableIter iter;
  gpointer open;
  g_hash_table_iter_init (&iter, server->documents);
  while (g_hash_table_iter_next (&iter, NULL, &open))
    if (g_str_equal (((LspDocument *) open)->path, path))
      return g_strdup (((LspDocument *) open)->uri);
  return g_path_is_absolute (path) && g_file_test (path, G_FILE_TEST_EXISTS)
             ? g_filename_to_uri (path, NULL, NULL)
             : NULL;
}

/* Takes the range. */
static RspJson *location (const LspServer *server, const char *file, RspJson *range) {
  g_autofree char *path = rsp_model_resolve (file);
  g_autofree char *uri = uri_of (server, path);
  if (uri)
    return rsp_json_object ("uri", rsp_json_text (uri), "range", range, NULL);
  rsp_json_unref (range);
  return NULL;
}

RspJson *lsp_location (const LspServer *server, RspSpan span) {
  return location (server, span.source->name, lsp_range_of (server, span));
}

RspJson *lsp_file (const LspServer *server, const char *path) {
  g_autoptr (RspSource) nothing = rsp_source_new (path, g_strdup (""), 0);
  return location (server, path, lsp_range (nothing, 0, 0, server->encoding));
}

static gboolean is_in_word (char c, gboolean is_c) {
  return g_ascii_isalnum (c) || c == '_' || (!is_c && c && strchr (".-'", c));
}

RspSpan lsp_word (RspSource *source, guint offset, gboolean is_c) {
  const char *text = source->text;
  guint begin = MIN (offset, (guint) source->length), end = begin;
  while (begin > 0 && is_in_word (text[begin - 1], is_c))
    begin--;
  while (is_in_word (text[end], is_c))
    end++;
  return begin < end ? (RspSpan){ source, begin, end } : RSP_NOWHERE;
}

RspSpan lsp_next_word (RspSource *source, const char *name, guint from) {
  gsize length = strlen (name);
  for (const char *at = source->text + from; (at = strstr (at, name)); at += length) {
    guint begin = (guint) (at - source->text);
    RspSpan found = lsp_word (source, begin, TRUE);
    if (found.begin == begin && found.end - begin == length)
      return found;
  }
  return RSP_NOWHERE;
}

RspSpan lsp_quoted_after (RspSource *source, guint offset, const char *word) {
  guint line, column;
  rsp_source_position (source, offset, &line, &column);
  const char *text = source->text + source->lines[line - 1];
  text += strspn (text, " \t");
  if (!g_str_has_prefix (text, word))
    return RSP_NOWHERE;
  text += strlen (word) + strspn (text + strlen (word), " \t");
  gsize length = *text == '"' ? strcspn (text + 1, "\"\r\n") : 0;
  if (!length || text[length + 1] != '"')
    return RSP_NOWHERE;
  guint begin = (guint) (text + 1 - source->text);
  return (RspSpan){ source, begin, begin + (guint) length };
}

gboolean lsp_is_c_name (const char *name) {
  return name && *name && !g_ascii_isdigit (*name)
         && strspn (name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_") == strlen (name);
}

gboolean lsp_call_at (const RspSource *source, guint offset, guint *end, int *commas) {
  guint depth = 0;
  *commas = 0;
  for (guint i = MIN (offset, (guint) source->length); i-- > 0;)
    switch (source->text[i]) {
    case ')':
      depth++;
      break;
    case ',':
      *commas += depth == 0;
      break;
    case '(':
      if (depth-- > 0)
        break;
      for (*end = i; *end > 0 && g_ascii_isspace (source->text[*end - 1]);)
        --*end;
      return TRUE;
    default:
      break;
    }
  return FALSE;
}

guint lsp_offset_of (const LspServer *server, const LspDocument *document, RspJson *params) {
  return lsp_offset (document->source, rsp_json_get (params, "position", NULL), server->encoding);
}

/* ---- Answers ---- */
void lsp_add_symbol (const LspServer *server, RspJson *array, const char *name, int kind,
                     RspSpan all, RspSpan own) {
  rsp_json_add (array, rsp_json_object ("name", rsp_json_text (name), "kind",
                                        rsp_json_number (kind), "range", lsp_range_of (server, all),
                                        "selectionRange", lsp_range_of (server, own), NULL));
}

void lsp_add_fold (RspJson *array, RspSpan span) {
  guint first = rsp_span_line (span) - 1,
        last = rsp_span_line ((RspSpan){ span.source, span.end, span.end }) - 1;
  if (last > first)
    rsp_json_add (array, rsp_json_object ("startLine", rsp_json_number (first), "endLine",
                                          rsp_json_number (last), NULL));
}

RspJson *lsp_hover (const LspServer *server, RspSpan place, const char *text) {
  return rsp_json_object (
      "contents",
      rsp_json_object ("kind", rsp_json_text ("markdown"), "value", rsp_json_text (text), NULL),
      "range", lsp_range_of (server, place), NULL);
}

RspJson *lsp_signature (const char *head, int parameter) {
  g_auto (GStrv) words = g_strsplit_set (strchr (head, '(') + 1, ",)", -1);
  RspJson *parameters = rsp_json_list (), *all = rsp_json_list ();
  for (guint i = 0; words[i] && words[i + 1]; i++)
    rsp_json_add (parameters,
                  rsp_json_object ("label", rsp_json_text (g_strstrip (words[i])), NULL));
  rsp_json_add (all,
                rsp_json_object ("label", rsp_json_text (head), "parameters", parameters, NULL));
  return rsp_json_object ("signatures", all, "activeSignature", rsp_json_number (0),
                          "activeParameter", rsp_json_number (parameter), NULL);
}

RspJson *lsp_replace_all (RspJson *places, const char *name) {
  RspJson *changes = rsp_json_empty ();
  RspJson *all = rsp_json_as_list (places);
  for (guint i = 0; i < rsp_json_length (all); i++) {
    RspJson *place = rsp_json_item (all, i);
    const char *uri = rsp_json_as_text (rsp_json_get (place, "uri", NULL));
    if (!rsp_json_get (changes, uri, NULL))
      rsp_json_set (changes, uri, rsp_json_list ());
    rsp_json_add (rsp_json_get (changes, uri, NULL),
                  rsp_json_object ("range", rsp_json_ref (rsp_json_get (place, "range", NULL)),
                                   "newText", rsp_json_text (name), NULL));
  }
  return rsp_json_object ("changes", changes, NULL);
}

/* ---- Completion ---- */
void lsp_offer (RspJson *items, GHashTable *offered, const char *label, LspCompletionKind kind,
                const char *detail) {
  if (g_hash_table_add (offered, g_strdup (label)))
    rsp_json_add (items,
                  rsp_json_object ("label", rsp_json_text (label), "kind", rsp_json_number (kind),
                                   "detail", detail ? rsp_json_text (detail) : NULL, NULL));
}

/* ---- Connection ----------------------------------------------------------------------------- */

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

RspJson *lsp_connection_take (LspConnection *connection) {
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
  RspJson *message = rsp_json_parse (received->str + header + 4, (gsize) length, NULL);
  g_string_erase (received, 0, (gssize) (header + 4 + (gsize) length));
  return message ? message : rsp_json_null ();
}

gboolean lsp_write (int file, const GString *text) {
  for (gsize sent = 0; sent < text->len;) {
    gssize n = write (file, text->str + sent, text->len - sent);
    if (n < 0 && errno != EINTR)
      return FALSE;
    sent += n > 0 ? (gsize) n : 0;
  }
  return TRUE;
}

void lsp_connection_send (LspConnection *connection, RspJson *message) {
  g_autoptr (GString) text = g_string_new (NULL);
  rsp_json_append_line (message, text);
  rsp_json_unref (message);
  g_autofree char *header
      = g_strdup_printf ("Content-Length: %" G_GSIZE_FORMAT "\r\n\r\n", text->len);
  g_string_prepend (text, header);
  connection->ended |= !lsp_write (connection->out, text);
}
