/* Kernels in an editor: declarations, scopes, names. */
#include "extra/lsp/internal.h"
#include "parser/kernel/kernel.h"

#include <string.h>

static void lsp_kernel_names_free (LspKernelNames *names);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LspKernelNames, lsp_kernel_names_free)

/* ---- Kernel scopes -------------------------------------------------------------------------- */

enum { EVERYWHERE = G_MAXUINT };

static gboolean lsp_kernel_name_is_visible (const LspKernelName *name, guint offset) {
  return name->begin <= offset && offset <= name->end;
}

static LspKernelName *lsp_kernel_nth (const LspKernelNames *names, guint i) {
  return &g_array_index (names->names, LspKernelName, i);
}

/* The innermost name that a word means at a byte; NULL if there is none. Members and tags are apart
 * from others. */
static LspKernelName *lsp_kernel_look_up (const LspKernelNames *names, const char *word,
                                          gboolean is_member, gboolean is_tag, guint offset) {
  LspKernelName *found = NULL;
  for (guint i = 0; i < names->names->len; i++) {
    LspKernelName *name = lsp_kernel_nth (names, i);
    if (g_str_equal (name->name, word) && lsp_kernel_name_is_visible (name, offset)
        && (name->kind == RSP_KERNEL_MEMBER) == is_member
        && (name->kind == RSP_KERNEL_TAG) == is_tag && (!found || name->begin > found->begin))
      found = name;
  }
  return found;
}

/* Declares a word from there on, unless that has been done outside of functions: by a prototype, in
 * another branch of #if, in another structure. */
static LspKernelName *lsp_kernel_declare (LspKernelNames *names, RspSource *source,
                                          const LspKernelToken *token, RspKernelNameKind kind,
                                          gboolean is_outer, guint end) {
  gboolean is_member = kind == RSP_KERNEL_MEMBER,
           is_anywhere
           = is_member || kind == RSP_KERNEL_MACRO || source != names->sources->pdata[0];
  LspKernelName *old
      = lsp_kernel_look_up (names, token->word, is_member, kind == RSP_KERNEL_TAG, EVERYWHERE);
  is_outer = (is_outer && kind != RSP_KERNEL_PARAMETER) || is_member;
  if (old && is_outer && old->is_outer)
    return old;
  const LspKernelName name = { .name = g_strdup (token->word),
                               .kind = kind,
                               .is_outer = is_outer,
                               .span = { source, token->begin, token->end },
                               .whole_end = token->end,
                               .begin = is_anywhere ? 0 : token->begin,
                               .end = is_outer ? EVERYWHERE : end };
  g_array_append_val (names->names, name);
  return lsp_kernel_nth (names, names->names->len - 1);
}

/* ---- Kernel names --------------------------------------------------------------------------- */

/* The names of a kernel's file: where each is declared, and where it is visible. The kernel's
 * parser finds declarations in the text before the preprocessor, and passes over errors; macros,
 * and the words that mean a name, are found token by token. */

enum {
  MOST_FILES = 50 /* that are included */
};

/* ---- Tokens ---- */
/* Appends the tokens of a span. */
static void scan (LspKernelNames *names, RspSpan span, gboolean in_assertion, GArray *tokens) {
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  LitmusScan state;
  LitmusToken token;
  TokenRange range;
  int before = TOKEN_EOF;
  rsp_c_scan_begin (&state, C_UNIT, span, names->arena, unread);
  for (int kind; (kind = rsp_c_flex_lex (&token, &range, state.flex)) != TOKEN_EOF; before = kind) {
    const LspKernelToken one
        = { .kind = kind,
            .begin = range.begin,
            .end = range.end,
            .word = kind == C_TOKEN_NAME ? token.name : NULL,
            .is_member = before == '.' || before == C_TOKEN_ARROW,
            .is_tag = before == C_TOKEN_STRUCT || before == C_TOKEN_UNION || before == C_TOKEN_ENUM,
            .in_assertion = in_assertion };
    g_array_append_val (tokens, one);
  }
  rsp_c_scan_end (&state);
}

