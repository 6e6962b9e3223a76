#include "lsp/languages/kernel_names.h"
#include "lsp/languages/kernel_declarations.h"

#include "parser/kernel/preprocess.h"

#include <string.h>

enum {
  MOST_FILES = 50 /* that are included */
};

typedef LspKernelToken Token;

/* ---- Tokens ---- */

/* Appends the tokens of a span. */
static void scan (LspKernelNames *names, RspSpan span, gboolean in_assertion, GArray *tokens) {
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  LitmusScan state;
  LitmusToken token;
  TokenRange range;
  int before = TOKEN_EOF;
  rsp_kernel_scan_begin (&state, span, names->arena, unread);
  for (int kind; (kind = rsp_kernel_flex_lex (&token, &range, state.flex)) != TOKEN_EOF;
       before = kind) {
    const Token one = { .kind = kind,
                        .begin = range.begin,
                        .end = range.end,
                        .word = kind == KERNEL_TOKEN_NAME ? token.name : NULL,
                        .is_member = before == '.' || before == KERNEL_TOKEN_ARROW,
                        .is_tag = before == KERNEL_TOKEN_STRUCT || before == KERNEL_TOKEN_UNION
                                  || before == KERNEL_TOKEN_ENUM,
                        .in_assertion = in_assertion };
    g_array_append_val (tokens, one);
  }
  rsp_kernel_scan_end (&state);
}

/* ---- Files ---- */

typedef struct File {
  const LspServer *server;
  LspKernelNames *names;
  RspSource *source;
  GArray *others; /* of Token: those of directives and assertions */
} File;

static void read_file (const LspServer *server, LspKernelNames *names, RspSource *source);

char *lsp_kernel_included_path (const char *from, const char *name) {
  g_autofree char *path = g_canonicalize_filename (from, NULL);
  g_autofree char *folder = g_path_get_dirname (path);
  return g_canonicalize_filename (name, folder);
}

/* Reads a file unless that has been done. */
static void include (const File *file, const char *name) {
  GPtrArray *sources = file->names->sources;
  g_autofree char *path = lsp_kernel_included_path (file->source->name, name);
  RspSource *open = g_hash_table_lookup (file->server->texts, path);
  for (guint i = 0; i < sources->len; i++)
    if (g_str_equal (((RspSource *) sources->pdata[i])->name, path))
      return;
  RspSource *source = sources->len > MOST_FILES ? NULL
                      : open                    ? rsp_source_ref (open)
                                                : rsp_source_read (path, NULL);
  if (!source)
    return;
  guint first = file->names->names->len;
  g_ptr_array_add (sources, source);
  read_file (file->server, file->names, source);
  for (guint i = file->names->names->len; i-- > first;)
    if (!lsp_kernel_nth (file->names, i)->is_outer)
      g_array_remove_index (file->names->names, i);
}

/* `define NAME (a, b) …`: the macro, and what it calls its parameters. */
static void define (const File *file, guint i, guint end) {
  GArray *tokens = file->others;
  const Token *name = &g_array_index (tokens, Token, i);
  if (i >= tokens->len || !name->word)
    return;
  lsp_kernel_declare (file->names, file->source, name, LSP_KERNEL_MACRO, TRUE);
  guint first = file->names->names->len;
  if (file->source->text[name->end] == '(')
    for (guint k = i + 2; k < tokens->len && g_array_index (tokens, Token, k).kind != ')'; k++)
      if (g_array_index (tokens, Token, k).word)
        lsp_kernel_declare (file->names, file->source, &g_array_index (tokens, Token, k),
                            LSP_KERNEL_PARAMETER, FALSE);
  lsp_kernel_end_scope (file->names, first, end);
}

/* What is behind the # of a directive. */
static void read_directive (const File *file, guint begin, guint end) {
  const char *text = file->source->text;
  guint first = file->others->len;
  scan (file->names, (RspSpan){ file->source, begin, end }, FALSE, file->others);
  const Token *word = &g_array_index (file->others, Token, first);
  if (first == file->others->len || !word->word)
    return;
  const char *quote = memchr (text + word->end, '"', end - word->end);
  if (g_str_equal (word->word, "define"))
    define (file, first + 1, end);
  else if (g_str_equal (word->word, "include") && quote) {
    g_autofree char *name = g_strndup (quote + 1, strcspn (quote + 1, "\"\n"));
    include (file, name);
  }
}

/* Is a comment open behind the line that was open, or not, before it? */
static gboolean is_comment_open (const char *line, const char *end, gboolean is_open) {
  for (; line + 1 < end; line++)
    if (is_open ? g_str_has_prefix (line, "*/") : g_str_has_prefix (line, "/*")) {
      is_open = !is_open;
      line++;
    } else if (!is_open && g_str_has_prefix (line, "//"))
      break;
  return is_open;
}

