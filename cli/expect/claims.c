#include "cli/expect/claims.h"
#include "base/suggest.h"

#include <string.h>

static const char keyword[] = "Result";

static void clear_claim (gpointer data) { g_free (((CliClaim *) data)->model); }

/* Is the place at the beginning of a line or comment? */
static gboolean begins (const char *text, gsize at) {
  while (at && (text[at - 1] == ' ' || text[at - 1] == '\t'))
    at--;
  return at == 0 || strchr ("\n*/", text[at - 1]);
}

/* Reads the text between `Result` and its colon: nothing, or a model with options. Sets *model
 * (newly allocated or NULL) and returns the offset after the colon; 0 if this is not a claim. */
static gsize read_model (const char *text, gsize at, char **model) {
  gsize length = strcspn (text + at, ":\n");
  *model = NULL;
  if (text[at + length] != ':')
    return 0;
  g_autofree char *name = g_strstrip (g_strndup (text + at, length));
  if (*name && text[at] != ' ' && text[at] != '\t')
    return 0;
  const char *blank = strpbrk (name, " \t");
  if (blank && blank[strspn (blank, " \t")] != '-')
    return 0;
  *model = *name ? g_steal_pointer (&name) : NULL;
  return at + length + 1;
}

static void read_word (RspSource *source, gsize at, CliClaim *claim, GArray *claims,
                       RspDiagnostics *diagnostics) {
  const char *text = source->text;
  at += strspn (text + at, " \t");
  gsize length = 0;
  while (g_ascii_isalpha (text[at + length]))
    length++;
  g_autofree char *word = g_strndup (text + at, length);
  claim->span = (RspSpan){ source, (guint) at, (guint) (at + length) };
  for (guint i = 0; rsp_observation_names[i]; i++)
    if (g_str_equal (word, rsp_observation_names[i])) {
      claim->observation = (RspcheckObservation) i;
      g_array_append_val (claims, *claim);
      return;
    }
  g_autofree char *hint = rsp_did_you_mean (word, rsp_observation_names);
  rsp_warning (diagnostics, claim->span, hint,
               "`Result:` without Never, Sometimes or Always is not an expectation");
  clear_claim (claim);
}

GArray *cli_claims_read (RspSource *source, RspDiagnostics *diagnostics) {
  GArray *claims = g_array_new (FALSE, FALSE, sizeof (CliClaim));
  g_array_set_clear_func (claims, clear_claim);
  const char *text = source->text;
  for (const char *c = text; (c = strstr (c, keyword)); c += strlen (keyword)) {
    CliClaim claim = { 0 };
    gsize at = (gsize) (c - text);
    gsize word = begins (text, at) ? read_model (text, at + strlen (keyword), &claim.model) : 0;
    if (word)
      read_word (source, word, &claim, claims, diagnostics);
  }
  return claims;
}
