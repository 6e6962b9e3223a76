/* Which names a language has. */
#include "model/language.h"

#include <string.h>

#define OPENCL (1u << RSP_LANGUAGE_OPENCL)
#define C      (1u << RSP_LANGUAGE_C)
#define PTX    (1u << RSP_LANGUAGE_PTX)
#define VULKAN (1u << RSP_LANGUAGE_VULKAN)

static const struct {
  const char *name;
  guint languages;
} only[] = {
#define RSP_BASE_ONLY(name, languages) { name, languages },
#include "model/base_names.def"
};

const char *rsp_base_name (const char *name) {
  static const char *const aliases[][2] = {
#define RSP_BASE_ALIAS(name, other) { name, other },
#include "model/base_names.def"
  };
  for (gsize i = 0; i < G_N_ELEMENTS (aliases); i++)
    if (strcmp (aliases[i][0], name) == 0)
      return aliases[i][1];
  return name;
}

guint model_languages_of (const char *name) {
  for (gsize i = 0; i < G_N_ELEMENTS (only); i++)
    if (strcmp (only[i].name, name) == 0)
      return only[i].languages;
  const char *own = rsp_base_name (name);
  return own == name ? G_MAXUINT : model_languages_of (own);
}

/* "a name of PTX and Vulkan tests"; newly allocated. */
static char *hint (guint languages) {
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  for (guint i = 0; i < RSP_N_LANGUAGES; i++)
    if (languages >> i & 1)
      g_ptr_array_add (words, (gpointer) rsp_languages[i].word);
  g_ptr_array_add (words, NULL);
  g_autofree char *list = g_strjoinv (" and ", (char **) words->pdata);
  return g_strdup_printf ("it is a name of %s tests", list);
}

/* The first word of the head, as herd7 takes it: all of a string, or the first of several words. */
RspSpan model_processor (const RspCatFile *file) {
  static const char *const processors[] = { "AArch64", "ARM", "ASL",   "BPF", "JAVA",   "LISA",
                                            "MIPS",    "PPC", "RISCV", "X86", "X86_64", NULL };
  if (!file->name)
    return RSP_NOWHERE;
  RspSpan span = file->name_span;
  gboolean is_string = file->source->text[span.begin] == '"';
  g_autofree char *word
      = g_strndup (file->name, is_string ? strlen (file->name) : strcspn (file->name, " \t"));
  span.begin += is_string;
  span.end = span.begin + (guint) strlen (word);
  return g_strv_contains (processors, word) ? span : RSP_NOWHERE;
}

/* Says that the model is for a processor, as herd7 does. */
static gboolean is_for_processor (const RspModel *model, const RspLanguage *language,
                                  RspDiagnostics *diagnostics) {
  RspSpan word = model->processor;
  if (!word.source)
    return FALSE;
  rsp_error (diagnostics, word,
             "a model of its own that includes this one runs, with the processor's fences empty",
             "architecture mismatch between test and model (%s vs. %.*s)", language->word,
             (int) (word.end - word.begin), word.source->text + word.begin);
  return TRUE;
}

gboolean model_fits (const RspModel *model, const RspLanguage *language,
                     RspDiagnostics *diagnostics) {
  gboolean fits = !language || !is_for_processor (model, language, diagnostics);
  for (guint i = 0; language && i < model->uses->len; i++) {
    const RspModelUse *use = &g_array_index (model->uses, RspModelUse, i);
    if (use->languages >> language->id & 1)
      continue;
    g_autofree char *where = hint (use->languages);
    rsp_error (diagnostics, use->span, where, "`%s` is not defined for %s tests", use->name,
               language->word);
    fits = FALSE;
  }
  return fits;
}

guint rsp_model_languages (const RspModel *model) {
  guint languages = (1u << RSP_N_LANGUAGES) - 1;
  for (guint i = 0; i < model->uses->len; i++)
    languages &= g_array_index (model->uses, RspModelUse, i).languages;
  return languages;
}

gboolean model_uses_tags (const RspModel *model) {
  for (guint i = 0; i < model->uses->len; i++)
    if (!(g_array_index (model->uses, RspModelUse, i).languages & (OPENCL | C)))
      return TRUE;
  return FALSE;
}
