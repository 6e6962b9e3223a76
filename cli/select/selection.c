#include "cli/select/selection.h"
#include "cli/base/lines.h"
#include "base/suggest.h"
#include "report/verdict.h"

#include <string.h>

struct CliSelection {
  gboolean all;           /* no -names */
  GPtrArray *ordered;     /* of Name, in the order of the files */
  GHashTable *names;      /* name -> Name, owned by ordered */
  gboolean expect;        /* are kinds expectations? */
  GHashTable *kinds;      /* name -> CliKind, its source counted */
  GHashTable *conditions; /* name -> RspSpan, its source counted */
  guint read_up_to;       /* of the file being read: a condition may take several lines */
};

typedef struct Name {
  char *text;
  RspSpan span;
  gint met; /* set by any thread */
} Name;

static void free_name (gpointer data) {
  Name *name = data;
  rsp_source_unref (name->span.source);
  g_free (name->text);
  g_free (name);
}

static void free_kind (gpointer data) {
  CliKind *kind = data;
  rsp_source_unref (kind->span.source);
  g_free (kind);
}

static void free_span (gpointer data) {
  RspSpan *span = data;
  rsp_source_unref (span->source);
  g_free (span);
}

/* ---- Reading ---- */

/* A name, perhaps in double quotes, which are removed. */
static char *unquote (const char *text) {
  gsize length = strlen (text);
  gboolean quoted = length > 2 && text[0] == '"' && text[length - 1] == '"';
  return quoted ? g_strndup (text + 1, length - 2) : g_strdup (text);
}

static void read_name (CliSelection *selection, CliLine *line, RspDiagnostics *diagnostics) {
  if (cli_line_split (line))
    rsp_error (diagnostics, line->span, NULL, "expected one test name per line");
  g_autofree char *text = unquote (line->text);
  if (g_hash_table_contains (selection->names, text))
    return;
  Name *name = g_new0 (Name, 1);
  name->text = g_steal_pointer (&text);
  name->span = line->span;
  rsp_source_ref (name->span.source);
  g_ptr_array_add (selection->ordered, name);
  g_hash_table_insert (selection->names, name->text, name);
}

/* `NAME` at the start of a line, perhaps in quotes, perhaps followed by a colon. Moves *at past it.
 * NULL if there is none. */
static char *split_name (const char *text, gsize *at) {
  gboolean quoted = text[0] == '"' && strchr (text + 1, '"');
  gsize begin = quoted ? 1 : 0, end = begin + strcspn (text + begin, quoted ? "\"" : ": \t");
  *at = end + (quoted ? 1 : 0);
  *at += strspn (text + *at, " \t");
  *at += text[*at] == ':' ? 1 : 0;
  *at += strspn (text + *at, " \t");
  return end > begin ? g_strndup (text + begin, end - begin) : NULL;
}

/* `NAME Allowed`, `NAME: Allow` … */
static void read_kind (CliSelection *selection, CliLine *line, RspDiagnostics *diagnostics) {
  static const char *const kinds[] = { "Allowed", "Forbidden", "Required", NULL };
  RspQuantifier quantifier;
  gsize at;
  g_autofree char *name = split_name (line->text, &at);
  const char *kind = line->text + at;
  if (name && rsp_quantifier_from_kind (kind, &quantifier)) {
    CliKind *entry = g_new0 (CliKind, 1);
    guint begin = line->span.begin + (guint) at;
    rsp_source_ref (line->span.source);
    *entry = (CliKind){ quantifier, { line->span.source, begin, line->span.end }, FALSE };
    g_hash_table_insert (selection->kinds, g_steal_pointer (&name), entry);
    return;
  }
  g_autofree char *hint = rsp_did_you_mean (kind, kinds);
  if (!name || !*kind)
    rsp_error (diagnostics, line->span, NULL, "expected `NAME Allowed|Forbidden|Required`");
  else
    rsp_error (diagnostics, line->span, hint,
               "expected a kind (Allowed, Forbidden or Required), found `%s`", kind);
}

/* The end of the quote that was opened before `begin`, perhaps lines below; G_MAXUINT if it is
 * never closed. */
static guint find_quote (const RspSource *source, guint begin) {
  const char *quote = memchr (source->text + begin, '"', source->length - begin);
  return quote ? (guint) (quote - source->text) : G_MAXUINT;
}

/* The span between the quotes that open at span's start. FALSE, with an error, if they do not
 * close, or something follows. */
static gboolean find_quoted (CliSelection *selection, const CliLine *line, RspSpan *span,
                             RspDiagnostics *diagnostics) {
  const RspSource *source = span->source;
  guint end = find_quote (source, span->begin + 1);
  if (end == G_MAXUINT) {
    rsp_error (diagnostics, *span, NULL, "this quote is never closed");
    return FALSE;
  }
  selection->read_up_to = end + 1;
  if (end < line->span.end && end + 1 < line->span.end) {
    RspSpan rest = { span->source, end + 1, line->span.end };
    rsp_error (diagnostics, rest, NULL, "expected the end of the line after the condition");
    return FALSE;
  }
  *span = (RspSpan){ span->source, span->begin + 1, end };
  return TRUE;
}

