#include "synth/kept.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

struct SynthKept {
  char *path, *key;
  char **lines; /* of the file as it was; NULL-terminated */
  FILE *stream;
  int error; /* errno of the first write that failed */
};

enum { FIELD_KEY, FIELD_EVENTS, FIELD_SOUGHT, FIELD_BLOCK, FIELD_FINDINGS };

SynthKept *synth_kept_open (const char *path, const char *key, RspDiagnostics *diagnostics) {
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  if (!g_file_get_contents (path, &text, NULL, &error)
      && !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT)) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s", error->message);
    return NULL;
  }
  FILE *stream = g_fopen (path, "a");
  if (!stream) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s: %s", path, g_strerror (errno));
    return NULL;
  }
  if (text && text[0] && !g_str_has_suffix (text, "\n"))
    fputc ('\n', stream); /* after a line that was not finished */
  SynthKept *kept = g_new0 (SynthKept, 1);
  kept->path = g_strdup (path);
  kept->key = g_strdup (key);
  kept->lines = g_strsplit (text ? text : "", "\n", -1);
  kept->stream = stream;
  return kept;
}

gboolean synth_kept_close (SynthKept *kept, RspDiagnostics *diagnostics) {
  if (!kept)
    return TRUE;
  if (fclose (kept->stream) != 0 && !kept->error)
    kept->error = errno;
  gboolean good = kept->error == 0;
  if (!good)
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s: %s", kept->path, g_strerror (kept->error));
  g_free (kept->path);
  g_free (kept->key);
  g_strfreev (kept->lines);
  g_free (kept);
  return good;
}

static gboolean read_fields (char *const *fields, guint n, guint64 *events, guint64 *sought,
                             guint64 *block) {
  return n > FIELD_FINDINGS && strcmp (fields[n - 1], "end") == 0
         && g_ascii_string_to_unsigned (fields[FIELD_EVENTS], 10, 0, 64, events, NULL)
         && g_ascii_string_to_unsigned (fields[FIELD_SOUGHT], 10, 0, G_MAXUINT, sought, NULL)
         && g_ascii_string_to_unsigned (fields[FIELD_BLOCK], 10, 0, G_MAXINT / 2, block, NULL);
}

/* NULL if some field is not a finding. */
static GPtrArray *read_findings (char *const *fields, guint n, guint sought) {
  GPtrArray *found = g_ptr_array_new_with_free_func ((GDestroyNotify) synth_finding_free);
  for (guint i = 0; i < n; i++) {
    SynthFinding *finding = synth_finding_decode (fields[i]);
    if (!finding) {
      g_ptr_array_unref (found);
      return NULL;
    }
    finding->kinds &= sought;
    if (finding->kinds)
      g_ptr_array_add (found, finding);
    else
      synth_finding_free (finding);
  }
  return found;
}

void synth_kept_take (const SynthKept *kept, guint events, guint sought, GPtrArray *blocks) {
  for (guint i = 0; kept->lines[i]; i++) {
    guint64 size, kinds, block;
    g_auto (GStrv) fields = g_strsplit (kept->lines[i], "\t", -1);
    guint n = g_strv_length (fields);
    if (n == 0 || strcmp (fields[FIELD_KEY], kept->key) != 0
        || !read_fields (fields, n, &size, &kinds, &block) || size != events
        || (kinds & sought) != sought)
      continue;
    if (blocks->len <= block)
      g_ptr_array_set_size (blocks, (gint) block + 1);
    if (!blocks->pdata[block])
      blocks->pdata[block]
          = read_findings (fields + FIELD_FINDINGS, n - FIELD_FINDINGS - 1, sought);
  }
}

void synth_kept_add (SynthKept *kept, guint events, guint sought, guint64 block,
                     const GPtrArray *found) {
  g_autoptr (GString) line = g_string_new (NULL);
  g_string_append_printf (line, "%s\t%u\t%u\t%" G_GUINT64_FORMAT, kept->key, events, sought, block);
  for (guint i = 0; i < found->len; i++) {
    g_autofree char *finding = synth_finding_encode (found->pdata[i]);
    g_string_append_printf (line, "\t%s", finding);
  }
  g_string_append (line, "\tend\n");
  if ((fwrite (line->str, 1, line->len, kept->stream) != line->len || fflush (kept->stream) != 0)
      && !kept->error)
    kept->error = errno ? errno : EIO;
}
