#include "base/suggest.h"
#include "base/names.h"

#include <string.h>

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
  guint limit = (guint) MAX (1, strlen (word) / 3);
  const char *nearest = NULL;
  for (gsize i = 0; candidates[i]; i++) {
    guint distance = edit_distance (word, candidates[i]);
    if (distance <= limit && distance < strlen (candidates[i])) {
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

/* ---- Names of several words ---- */

/* The words of all these names, a set. */
static GHashTable *words_of (const char *const *names) {
  GHashTable *words = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (; *names; names++) {
    g_auto (GStrv) parts = g_strsplit (*names, "_", 0);
    for (guint i = 0; parts[i]; i++)
      g_hash_table_add (words, g_strdup (parts[i]));
  }
  return words;
}

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
  g_autoptr (GHashTable) words = words_of (candidates);
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

/* The name without the suffix. Newly allocated. */
static char *stem_of (const char *name, const char *suffix) {
  gboolean has = g_str_has_suffix (name, suffix);
  return g_strndup (name, strlen (name) - (has ? strlen (suffix) : 0));
}

static void add_stems (GPtrArray *stems, const char *folder, const char *suffix) {
  g_autoptr (GDir) directory = g_dir_open (folder, 0, NULL);
  for (const char *name; directory && (name = g_dir_read_name (directory));)
    if (g_str_has_suffix (name, suffix))
      g_ptr_array_add (stems, stem_of (name, suffix));
}

char *rsp_near_file (const char *name, const char *const *folders, const char *suffix) {
  g_autoptr (GPtrArray) stems = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *stem = stem_of (name, suffix);
  for (guint i = 0; folders[i]; i++)
    add_stems (stems, folders[i], suffix);
  g_ptr_array_sort (stems, rsp_compare_names);
  g_ptr_array_add (stems, NULL);
  const char *nearest = rsp_nearest (stem, (const char *const *) stems->pdata);
  return nearest ? g_strconcat (nearest, suffix, NULL) : NULL;
}