/* `NAME: condition`; the colon is optional. A condition in double quotes may span several lines. */
static void read_condition (CliSelection *selection, CliLine *line, RspDiagnostics *diagnostics) {
  gsize at;
  g_autofree char *name = split_name (line->text, &at);
  RspSpan span = { line->span.source, line->span.begin + (guint) at, line->span.end };
  if (!name || !line->text[at] || g_str_equal (line->text + at, "\"\"")) {
    rsp_error (diagnostics, line->span, NULL, "expected `NAME: condition`");
    return;
  }
  if (line->text[at] == '"' && !find_quoted (selection, line, &span, diagnostics))
    return;
  RspSpan *own = g_new (RspSpan, 1);
  *own = span;
  rsp_source_ref (own->source);
  g_hash_table_insert (selection->conditions, g_steal_pointer (&name), own);
}

static void read_files (CliSelection *selection, const GPtrArray *files,
                        void (*read_line) (CliSelection *, CliLine *, RspDiagnostics *),
                        RspDiagnostics *diagnostics) {
  for (guint f = 0; f < files->len; f++) {
    g_autoptr (GArray) lines = cli_lines_read (files->pdata[f], RSP_NOWHERE, diagnostics);
    selection->read_up_to = 0;
    for (guint i = 0; lines && i < lines->len; i++) {
      CliLine *line = &g_array_index (lines, CliLine, i);
      if (line->span.begin >= selection->read_up_to)
        read_line (selection, line, diagnostics);
    }
  }
}

CliSelection *cli_selection_new (const CliOptions *options, RspDiagnostics *diagnostics) {
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  CliSelection *selection = g_new0 (CliSelection, 1);
  selection->all = options->names->len == 0;
  selection->expect = options->expect > 0;
  selection->ordered = g_ptr_array_new_with_free_func (free_name);
  selection->names = g_hash_table_new (g_str_hash, g_str_equal);
  selection->kinds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_kind);
  selection->conditions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_span);
  read_files (selection, options->names, read_name, diagnostics);
  read_files (selection, options->kinds, read_kind, diagnostics);
  read_files (selection, options->conditions, read_condition, diagnostics);
  if (rsp_diagnostics_count_errors (diagnostics) != errors)
    g_clear_pointer (&selection, cli_selection_free);
  return selection;
}

void cli_selection_free (CliSelection *selection) {
  if (!selection)
    return;
  g_hash_table_unref (selection->names);
  g_ptr_array_unref (selection->ordered);
  g_hash_table_unref (selection->kinds);
  g_hash_table_unref (selection->conditions);
  g_free (selection);
}

/* ---- Attempt ---- */

gboolean cli_selection_includes (CliSelection *selection, const char *test) {
  if (selection->all)
    return TRUE;
  Name *name = g_hash_table_lookup (selection->names, test);
  if (name)
    g_atomic_int_set (&name->met, TRUE);
  return name != NULL;
}

RspSpan cli_selection_question (const CliSelection *selection, const char *name) {
  const RspSpan *span = g_hash_table_lookup (selection->conditions, name);
  return span ? *span : RSP_NOWHERE;
}

void cli_selection_set_kind (const CliSelection *selection, RspProgram *program) {
  CliKind *kind = g_hash_table_lookup (selection->kinds, program->name);
  if (kind && !selection->expect)
    program->quantifier = kind->quantifier;
}

const CliKind *cli_selection_kind (const CliSelection *selection, const char *name) {
  CliKind *kind = g_hash_table_lookup (selection->kinds, name);
  if (kind)
    g_atomic_int_set (&kind->met, TRUE);
  return kind;
}

/* Files of kinds are often about more tests than one runs: one warning is enough. */
static void report_kinds (const CliSelection *selection, RspDiagnostics *diagnostics) {
  GHashTableIter iter;
  gpointer entry;
  guint unmet = 0;
  g_hash_table_iter_init (&iter, selection->kinds);
  while (g_hash_table_iter_next (&iter, NULL, &entry))
    unmet += !g_atomic_int_get (&((CliKind *) entry)->met);
  if (unmet)
    rsp_warning (diagnostics, RSP_NOWHERE, NULL,
                 "%u of the %u tests that `-kinds` names are not among those checked", unmet,
                 g_hash_table_size (selection->kinds));
}

void cli_selection_report_missing (const CliSelection *selection, RspDiagnostics *diagnostics) {
  for (guint i = 0; i < selection->ordered->len; i++) {
    const Name *name = selection->ordered->pdata[i];
    if (!g_atomic_int_get (&name->met))
      rsp_warning (diagnostics, name->span, NULL, "no test is named `%s`", name->text);
  }
  if (selection->expect)
    report_kinds (selection, diagnostics);
}
