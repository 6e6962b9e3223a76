#include "base/near_file.h"
#include "base/suggest.h"

#include <string.h>

/* The name without the suffix. Newly allocated. */
static char *
stem_of (const char *name, const char *suffix)
{
  gboolean has = g_str_has_suffix (name, suffix);
  return g_strndup (name, strlen (name) - (has ? strlen (suffix) : 0));
}

static void
add_stems (GPtrArray *stems, const char *folder, const char *suffix)
{
  g_autoptr (GDir) directory = g_dir_open (folder, 0, NULL);
  for (const char *name; directory && (name = g_dir_read_name (directory));)
    if (g_str_has_suffix (name, suffix))
      g_ptr_array_add (stems, stem_of (name, suffix));
}

static int
by_name (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

char *
rsp_near_file (const char *name, const char *const *folders, const char *suffix)
{
  g_autoptr (GPtrArray) stems = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *stem = stem_of (name, suffix);
  for (guint i = 0; folders[i]; i++)
    add_stems (stems, folders[i], suffix);
  g_ptr_array_sort (stems, by_name);
  g_ptr_array_add (stems, NULL);
  const char *nearest = rsp_nearest (stem, (const char *const *) stems->pdata);
  return nearest ? g_strconcat (nearest, suffix, NULL) : NULL;
}
