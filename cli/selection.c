#include "cli/selection.h"
#include "cli/lines.h"
#include "parser/suggest.h"
#include "report/verdict.h"

#include <string.h>

struct CliSelection
{
  gboolean all;           /* no -names */
  GPtrArray *ordered;     /* of Name, as they stand in the files */
  GHashTable *names;      /* name -> Name, owned by ordered */
  GHashTable *kinds;      /* name -> RspQuantifier */
  GHashTable *conditions; /* name -> RspSpan, its source counted */
};

typedef struct Name
{
  char *text;
  RspSpan span;
  gint met; /* set by any thread */
} Name;

static void
free_name (gpointer data)
{
  Name *name = data;
  rsp_source_unref (name->span.source);
  g_free (name->text);
  g_free (name);
}

static void
free_span (gpointer data)
{
  RspSpan *span = data;
  rsp_source_unref (span->source);
  g_free (span);
}

/* ---- Reading ---- */

static void
read_name (CliSelection *selection, CliLine *line, RspDiagnostics *diagnostics)
{
  if (cli_line_split (line))
    rsp_error (diagnostics, line->span, NULL, "expected one test name a line");
  if (g_hash_table_contains (selection->names, line->text))
    return;
  Name *name = g_new0 (Name, 1);
  name->text = g_strdup (line->text);
  name->span = line->span;
  rsp_source_ref (name->span.source);
  g_ptr_array_add (selection->ordered, name);
  g_hash_table_insert (selection->names, name->text, name);
}

static void
read_kind (CliSelection *selection, CliLine *line, RspDiagnostics *diagnostics)
{
  static const char *const kinds[] = { "Allowed", "Forbidden", "Required", NULL };
  RspQuantifier quantifier;
  const char *kind = cli_line_split (line);
  if (!kind)
    rsp_error (diagnostics, line->span, NULL, "expected `NAME Allowed|Forbidden|Required`");
  else if (!rsp_quantifier_from_kind (kind, &quantifier))
    {
      g_autofree char *hint = rsp_did_you_mean (kind, kinds);
      rsp_error (diagnostics, line->span, hint,
                 "expected a kind (Allowed, Forbidden or Required), "
                 "found `%s`",
                 kind);
    }
  else
    g_hash_table_insert (selection->kinds, g_strdup (line->text), GUINT_TO_POINTER (quantifier));
}

/* `NAME: condition`; the colon may be left out, and the condition may stand in double quotes. */
static void
read_condition (CliSelection *selection, CliLine *line, RspDiagnostics *diagnostics)
{
  gsize name = strcspn (line->text, ": \t");
  gsize begin = name + strspn (line->text + name, ": \t"), end = strlen (line->text);
  if (end > begin + 1 && line->text[begin] == '"' && line->text[end - 1] == '"')
    {
      begin++;
      end--;
    }
  if (name == 0 || begin >= end)
    {
      rsp_error (diagnostics, line->span, NULL, "expected `NAME: condition`");
      return;
    }
  RspSpan *span = g_new (RspSpan, 1);
  *span = (RspSpan){ rsp_source_ref (line->span.source), line->span.begin + (guint) begin,
                     line->span.begin + (guint) end };
  g_hash_table_insert (selection->conditions, g_strndup (line->text, name), span);
}

static void
read_files (CliSelection *selection, const GPtrArray *files,
            void (*read_line) (CliSelection *, CliLine *, RspDiagnostics *),
            RspDiagnostics *diagnostics)
{
  for (guint f = 0; f < files->len; f++)
    {
      g_autoptr (GArray) lines = cli_lines_read (files->pdata[f], (RspSpan){ 0 }, diagnostics);
      for (guint i = 0; lines && i < lines->len; i++)
        read_line (selection, &g_array_index (lines, CliLine, i), diagnostics);
    }
}

CliSelection *
cli_selection_new (const CliOptions *options, RspDiagnostics *diagnostics)
{
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  CliSelection *selection = g_new0 (CliSelection, 1);
  selection->all = options->names->len == 0;
  selection->ordered = g_ptr_array_new_with_free_func (free_name);
  selection->names = g_hash_table_new (g_str_hash, g_str_equal);
  selection->kinds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  selection->conditions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_span);
  read_files (selection, options->names, read_name, diagnostics);
  read_files (selection, options->kinds, read_kind, diagnostics);
  read_files (selection, options->conditions, read_condition, diagnostics);
  if (rsp_diagnostics_count_errors (diagnostics) != errors)
    g_clear_pointer (&selection, cli_selection_free);
  return selection;
}

void
cli_selection_free (CliSelection *selection)
{
  if (!selection)
    return;
  g_hash_table_unref (selection->names);
  g_ptr_array_unref (selection->ordered);
  g_hash_table_unref (selection->kinds);
  g_hash_table_unref (selection->conditions);
  g_free (selection);
}

/* ---- Asking ---- */

gboolean
cli_selection_wants (CliSelection *selection, const char *test)
{
  if (selection->all)
    return TRUE;
  Name *name = g_hash_table_lookup (selection->names, test);
  if (name)
    g_atomic_int_set (&name->met, TRUE);
  return name != NULL;
}

RspSpan
cli_selection_question (const CliSelection *selection, const char *name)
{
  const RspSpan *span = g_hash_table_lookup (selection->conditions, name);
  return span ? *span : (RspSpan){ NULL, 0, 0 };
}

void
cli_selection_set_kind (const CliSelection *selection, RspProgram *program)
{
  gpointer kind;
  if (g_hash_table_lookup_extended (selection->kinds, program->name, NULL, &kind))
    program->quantifier = GPOINTER_TO_UINT (kind);
}

void
cli_selection_report_missing (const CliSelection *selection, RspDiagnostics *diagnostics)
{
  for (guint i = 0; i < selection->ordered->len; i++)
    {
      const Name *name = selection->ordered->pdata[i];
      if (!g_atomic_int_get (&name->met))
        rsp_warning (diagnostics, name->span, NULL, "no test is named `%s`", name->text);
    }
}