/* The end of a line and of those that continue it. */
static guint line_end (const RspSource *source, guint *line) {
  for (;; ++*line) {
    guint end = *line + 1 < source->n_lines ? source->lines[*line + 1] : (guint) source->length;
    guint last = end;
    while (last > source->lines[*line] && strchr ("\r\n", source->text[last - 1]))
      last--;
    if (last == source->lines[*line] || source->text[last - 1] != '\\'
        || *line + 1 >= source->n_lines)
      return end;
  }
}

/* Reads directives and assertions; the text without the directives, newly allocated. */
static char *read_lines (const File *file) {
  const RspSource *source = file->source;
  char *code = g_strndup (source->text, source->length);
  gboolean in_comment = FALSE;
  for (guint line = 0; line < source->n_lines; line++) {
    guint whole = source->lines[line], end = line_end (source, &line);
    guint begin = whole + (guint) strspn (source->text + whole, " \t");
    const char *asserted = rsp_kernel_assertion (source->text + begin);
    if (!in_comment && source->text[begin] == '#') {
      read_directive (file, begin + 1, end);
      memset (code + begin, ' ', end - begin);
    } else if (asserted)
      scan (file->names, (RspSpan){ file->source, (guint) (asserted - source->text), end }, TRUE,
            file->others);
    in_comment = is_comment_open (code + whole, code + end, in_comment);
  }
  return code;
}

static int compare_tokens (gconstpointer a, gconstpointer b) {
  guint x = ((const Token *) a)->begin, y = ((const Token *) b)->begin;
  return (x > y) - (x < y);
}

static void read_file (const LspServer *server, LspKernelNames *names, RspSource *source) {
  g_autoptr (GArray) tokens = g_array_new (FALSE, FALSE, sizeof (Token)),
                     others = g_array_new (FALSE, FALSE, sizeof (Token));
  const File file = { server, names, source, others };
  char *text = read_lines (&file);
  g_autoptr (RspSource) code = rsp_source_new (source->name, text, source->length);
  scan (names, (RspSpan){ code, 0, (guint) code->length }, FALSE, tokens);
  lsp_kernel_read_declarations (names, source, tokens);
  if (source != names->sources->pdata[0])
    return;
  g_array_append_vals (tokens, others->data, others->len);
  for (guint i = 0; i < tokens->len; i++)
    if (g_array_index (tokens, Token, i).word)
      g_array_append_val (names->tokens, g_array_index (tokens, Token, i));
  g_array_sort (names->tokens, compare_tokens);
}

static void clear_name (gpointer name) { g_free (((LspKernelName *) name)->name); }

LspKernelNames *lsp_kernel_names_new (const LspServer *server, const LspDocument *document) {
  LspKernelNames *names = g_new0 (LspKernelNames, 1);
  names->names = g_array_new (FALSE, FALSE, sizeof (LspKernelName));
  names->tokens = g_array_new (FALSE, FALSE, sizeof (Token));
  names->arena = rsp_arena_new ();
  names->sources = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_source_unref);
  g_array_set_clear_func (names->names, clear_name);
  g_ptr_array_add (names->sources, rsp_source_ref (document->source));
  read_file (server, names, document->source);
  return names;
}

void lsp_kernel_names_free (LspKernelNames *names) {
  g_array_unref (names->names);
  g_array_unref (names->tokens);
  g_ptr_array_unref (names->sources);
  rsp_arena_free (names->arena);
  g_free (names);
}

/* ---- Meanings ---- */

static const LspKernelName *meaning_of (const LspKernelNames *names, const Token *token) {
  const LspKernelName *found
      = lsp_kernel_look_up (names, token->word, token->is_member, token->is_tag, token->begin);
  for (guint i = names->names->len; i-- > 0 && !found && token->in_assertion;) {
    const LspKernelName *name = lsp_kernel_nth (names, i);
    if (name->kind == LSP_KERNEL_PARAMETER && g_str_equal (name->name, token->word))
      found = name;
  }
  return found;
}

const LspKernelName *lsp_kernel_name_at (const LspKernelNames *names, guint offset,
                                         RspSpan *place) {
  *place = RSP_NOWHERE;
  for (guint i = 0; i < names->tokens->len; i++) {
    const Token *token = &g_array_index (names->tokens, Token, i);
    if (token->begin <= offset && offset <= token->end) {
      *place = (RspSpan){ names->sources->pdata[0], token->begin, token->end };
      return meaning_of (names, token);
    }
  }
  return NULL;
}

GArray *lsp_kernel_name_uses (const LspKernelNames *names, RspSpan place) {
  GArray *uses = g_array_new (FALSE, FALSE, sizeof (RspSpan));
  const Token *own = NULL;
  for (guint i = 0; i < names->tokens->len; i++)
    if (g_array_index (names->tokens, Token, i).begin == place.begin)
      own = &g_array_index (names->tokens, Token, i);
  for (guint i = 0; own && i < names->tokens->len; i++) {
    const Token *token = &g_array_index (names->tokens, Token, i);
    RspSpan span = { place.source, token->begin, token->end };
    if (g_str_equal (token->word, own->word) && token->is_member == own->is_member
        && meaning_of (names, token) == meaning_of (names, own))
      g_array_append_val (uses, span);
  }
  return uses;
}