/* ---- Files ---- */
typedef struct File {
  const LspServer *server;
  LspKernelNames *names;
  RspSource *source;
  GArray *others; /* of Token: those of directives and assertions */
} File;

static void read_file (const LspServer *server, LspKernelNames *names, RspSource *source);

/* The absolute path that `#include "name"` means in the file `from`. Newly allocated. */
static char *lsp_kernel_included_path (const char *from, const char *name) {
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

/* Reads a directive, from behind its #. */
static void read_directive (const File *file, guint begin, guint end) {
  const char *text = file->source->text;
  guint first = file->others->len;
  scan (file->names, (RspSpan){ file->source, begin, end }, FALSE, file->others);
  const LspKernelToken *word = &g_array_index (file->others, LspKernelToken, first);
  if (first == file->others->len || !word->word)
    return;
  const char *quote = memchr (text + word->end, '"', end - word->end);
  if (g_str_equal (word->word, "define")) {
    guint i = first + 1;
    /* `define NAME (a, b) …`: the macro, and what it calls its parameters. */
    GArray *tokens = file->others;
    const LspKernelToken *name = &g_array_index (tokens, LspKernelToken, i);
    if (i < tokens->len && name->word) {
      lsp_kernel_declare (file->names, file->source, name, RSP_KERNEL_MACRO, TRUE, EVERYWHERE);
      if (file->source->text[name->end] == '(')
        for (guint k = i + 2;
             k < tokens->len && g_array_index (tokens, LspKernelToken, k).kind != ')'; k++)
          if (g_array_index (tokens, LspKernelToken, k).word)
            lsp_kernel_declare (file->names, file->source,
                                &g_array_index (tokens, LspKernelToken, k), RSP_KERNEL_PARAMETER,
                                FALSE, end);
    }
  } else if (g_str_equal (word->word, "include") && quote) {
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

/* Declares what the code of a source declares; in its tokens, members are marked. */
static void declare_all (LspKernelNames *names, RspSource *source, RspSource *code,
                         GArray *tokens) {
  g_autoptr (GHashTable) types = g_hash_table_new (g_str_hash, g_str_equal),
                         macros = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < names->names->len; i++) {
    const LspKernelName *name = lsp_kernel_nth (names, i);
    if (name->kind == RSP_KERNEL_TYPE || name->kind == RSP_KERNEL_MACRO)
      g_hash_table_add (name->kind == RSP_KERNEL_TYPE ? types : macros, name->name);
  }
  g_autoptr (GArray) found = rsp_kernel_names (code, types, macros, names->arena);
  for (guint i = 0, t = 0; i < found->len; i++) {
    const RspKernelName *one = &g_array_index (found, RspKernelName, i);
    while (t < tokens->len && g_array_index (tokens, LspKernelToken, t).begin < one->begin)
      t++;
    LspKernelToken *token = &g_array_index (tokens, LspKernelToken, t);
    if (t == tokens->len || token->begin != one->begin || !token->word)
      continue;
    token->is_member = one->kind == RSP_KERNEL_MEMBER;
    LspKernelName *name
        = lsp_kernel_declare (names, source, token, one->kind, one->is_outer, one->scope_end);
    if (one->body_end) {
      name->span = (RspSpan){ source, one->begin, one->end };
      name->whole_end = one->body_end;
    }
  }
}

static int compare_tokens (gconstpointer a, gconstpointer b) {
  guint x = ((const LspKernelToken *) a)->begin, y = ((const LspKernelToken *) b)->begin;
  return (x > y) - (x < y);
}

static void read_file (const LspServer *server, LspKernelNames *names, RspSource *source) {
  g_autoptr (GArray) tokens = g_array_new (FALSE, FALSE, sizeof (LspKernelToken)),
                     others = g_array_new (FALSE, FALSE, sizeof (LspKernelToken));
  const File file = { server, names, source, others };
  char *text = read_lines (&file);
  g_autoptr (RspSource) code = rsp_source_new (source->name, text, source->length);
  scan (names, (RspSpan){ code, 0, (guint) code->length }, FALSE, tokens);
  declare_all (names, source, code, tokens);
  if (source != names->sources->pdata[0])
    return;
  g_array_append_vals (tokens, others->data, others->len);
  for (guint i = 0; i < tokens->len; i++)
    if (g_array_index (tokens, LspKernelToken, i).word)
      g_array_append_val (names->tokens, g_array_index (tokens, LspKernelToken, i));
  g_array_sort (names->tokens, compare_tokens);
}

static void clear_name (gpointer name) { g_free (((LspKernelName *) name)->name); }

/* The names of a document and of the files that it includes with quotes, from the editor or from
 * disk. */
static LspKernelNames *lsp_kernel_names_new (const LspServer *server, const LspDocument *document) {
  LspKernelNames *names = g_new0 (LspKernelNames, 1);
  names->names = g_array_new (FALSE, FALSE, sizeof (LspKernelName));
  names->tokens = g_array_new (FALSE, FALSE, sizeof (LspKernelToken));
  names->arena = rsp_arena_new ();
  names->sources = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_source_unref);
  g_array_set_clear_func (names->names, clear_name);
  g_ptr_array_add (names->sources, rsp_source_ref (document->source));
  read_file (server, names, document->source);
  return names;
}

static void lsp_kernel_names_free (LspKernelNames *names) {
  g_array_unref (names->names);
  g_array_unref (names->tokens);
  g_ptr_array_unref (names->sources);
  rsp_arena_free (names->arena);
  g_free (names);
}

/* ---- Meanings ---- */
static const LspKernelName *meaning_of (const LspKernelNames *names, const LspKernelToken *token) {
  const LspKernelName *found
      = lsp_kernel_look_up (names, token->word, token->is_member, token->is_tag, token->begin);
  for (guint i = names->names->len; i-- > 0 && !found && token->in_assertion;) {
    const LspKernelName *name = lsp_kernel_nth (names, i);
    if (name->kind == RSP_KERNEL_PARAMETER && g_str_equal (name->name, token->word))
      found = name;
  }
  return found;
}

/* The name that the word around a byte means, and the word's place; NULL if it is not declared. */
static const LspKernelName *lsp_kernel_name_at (const LspKernelNames *names, guint offset,
                                                RspSpan *place) {
  *place = RSP_NOWHERE;
  for (guint i = 0; i < names->tokens->len; i++) {
    const LspKernelToken *token = &g_array_index (names->tokens, LspKernelToken, i);
    if (token->begin <= offset && offset <= token->end) {
      *place = (RspSpan){ names->sources->pdata[0], token->begin, token->end };
      return meaning_of (names, token);
    }
  }
  return NULL;
}

/* The places (of RspSpan) of the text, in order, at which the word means the same as at `place`.
 * Newly allocated. */
static GArray *lsp_kernel_name_uses (const LspKernelNames *names, RspSpan place) {
  GArray *uses = g_array_new (FALSE, FALSE, sizeof (RspSpan));
  const LspKernelToken *own = NULL;
  for (guint i = 0; i < names->tokens->len; i++)
    if (g_array_index (names->tokens, LspKernelToken, i).begin == place.begin)
      own = &g_array_index (names->tokens, LspKernelToken, i);
  for (guint i = 0; own && i < names->tokens->len; i++) {
    const LspKernelToken *token = &g_array_index (names->tokens, LspKernelToken, i);
    RspSpan span = { place.source, token->begin, token->end };
    if (g_str_equal (token->word, own->word) && token->is_member == own->is_member
        && meaning_of (names, token) == meaning_of (names, own))
      g_array_append_val (uses, span);
  }
  return uses;
}

/* ---- Kernel --------------------------------------------------------------------------------- */

static const struct {
  const char *words;
  int symbol; /* the protocol's kind */
  LspCompletionKind completion;
} kinds[] = {
  [RSP_KERNEL_FUNCTION] = { "a function", 12, LSP_COMPLETE_FUNCTION },
  [RSP_KERNEL_PARAMETER] = { "a parameter", 13, LSP_COMPLETE_VARIABLE },
  [RSP_KERNEL_VARIABLE] = { "a variable", 13, LSP_COMPLETE_VARIABLE },
  [RSP_KERNEL_TYPE] = { "a type", 23, LSP_COMPLETE_TYPE },
  [RSP_KERNEL_TAG] = { "the tag of a type", 23, LSP_COMPLETE_TYPE },
  [RSP_KERNEL_MEMBER] = { "a member", 8, LSP_COMPLETE_VARIABLE },
  [RSP_KERNEL_ENUMERATOR] = { "a constant", 22, LSP_COMPLETE_CONSTANT },
  [RSP_KERNEL_MACRO] = { "a macro", 14, LSP_COMPLETE_CONSTANT },
};

/* ---- One name ---- */
RspJson *lsp_kernel_hover (LspServer *server, const LspDocument *document, RspJson *params) {
  RspSpan place;
  g_autoptr (LspKernelNames) names = lsp_kernel_names_new (server, document);
  const LspKernelName *name
      = lsp_kernel_name_at (names, lsp_offset_of (server, document, params), &place);
  if (!name)
    return lsp_kernel_word_hover (server, document, params);
  /* The line on which it is declared, without what surrounds it. */
  const char *all = name->span.source->text, *begin = all + name->span.begin;
  while (begin > all && begin[-1] != '\n')
    begin--;
  g_autofree char *line = g_strstrip (g_strndup (begin, strcspn (begin, "\r\n")));
  g_autofree char *file = g_path_get_basename (name->span.source->name);
  g_autofree char *text
      = g_strdup_printf ("```c\n%s\n```\n`%s` is %s, declared in %s, line %u", line, name->name,
                         kinds[name->kind].words, file, rsp_span_line (name->span));
  return lsp_hover (server, place, text);
}

/* The file that the line of the byte includes with quotes; NULL if there is none. */
static RspJson *included_file (const LspServer *server, const LspDocument *document, guint offset) {
  RspSpan quoted = lsp_quoted_after (document->source, offset, "#include");
  g_autofree char *name = rsp_span_text (quoted);
  g_autofree char *path = name ? lsp_kernel_included_path (document->path, name) : NULL;
  return path ? lsp_file (server, path) : NULL;
}

RspJson *lsp_kernel_definition (LspServer *server, const LspDocument *document, RspJson *params) {
  RspSpan place;
  guint offset = lsp_offset_of (server, document, params);
  g_autoptr (LspKernelNames) names = lsp_kernel_names_new (server, document);
  const LspKernelName *name = lsp_kernel_name_at (names, offset, &place);
  RspJson *found
      = name ? lsp_location (server, name->span) : included_file (server, document, offset);
  return found;
}

RspJson *lsp_kernel_references (LspServer *server, const LspDocument *document, RspJson *params) {
  RspSpan place;
  g_autoptr (LspKernelNames) names = lsp_kernel_names_new (server, document);
  lsp_kernel_name_at (names, lsp_offset_of (server, document, params), &place);
  if (!place.source)
    return NULL;
  g_autoptr (GArray) uses = lsp_kernel_name_uses (names, place);
  RspJson *array = rsp_json_list ();
  for (guint i = 0; i < uses->len; i++)
    rsp_json_add (array, lsp_location (server, g_array_index (uses, RspSpan, i)));
  return array;
}

/* ---- Rename ---- */
static guint count_errors (const char *path, const char *text) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  rsp_kernel_check (path, text, diagnostics);
  return rsp_diagnostics_count_errors (diagnostics);
}

