#include "cli/expect/edits.h"
#include "cli/base/stream.h"

#include <string.h>

typedef struct Edit {
  guint line;
  char *old, *text, *what; /* text NULL: the line is removed */
  GPtrArray *others;       /* a different text that the line should have, or NULL */
} Edit;

typedef struct File {
  char *path;
  GPtrArray *edits;    /* of Edit */
  GHashTable *by_line; /* line number -> Edit */
  GPtrArray *appended; /* lines */
  GHashTable *known;   /* those in appended */
  char *head;          /* of a new file */
  gboolean forbidden;
} File;

static void free_edit (gpointer data) {
  Edit *edit = data;
  g_free (edit->old);
  g_free (edit->text);
  g_free (edit->what);
  g_clear_pointer (&edit->others, g_ptr_array_unref);
  g_free (edit);
}

static void free_file (gpointer data) {
  File *file = data;
  g_hash_table_unref (file->by_line);
  g_hash_table_unref (file->known);
  g_ptr_array_unref (file->edits);
  g_ptr_array_unref (file->appended);
  g_free (file->head);
  g_free (file->path);
  g_free (file);
}

CliEdits *cli_edits_new (void) { return g_ptr_array_new_with_free_func (free_file); }

/* ---- Collecting ---- */

static File *file_of (CliEdits *edits, const char *path) {
  for (guint i = 0; i < edits->len; i++) {
    File *file = edits->pdata[i];
    if (g_str_equal (file->path, path))
      return file;
  }
  File *file = g_new0 (File, 1);
  file->path = g_strdup (path);
  file->edits = g_ptr_array_new_with_free_func (free_edit);
  file->by_line = g_hash_table_new (NULL, NULL);
  file->appended = g_ptr_array_new_with_free_func (g_free);
  file->known = g_hash_table_new (g_str_hash, g_str_equal);
  g_ptr_array_add (edits, file);
  return file;
}

static void add_other (Edit *edit, const char *text) {
  if (g_strcmp0 (edit->text, text) == 0)
    return;
  if (!edit->others)
    edit->others = g_ptr_array_new_with_free_func (g_free);
  if (!g_ptr_array_find_with_equal_func (edit->others, text, g_str_equal, NULL))
    g_ptr_array_add (edit->others, g_strdup (text));
}

void cli_edits_change (CliEdits *edits, const char *path, guint line, const char *old,
                       const char *text, const char *what) {
  File *file = file_of (edits, path);
  Edit *edit = g_hash_table_lookup (file->by_line, GUINT_TO_POINTER (line));
  if (edit) {
    add_other (edit, text);
    return;
  }
  edit = g_new0 (Edit, 1);
  *edit = (Edit){ line, g_strdup (old), g_strdup (text), g_strdup (what), NULL };
  g_ptr_array_add (file->edits, edit);
  g_hash_table_insert (file->by_line, GUINT_TO_POINTER (line), edit);
}

void cli_edits_append (CliEdits *edits, const char *path, const char *head, const char *text) {
  File *file = file_of (edits, path);
  if (!file->head)
    file->head = g_strdup (head);
  if (g_hash_table_contains (file->known, text))
    return;
  g_ptr_array_add (file->appended, g_strdup (text));
  g_hash_table_add (file->known, g_ptr_array_index (file->appended, file->appended->len - 1));
}

void cli_edits_forbid (CliEdits *edits, const char *path) {
  file_of (edits, path)->forbidden = TRUE;
}

static int compare_lines (gconstpointer a, gconstpointer b) {
  guint first = (*(const Edit *const *) a)->line, second = (*(const Edit *const *) b)->line;
  return first < second ? -1 : first > second;
}

/* ---- The diff ---- */

typedef enum Colour { HEADING, PLACE, OLD, NEW } Colour;

static void print_line (Colour kind, gboolean colour, const char *mark, const char *text,
                        GString *out) {
  static const char *const codes[]
      = { [HEADING] = "\033[1m", [PLACE] = "\033[36m", [OLD] = "\033[31m", [NEW] = "\033[32m" };
  g_string_append_printf (out, "%s%s%s%s\n", colour ? codes[kind] : "", mark, text,
                          colour ? "\033[0m" : "");
}

/* The number of lines of the file; 0 if it does not exist. An unreadable file is not rewritten. */
static guint count_lines (File *file) {
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  guint n = 0;
  if (!g_file_get_contents (file->path, &text, NULL, &error)) {
    file->forbidden |= !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
    return 0;
  }
  for (const char *c = text; *c; c++)
    n += *c == '\n' || c[1] == '\0';
  return n;
}

