/* Texts with positions, what is wrong with them, and "did you mean …?". */
#include "base/base.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Source --------------------------------------------------------------------------------- */

/* The start of the line after that of `from`, or NULL. */
static const char *next_line (const RspSource *source, const char *from) {
  const char *end = source->text + source->length;
  const char *newline = memchr (from, '\n', (gsize) (end - from));
  return newline ? newline + 1 : NULL;
}

RspSource *rsp_source_new (const char *name, char *text, gsize length) {
  RspSource *source = g_atomic_rc_box_new0 (RspSource);
  source->name = g_strdup (name);
  source->text = text;
  source->length = length;
  guint n = 0;
  for (const char *line = source->text; line; line = next_line (source, line))
    n++;
  source->lines = g_new (guint, n);
  for (const char *line = source->text; line; line = next_line (source, line))
    source->lines[source->n_lines++] = (guint) (line - source->text);
  return source;
}

/* Reads until the end, or until the text is known to be too long. */
static gboolean read_stream (FILE *stream, const char *name, gsize max, GString *text,
                             GError **error) {
  char buffer[8192]; /* a thread may have 64 kB of stack */
  gsize n;
  gboolean binary = FALSE;
  setvbuf (stream, NULL, _IONBF, 0); /* there is a buffer here */
  while (text->len <= max && !binary && (n = fread (buffer, 1, sizeof buffer, stream)) > 0) {
    binary = memchr (buffer, '\0', n) != NULL;
    g_string_append_len (text, buffer, (gssize) n);
  }
  if (ferror (stream))
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "cannot read %s: %s", name,
                 g_strerror (errno));
  else if (binary)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s: is a binary file, not text", name);
  else if (text->len > max) {
    g_autofree char *limit = rsp_size_format (max);
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOSPC, "%s: is larger than %s", name, limit);
  } else
    return TRUE;
  return FALSE;
}

/* ---- Confinement ---- */
static GPtrArray *confined; /* resolved folders; NULL: any file may be read */

void rsp_source_confine (const char *const *folders) {
  if (!confined)
    confined = g_ptr_array_new ();
  for (guint i = 0; folders[i]; i++) {
    char *resolved = realpath (folders[i], NULL);
    if (resolved)
      g_ptr_array_add (confined, resolved);
  }
}

gboolean rsp_source_is_confined (void) { return confined != NULL; }

gboolean rsp_source_is_allowed (const char *path) {
  char *resolved = confined ? realpath (path, NULL) : NULL;
  gboolean found = !resolved; /* a missing file is reported as such */
  for (guint i = 0; resolved && !found && i < confined->len; i++) {
    gsize length = strlen (confined->pdata[i]);
    found = strncmp (resolved, confined->pdata[i], length) == 0 && resolved[length] == '/';
  }
  free (resolved);
  return found;
}

/* ---- Reading ---- */
gboolean rsp_source_ends (const char *path) {
  return g_file_test (path, G_FILE_TEST_IS_REGULAR | G_FILE_TEST_IS_DIR)
         || !g_file_test (path, G_FILE_TEST_EXISTS);
}

static FILE *open_file (const char *path, GError **error) {
  FILE *stream = NULL;
  if (g_file_test (path, G_FILE_TEST_IS_DIR)) {
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_ISDIR, "%s: is a directory, not a file", path);
    return NULL;
  }
  if (!rsp_source_is_allowed (path)) {
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_ACCES, "%s: may not be read here", path);
    return NULL;
  }
  stream = fopen (path, "r");
  if (!stream)
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", path,
                 errno == ENOENT ? "no such file" : g_strerror (errno));
  return stream;
}

RspSource *rsp_source_read_within (const char *path, gsize max, GError **error) {
  gboolean is_standard = strcmp (path, "-") == 0;
  const char *name = is_standard ? "<stdin>" : path;
  FILE *stream = is_standard ? stdin : open_file (path, error);
  if (!stream)
    return NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean read = read_stream (stream, name, MIN (max, RSP_SOURCE_MOST), text, error);
  if (!is_standard)
    fclose (stream);
  if (!read)
    return NULL;
  gsize length = text->len;
  return rsp_source_new (name, g_string_free (g_steal_pointer (&text), FALSE), length);
}