/* Has the kernel the same errors if these places have the new name? */
static gboolean is_same_with (const LspDocument *document, const GArray *places, const char *name) {
  g_autoptr (GString) text = g_string_new (NULL);
  guint at = 0;
  for (guint i = 0; i < places->len; i++) {
    RspSpan place = g_array_index (places, RspSpan, i);
    g_string_append_len (text, document->source->text + at, place.begin - at);
    g_string_append (text, name);
    at = place.end;
  }
  g_string_append (text, document->source->text + at);
  return count_errors (document->path, text->str)
         == count_errors (document->path, document->source->text);
}

static gboolean is_known (const LspKernelNames *names, const char *word) {
  for (guint i = 0; i < names->names->len; i++)
    if (g_str_equal (g_array_index (names->names, LspKernelName, i).name, word))
      return TRUE;
  return FALSE;
}

RspJson *lsp_kernel_rename (LspServer *server, const LspDocument *document, RspJson *params,
                            char **error) {
  const char *new_name = rsp_json_as_text (rsp_json_get (params, "newName", NULL));
  RspSpan place;
  g_autoptr (LspKernelNames) names = lsp_kernel_names_new (server, document);
  const LspKernelName *name
      = lsp_kernel_name_at (names, lsp_offset_of (server, document, params), &place);
  g_autoptr (GArray) uses = lsp_kernel_name_uses (names, place);
  if (!name)
    *error = g_strdup ("there is no name here that the kernel declares");
  else if (name->span.source != document->source) {
    g_autofree char *file = g_path_get_basename (name->span.source->name);
    *error = g_strdup_printf ("`%s` is declared in %s", name->name, file);
  } else if (!lsp_is_c_name (new_name))
    *error = g_strdup_printf ("`%s` cannot be its name", new_name ? new_name : "");
  else if (is_known (names, new_name) || lsp_next_word (document->source, new_name, 0).source)
    *error = g_strdup_printf ("`%s` already means something here", new_name);
  else if (!is_same_with (document, uses, new_name))
    *error = g_strdup_printf ("`%s` cannot be its name", new_name);
  if (*error)
    return NULL;
  g_autoptr (RspJson) places = lsp_kernel_references (server, document, params);
  return lsp_replace_all (places, new_name);
}