static void format_edit (const Edit *edit, int *shift, gboolean colour, GString *out) {
  int now = (int) edit->line + *shift;
  g_autofree char *place
      = edit->text ? g_strdup_printf ("@@ -%u +%d @@ %s", edit->line, now, edit->what)
                   : g_strdup_printf ("@@ -%u +%d,0 @@ %s", edit->line, now - 1, edit->what);
  print_line (PLACE, colour, "", place, out);
  print_line (OLD, colour, "-", edit->old, out);
  if (edit->text)
    print_line (NEW, colour, "+", edit->text, out);
  else
    --*shift;
  for (guint i = 0; edit->others && i < edit->others->len; i++)
    print_line (NEW, colour, "+", edit->others->pdata[i], out);
}

static void format_appended (File *file, int shift, gboolean colour, GString *out) {
  guint lines = count_lines (file), n = file->appended->len;
  gboolean fresh = lines == 0 && file->head;
  int first = (int) lines + shift + 1;
  if (!n)
    return;
  n += fresh;
  g_autofree char *count = n > 1 ? g_strdup_printf (",%u", n) : g_strdup ("");
  g_autofree char *place = g_strdup_printf ("@@ -%u,0 +%d%s @@", lines, first, count);
  print_line (PLACE, colour, "", place, out);
  if (fresh)
    print_line (NEW, colour, "+", file->head, out);
  for (guint i = 0; i < file->appended->len; i++)
    print_line (NEW, colour, "+", file->appended->pdata[i], out);
}

void cli_edits_format (CliEdits *edits, gboolean colour, GString *out) {
  for (guint f = 0; f < edits->len; f++) {
    File *file = edits->pdata[f];
    int shift = 0;
    if (!file->edits->len && !file->appended->len)
      continue;
    print_line (HEADING, colour, "--- ", file->path, out);
    print_line (HEADING, colour, "+++ ", "found", out);
    g_ptr_array_sort (file->edits, compare_lines);
    for (guint i = 0; i < file->edits->len; i++)
      format_edit (file->edits->pdata[i], &shift, colour, out);
    format_appended (file, shift, colour, out);
  }
}

/* ---- Writing ---- */

/* Appends the line at `*at` of the old text, edited if edit is not NULL, and moves on to the
 * next. */
static void copy_line (const char **at, const Edit *edit, GString *out) {
  gsize length = strcspn (*at, "\n");
  if (!edit || edit->others)
    g_string_append_len (out, *at, (gssize) length);
  else if (edit->text) {
    gboolean lost = length && (*at)[length - 1] == '\r' && !g_str_has_suffix (edit->text, "\r");
    g_string_append_printf (out, "%s%s", edit->text, lost ? "\r" : "");
  }
  *at += length + ((*at)[length] == '\n');
  if (!edit || edit->others || edit->text)
    g_string_append_c (out, '\n');
}

static gboolean report_disputed (const File *file, const Edit *edit, RspDiagnostics *diagnostics) {
  if (edit->others)
    rsp_error (diagnostics, RSP_NOWHERE, NULL,
               "%s:%u: not rewritten, since models disagree about this line", file->path,
               edit->line);
  return edit->others != NULL;
}

/* The file's text with all edits made. */
static gboolean rewrite (const File *file, const char *old, GString *out,
                         RspDiagnostics *diagnostics) {
  gboolean all = TRUE;
  guint next = 0, line = 1;
  for (const char *at = old; *at; line++) {
    const Edit *edit = next < file->edits->len ? file->edits->pdata[next] : NULL;
    gboolean here = edit && edit->line == line;
    if (here)
      all = !report_disputed (file, edit, diagnostics) && all;
    copy_line (&at, here ? edit : NULL, out);
    next += here;
  }
  if (!*old && file->head && file->appended->len)
    g_string_append_printf (out, "%s\n", file->head);
  for (guint i = 0; i < file->appended->len; i++)
    g_string_append_printf (out, "%s%s\n", (const char *) file->appended->pdata[i],
                            strstr (old, "\r\n") ? "\r" : "");
  return all;
}

static gboolean make_file (const File *file, RspDiagnostics *diagnostics) {
  g_autoptr (GError) error = NULL;
  g_autofree char *old = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  if (!file->edits->len && !file->appended->len)
    return TRUE;
  if (file->forbidden) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s: not rewritten", file->path);
    return FALSE;
  }
  if (!g_file_get_contents (file->path, &old, NULL, &error)
      && !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT)) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s", error->message);
    return FALSE;
  }
  gboolean all = rewrite (file, old ? old : "", text, diagnostics);
  return cli_write_file (file->path, text) && all;
}

gboolean cli_edits_make (CliEdits *edits, RspDiagnostics *diagnostics) {
  gboolean all = TRUE;
  for (guint f = 0; f < edits->len; f++) {
    File *file = edits->pdata[f];
    g_ptr_array_sort (file->edits, compare_lines);
    all = make_file (file, diagnostics) && all;
  }
  return all;
}