RspSource *rsp_source_read (const char *path, GError **error) {
  return rsp_source_read_within (path, RSP_SOURCE_SMALL, error);
}

RspSource *rsp_source_ref (RspSource *source) { return g_atomic_rc_box_acquire (source); }

static void clear_source (gpointer data) {
  RspSource *source = data;
  g_clear_pointer (&source->origins, g_array_unref);
  g_free (source->name);
  g_free (source->text);
  g_free (source->lines);
}

void rsp_source_unref (RspSource *source) {
  if (source)
    g_atomic_rc_box_release_full (source, clear_source);
}

static void clear_origin (gpointer data) { rsp_source_unref (((RspOrigin *) data)->file); }

void rsp_source_set_origins (RspSource *source, GArray *origins) {
  g_array_set_clear_func (origins, clear_origin);
  source->origins = origins;
}

static int compare_origin (gconstpointer a, gconstpointer b) {
  const RspOrigin *x = a, *y = b;
  return y->begin >= x->end ? -1 : y->begin < x->begin;
}

static const RspOrigin *find_origin (const RspSource *source, guint offset) {
  guint at;
  const gboolean found = source->origins
                         && g_array_binary_search (source->origins, &(RspOrigin){ .begin = offset },
                                                   compare_origin, &at);
  return found ? &g_array_index (source->origins, RspOrigin, at) : NULL;
}

RspSource *rsp_source_origin (const RspSource *source, guint offset) {
  const RspOrigin *own = find_origin (source, offset);
  return own ? own->file : NULL;
}

guint rsp_source_line_begin (const RspSource *source, guint i) {
  return i == 0 && g_str_has_prefix (source->text, "\xef\xbb\xbf") ? 3 : source->lines[i];
}