/* ---- All names ---- */
RspJson *lsp_kernel_completion (LspServer *server, const LspDocument *document, RspJson *params) {
  g_autoptr (GHashTable) offered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (LspKernelNames) names = lsp_kernel_names_new (server, document);
  guint offset = lsp_offset_of (server, document, params);
  RspJson *items = rsp_json_list ();
  if (!lsp_offer_kernel_words (server, document, offset, items, offered))
    for (guint i = 0; i < names->names->len; i++) {
      const LspKernelName *name = &g_array_index (names->names, LspKernelName, i);
      if (lsp_kernel_name_is_visible (name, offset) && name->span.end != offset)
        lsp_offer (items, offered, name->name, kinds[name->kind].completion,
                   kinds[name->kind].words);
    }
  return items;
}

/* Functions, types, variables and macros that are not inside others. */
RspJson *lsp_kernel_symbols (LspServer *server, const LspDocument *document, RspJson *params) {
  (void) params;
  g_autoptr (LspKernelNames) names = lsp_kernel_names_new (server, document);
  RspJson *array = rsp_json_list ();
  for (guint i = 0; i < names->names->len; i++) {
    const LspKernelName *name = &g_array_index (names->names, LspKernelName, i);
    RspSpan whole = { name->span.source, name->span.begin, name->whole_end };
    if (name->is_outer && name->kind != RSP_KERNEL_MEMBER && name->span.source == document->source)
      lsp_add_symbol (server, array, name->name, kinds[name->kind].symbol, whole, name->span);
  }
  return array;
}