void rsp_source_position (const RspSource *source, guint offset, guint *line, guint *column) {
  const RspOrigin *own = find_origin (source, offset);
  if (own) {
    *line = own->line;
    *column = own->column;
    return;
  }
  guint low = 0, high = source->n_lines;
  while (high - low > 1) {
    guint middle = low + (high - low) / 2;
    if (source->lines[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  *line = low + 1;
  *column = offset - source->lines[low] + 1;
}

guint rsp_span_line (RspSpan span) {
  guint line = 0, column;
  if (span.source)
    rsp_source_position (span.source, span.begin, &line, &column);
  return line;
}

char *rsp_span_text (RspSpan span) {
  return span.source ? g_strndup (span.source->text + span.begin, span.end - span.begin) : NULL;
}

void rsp_span_append (RspSpan span, GString *out) {
  for (guint i = span.begin; span.source && i < span.end; i++) {
    char c = span.source->text[i];
    if (!g_ascii_isspace (c))
      g_string_append_c (out, c);
    else if (out->len && out->str[out->len - 1] != ' ')
      g_string_append_c (out, ' ');
  }
}

RspSpan rsp_span_join (RspSpan first, RspSpan last) {
  return (
      RspSpan){ .source = first.source, .begin = first.begin, .end = MAX (first.end, last.end) };
}

/* ---- Suggest -------------------------------------------------------------------------------- */

enum { LONGEST_WORD = 63 };

/* Optimal string alignment distance (Damerau–Levenshtein without repeated edits). */
static guint edit_distance (const char *a, const char *b) {
  gsize m = strlen (a), n = strlen (b);
  if (m > LONGEST_WORD || n > LONGEST_WORD)
    return G_MAXUINT;
  guint row[LONGEST_WORD + 1][LONGEST_WORD + 1];
  for (gsize i = 0; i <= m; i++)
    for (gsize j = 0; j <= n; j++) {
      if (i == 0 || j == 0) {
        row[i][j] = (guint) (i + j);
        continue;
      }
      guint change = row[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      guint best = MIN (change, MIN (row[i - 1][j], row[i][j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        best = MIN (best, row[i - 2][j - 2] + 1);
      row[i][j] = best;
    }
  return row[m][n];
}

const char *rsp_nearest (const char *word, const char *const *candidates) {
  gsize length = strlen (word), limit = MAX (1, length / 3);
  const char *nearest = NULL;
  for (gsize i = 0; candidates[i]; i++) {
    gsize other = strlen (candidates[i]);
    if (MAX (length, other) - MIN (length, other) > limit)
      continue;
    guint distance = edit_distance (word, candidates[i]);
    if (distance > 1 && length > 3 && g_ascii_strcasecmp (word, candidates[i]) == 0)
      distance = 1;
    if (distance <= limit && distance < other) {
      nearest = candidates[i];
      limit = distance ? distance - 1 : 0;
      if (distance == 0)
        break;
    }
  }
  return nearest;
}

char *rsp_did_you_mean (const char *word, const char *const *candidates) {
  const char *nearest = rsp_nearest (word, candidates);
  return nearest ? g_strdup_printf ("did you mean `%s`?", nearest) : NULL;
}

char *rsp_did_you_mean_in (const char *word, GPtrArray *candidates) {
  g_ptr_array_add (candidates, NULL);
  return rsp_did_you_mean (word, (const char *const *) candidates->pdata);
}

/* ---- Names of several words ---- */
/* The words of the name that the other one does not have, in a row. Newly allocated. */
static char *words_without (const char *name, const char *other) {
  g_auto (GStrv) parts = g_strsplit (name, "_", 0), others = g_strsplit (other, "_", 0);
  GString *rest = g_string_new (NULL);
  for (guint i = 0; parts[i]; i++)
    if (!g_strv_contains ((const char *const *) others, parts[i]))
      g_string_append (rest, parts[i]);
  return g_string_free (rest, FALSE);
}

static gboolean has_known_word (const char *name, const char *other, GHashTable *words,
                                const char *const *known) {
  g_auto (GStrv) parts = g_strsplit (name, "_", 0), others = g_strsplit (other, "_", 0);
  for (guint i = 0; parts[i]; i++)
    if (!g_strv_contains ((const char *const *) others, parts[i])
        && (g_hash_table_contains (words, parts[i]) || g_strv_contains (known, parts[i])))
      return TRUE;
  return FALSE;
}

char *rsp_did_you_mean_words (const char *word, const char *const *candidates,
                              const char *const *known) {
  g_autoptr (GHashTable) words = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; candidates[i]; i++) {
    g_auto (GStrv) parts = g_strsplit (candidates[i], "_", 0);
    for (guint k = 0; parts[k]; k++)
      g_hash_table_add (words, g_strdup (parts[k]));
  }
  const char *nearest = NULL;
  guint least = G_MAXUINT;
  for (; *candidates; candidates++) {
    g_autofree char *odd = words_without (word, *candidates),
                    *right = words_without (*candidates, word);
    guint distance = edit_distance (odd, right);
    if (*odd && distance < least && distance <= MAX (1, strlen (odd) / 3)
        && distance < strlen (right) && !has_known_word (word, *candidates, words, known)) {
      nearest = *candidates;
      least = distance;
    }
  }
  return nearest ? g_strdup_printf ("did you mean `%s`?", nearest) : NULL;
}

/* ---- Files ---- */
static gboolean is_file (const char *path) {
  return g_file_test (path, G_FILE_TEST_EXISTS) && !g_file_test (path, G_FILE_TEST_IS_DIR);
}

static char *find_below (const char *folder, const char *name, const char *suffix) {
  g_autofree char *plain = folder && !g_path_is_absolute (name)
                               ? g_build_filename (folder, name, NULL)
                               : g_strdup (name);
  if (is_file (plain))
    return g_steal_pointer (&plain);
  g_autofree char *longer = g_strconcat (plain, suffix, NULL);
  return is_file (longer) ? g_steal_pointer (&longer) : NULL;
}

char *rsp_find_file (const char *name, const char *folder, const char *const *folders,
                     const char *suffix) {
  char *found = find_below (folder, name, suffix);
  for (guint i = 0; !found && folders && folders[i]; i++)
    found = find_below (folders[i], name, suffix);
  return found;
}

char *rsp_name_stem (const char *name, const char *suffix) {
  gboolean has = g_str_has_suffix (name, suffix);
  return g_strndup (name, strlen (name) - (has ? strlen (suffix) : 0));
}

/* The file of rsp_near_file_hint; of equally near ones the first by name. */
static char *near_file (const char *name, const char *const *folders, const char *suffix) {
  g_autoptr (GPtrArray) stems = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *stem = rsp_name_stem (name, suffix);
  for (guint i = 0; folders && folders[i]; i++) {
    g_autoptr (GDir) directory = g_dir_open (folders[i], 0, NULL);
    for (const char *file; directory && (file = g_dir_read_name (directory));)
      if (g_str_has_suffix (file, suffix) && strcmp (file, name) != 0) /* a link to nothing */
        g_ptr_array_add (stems, rsp_name_stem (file, suffix));
  }
  g_ptr_array_sort (stems, rsp_compare_names);
  g_ptr_array_add (stems, NULL);
  const char *nearest = rsp_nearest (stem, (const char *const *) stems->pdata);
  return nearest ? g_strconcat (nearest, suffix, NULL) : NULL;
}

char *rsp_near_file_hint (const char *name, const char *const *folders, const char *suffix) {
  g_autofree char *near = near_file (name, folders, suffix);
  return near ? g_strdup_printf ("did you mean `%s`?", near) : NULL;
}

/* The entry of the folder that is nearest to the name. A whole name, with another ending, must also
 * be near without it. */
static char *near_entry (const char *name, const char *folder, const char *suffix) {
  const char *folders[] = { folder, NULL }, *end = strrchr (name, '.');
  const char *const endings[] = { end && end > name ? end : suffix, suffix };
  char *near = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (endings) && !near; i++)
    near = *endings[i] ? near_file (name, folders, endings[i]) : NULL;
  if (near)
    return near;
  near = near_file (name, folders, "");
  g_autofree char *stem = g_strndup (name, end ? (gsize) (end - name) : strlen (name));
  g_autofree char *other = near ? g_strndup (near, strcspn (near, ".")) : NULL;
  if (near && !rsp_nearest (stem, (const char *const[]){ other, NULL }))
    g_clear_pointer (&near, g_free);
  return near;
}

char *rsp_near_path (const char *path, const char *suffix) {
  g_auto (GStrv) names = g_strsplit (path, "/", -1);
  g_autofree char *found = g_strdup (*path == '/' ? "/" : "");
  if (rsp_source_is_confined ())
    return NULL;
  for (guint i = 0; names[i]; i++) {
    if (!*names[i])
      continue;
    g_autofree char *next = *found ? g_build_filename (found, names[i], NULL) : g_strdup (names[i]);
    if (!g_file_test (next, G_FILE_TEST_EXISTS)) {
      g_autofree char *near = near_entry (names[i], *found ? found : ".", suffix);
      g_free (next);
      next = !near ? NULL : *found ? g_build_filename (found, near, NULL) : g_strdup (near);
    }
    if (!next)
      return NULL;
    g_free (found);
    found = g_steal_pointer (&next);
  }
  return *found ? g_steal_pointer (&found) : NULL;
}

char *rsp_near_path_hint (const char *path) {
  gboolean exists = g_file_test (path, G_FILE_TEST_EXISTS);
  g_autofree char *near = exists ? NULL : rsp_near_path (path, "");
  return near ? g_strdup_printf ("did you mean `%s`?", near) : NULL;
}

/* ---- Diagnostic ----------------------------------------------------------------------------- */

struct RspDiagnostics {
  GArray *entries;      /* of RspDiagnostic; NULL: there have been none */
  GHashTable *warnings; /* copies, whose texts the entries own, of the warnings among … */
  guint n_indexed;      /* … the first so many entries; NULL and 0 until they are needed */
};

static void clear_entry (gpointer data) {
  RspDiagnostic *entry = data;
  rsp_source_unref (entry->span.source);
  g_free (entry->message);
  g_free (entry->hint);
}

static void forget_index (RspDiagnostics *diagnostics) {
  g_clear_pointer (&diagnostics->warnings, g_hash_table_unref);
  diagnostics->n_indexed = 0;
}

RspDiagnostics *rsp_diagnostics_new (void) { return g_new0 (RspDiagnostics, 1); }

static void append (RspDiagnostics *diagnostics, const RspDiagnostic *entry) {
  if (!diagnostics->entries) {
    diagnostics->entries = g_array_new (FALSE, FALSE, sizeof (RspDiagnostic));
    g_array_set_clear_func (diagnostics->entries, clear_entry);
  }
  g_array_append_vals (diagnostics->entries, entry, 1);
}

void rsp_diagnostics_free (RspDiagnostics *diagnostics) {
  if (!diagnostics)
    return;
  forget_index (diagnostics);
  g_clear_pointer (&diagnostics->entries, g_array_unref);
  g_free (diagnostics);
}

enum {
  WIDTH = 160,         /* bytes of a source line that are shown */
  LONGEST_QUOTE = 1000 /* bytes without a blank: paths are shorter, lists of values may be longer */
};

/* Is the byte inside a UTF-8 character, rather than at its start? */
static gboolean continues (char byte) { return ((guchar) byte & 0xc0) == 0x80; }

/* The message, with long quoted texts cut in the middle. Takes it. */
static char *shorten (char *message) {
  if (strlen (message) <= LONGEST_QUOTE)
    return message;
  GString *out = g_string_new (NULL);
  for (const char *at = message; *at;) {
    gsize n = strcspn (at, " \n"), head = WIDTH, tail = WIDTH / 4;
    for (; n > LONGEST_QUOTE && head && continues (at[head]); head--)
      ;
    for (; n > LONGEST_QUOTE && tail && continues (at[n - tail]); tail--)
      ;
    if (n > LONGEST_QUOTE) {
      g_string_append_len (out, at, (gssize) head);
      g_string_append (out, "…");
      g_string_append_len (out, at + n - tail, (gssize) tail);
    } else
      g_string_append_len (out, at, (gssize) n);
    at += n;
    for (; *at == ' ' || *at == '\n'; at++)
      g_string_append_c (out, *at);
  }
  g_free (message);
  return g_string_free (out, FALSE);
}

void rsp_report (RspDiagnostics *diagnostics, RspSeverity severity, RspSpan span, const char *hint,
                 const char *format, ...) {
  va_list arguments;
  va_start (arguments, format);
  RspDiagnostic entry = { .severity = severity,
                          .span = span,
                          .message = shorten (g_strdup_vprintf (format, arguments)),
                          .hint = g_strdup (hint),
                          .kind = g_intern_string (format) };
  va_end (arguments);
  if (span.source)
    rsp_source_ref (span.source);
  append (diagnostics, &entry);
}

guint rsp_diagnostics_count (const RspDiagnostics *diagnostics) {
  return diagnostics->entries ? diagnostics->entries->len : 0;
}

const RspDiagnostic *rsp_diagnostics_get (const RspDiagnostics *diagnostics, guint index) {
  return &g_array_index (diagnostics->entries, RspDiagnostic, index);
}

guint rsp_diagnostics_count_errors (const RspDiagnostics *diagnostics) {
  guint n = 0;
  for (guint i = 0; i < rsp_diagnostics_count (diagnostics); i++)
    n += rsp_diagnostics_get (diagnostics, i)->severity == RSP_ERROR;
  return n;
}

void rsp_diagnostics_truncate (RspDiagnostics *diagnostics, guint count) {
  forget_index (diagnostics);
  if (count < rsp_diagnostics_count (diagnostics))
    g_array_set_size (diagnostics->entries, count);
}

void rsp_diagnostics_set_kind (RspDiagnostics *diagnostics, const char *kind) {
  guint last = rsp_diagnostics_count (diagnostics) - 1;
  g_array_index (diagnostics->entries, RspDiagnostic, last).kind = g_intern_string (kind);
}

void rsp_diagnostics_filter (RspDiagnostics *diagnostics, RspDiagnosticKeep keep, gpointer data) {
  forget_index (diagnostics);
  for (guint i = 0; i < rsp_diagnostics_count (diagnostics);)
    if (keep (rsp_diagnostics_get (diagnostics, i), data))
      i++;
    else
      g_array_remove_index (diagnostics->entries, i);
}

static gboolean is_other (const RspDiagnostic *diagnostic, gpointer severity) {
  return diagnostic->severity != GPOINTER_TO_UINT (severity);
}

void rsp_diagnostics_drop (RspDiagnostics *diagnostics, RspSeverity severity) {
  rsp_diagnostics_filter (diagnostics, is_other, GUINT_TO_POINTER (severity));
}

static guint hash_warning (gconstpointer key) {
  const RspDiagnostic *warning = key;
  return (g_str_hash (warning->message) * 31 + warning->span.begin) * 31 + warning->span.end;
}

static const char *source_name (RspSpan span) { return span.source ? span.source->name : ""; }

static gboolean equal_warnings (gconstpointer key_a, gconstpointer key_b) {
  const RspDiagnostic *a = key_a, *b = key_b;
  return a->severity == b->severity && g_str_equal (source_name (a->span), source_name (b->span))
         && a->span.begin == b->span.begin && a->span.end == b->span.end
         && g_str_equal (a->message, b->message);
}

static gboolean is_warning (const RspDiagnostic *entry) { return entry->severity == RSP_WARNING; }

static gboolean holds_warning (RspDiagnostics *diagnostics, const RspDiagnostic *warning) {
  if (!diagnostics->warnings)
    diagnostics->warnings = g_hash_table_new_full (hash_warning, equal_warnings, g_free, NULL);
  for (; diagnostics->n_indexed < rsp_diagnostics_count (diagnostics); diagnostics->n_indexed++) {
    const RspDiagnostic *entry = rsp_diagnostics_get (diagnostics, diagnostics->n_indexed);
    if (is_warning (entry))
      g_hash_table_add (diagnostics->warnings, g_memdup2 (entry, sizeof *entry));
  }
  return g_hash_table_contains (diagnostics->warnings, warning);
}

void rsp_diagnostics_move (RspDiagnostics *to, RspDiagnostics *from) {
  forget_index (from);
  if (!from->entries)
    return;
  for (guint i = 0; i < from->entries->len; i++) {
    RspDiagnostic *entry = &g_array_index (from->entries, RspDiagnostic, i);
    if (is_warning (entry) && holds_warning (to, entry))
      continue;
    append (to, entry);
    *entry = (RspDiagnostic){ 0 };
  }
  g_array_set_size (from->entries, 0);
}

static const struct {
  const char *word, *colour;
} severities[] = { [RSP_NOTE] = { "note", "\033[1;36m" },
                   [RSP_WARNING] = { "warning", "\033[1;35m" },
                   [RSP_ERROR] = { "error", "\033[1;31m" } };
char *rsp_visible_name (const char *name) {
  GString *out = g_string_new (NULL);
  for (const char *c = name, *end = name + strlen (name); c < end;) {
    gunichar one = g_utf8_get_char_validated (c, end - c);
    gboolean shown = one < 0x110000 && g_unichar_isprint (one);
    const char *next = shown ? g_utf8_next_char (c) : c + 1;
    if (shown)
      g_string_append_len (out, c, next - c);
    else
      g_string_append_printf (out, "\\x%02x", (guchar) *c);
    c = next;
  }
  return g_string_free (out, FALSE);
}

/* One character, or `?` for a byte that terminals do not show. Returns the rest. */
static const char *format_character (const char *text, const char *end, GString *out) {
  gunichar c = g_utf8_get_char_validated (text, end - text);
  if (*text == '\t' || (c < 0x110000 && g_unichar_isprint (c))) {
    const char *next = *text == '\t' ? text + 1 : g_utf8_next_char (text);
    g_string_append_len (out, text, next - text);
    return next;
  }
  g_string_append_c (out, '?');
  return text + 1;
}

/* The source line of a span, with carets below the span. Of a long line, only the part around its
 * beginning (bytes begin … end - 1). */
static void format_excerpt (RspSpan span, gboolean colour, GString *out) {
  guint line, column;
  rsp_source_position (span.source, span.begin, &line, &column);
  const char *start = span.source->text + span.source->lines[line - 1];
  const RspSource *source = span.source;
  gsize length = (line < source->n_lines ? source->lines[line] - 1 : source->length)
                 - source->lines[line - 1];
  if (length && start[length - 1] == '\r')
    length--;
  gsize caret = MIN (column - 1, length);
  gsize begin = length > WIDTH && caret > WIDTH / 2 ? caret - WIDTH / 2 : 0;
  gsize end = MIN (length, begin + WIDTH);
  while (begin < caret && continues (start[begin]))
    begin++;
  while (end < length && end > caret && continues (start[end]))
    end--;
  g_string_append (out, begin > 0 ? "  …" : "  ");
  for (const char *text = start + begin; text < start + end;)
    text = format_character (text, start + end, out);
  g_string_append (out, end < length ? "…\n  " : "\n  ");
  if (begin > 0)
    g_string_append_c (out, ' ');
  g_autoptr (GString) unused = g_string_new (NULL);
  for (const char *text = start + begin; text < start + caret;) { /* tabs stay: lines align */
    text = format_character (text, start + caret, unused);
    g_string_append_c (out, text[-1] == '\t' ? '\t' : ' ');
  }
  gsize size = span.end > span.begin ? span.end - span.begin : 1;
  const char *last = start + MIN (caret + size, end);
  g_string_append (out, colour ? "\033[1;32m^" : "^");
  for (const char *text = start + caret; text < last;) {
    text = format_character (text, last, unused);
    if (text < last)
      g_string_append_c (out, '~');
  }
  g_string_append (out, colour ? "\033[0m\n" : "\n");
}

/* A message without control characters, which names of files may have. */
static void format_text (const char *text, GString *out) {
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i]; i++) {
    g_autofree char *line = rsp_visible_name (lines[i]);
    g_string_append_printf (out, "%s%s", i ? "\n" : "", line);
  }
}

void rsp_diagnostic_format (const RspDiagnostic *diagnostic, gboolean colour, GString *out) {
  RspSpan span = diagnostic->span;
  g_autofree char *where = NULL;
  if (span.source) {
    guint line, column;
    rsp_source_position (span.source, span.begin, &line, &column);
    RspSource *origin = rsp_source_origin (span.source, span.begin);
    const RspSource *file = origin ? origin : span.source;
    g_autofree char *name = rsp_visible_name (file->name);
    where = g_strdup_printf ("%s:%u:%u: ", name, line, column);
    if (origin && origin->length && line <= origin->n_lines)
      span = (RspSpan){ origin, origin->lines[line - 1] + column - 1, 0 };
    else if (origin)
      span.source = NULL; /* nothing to show */
  }
  g_string_append (out, where ? where : "");
  g_string_append_printf (out, "%s%s:%s ", colour ? severities[diagnostic->severity].colour : "",
                          severities[diagnostic->severity].word, colour ? "\033[0m" : "");
  format_text (diagnostic->message, out);
  g_string_append_c (out, '\n');
  if (span.source)
    format_excerpt (span, colour, out);
  if (diagnostic->hint) {
    g_string_append (out, where ? where : "");
    g_string_append (out, "hint: ");
    format_text (diagnostic->hint, out);
    g_string_append_c (out, '\n');
  }
}

RspSource *rsp_source_load (const char *path, RspSpan at, RspDiagnostics *diagnostics) {
  g_autoptr (GError) error = NULL;
  /* Pipes block and devices never end, so only the command line may name them. */
  gboolean fits = !at.source || rsp_source_ends (path);
  RspSource *source = fits ? rsp_source_read (path, &error) : NULL;
  g_autofree char *hint = source ? NULL : rsp_near_path_hint (path);
  if (!fits)
    rsp_error (diagnostics, at, NULL, "%s: is not a regular file", path);
  else if (!source)
    rsp_error (diagnostics, at, hint, "%s", error->message);
  return source;
}
