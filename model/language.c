/* Which names a language has. */
#include "model/language.h"

#define OPENCL (1u << RSP_LANGUAGE_OPENCL)
#define C      (1u << RSP_LANGUAGE_C)
#define PTX    (1u << RSP_LANGUAGE_PTX)
#define VULKAN (1u << RSP_LANGUAGE_VULKAN)

static const struct
{
  const char *name;
  guint languages;
} only[] = {
#define RSP_BASE_ONLY(name, languages) { name, languages },
#include "model/base_names.def"
};

const char *
rsp_base_name (const char *name)
{
  static const char *const aliases[][2] = {
#define RSP_BASE_ALIAS(name, other) { name, other },
#include "model/base_names.def"
  };
  for (gsize i = 0; i < G_N_ELEMENTS (aliases); i++)
    if (strcmp (aliases[i][0], name) == 0)
      return aliases[i][1];
  return name;
}

guint
model_languages_of (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (only); i++)
    if (strcmp (only[i].name, name) == 0)
      return only[i].languages;
  const char *own = rsp_base_name (name);
  return own == name ? G_MAXUINT : model_languages_of (own);
}

/* "a name of PTX and Vulkan tests"; newly allocated. */
static char *
hint (guint languages)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  for (guint i = 0; i < RSP_N_LANGUAGES; i++)
    if (languages >> i & 1)
      g_ptr_array_add (words, (gpointer) rsp_languages[i].word);
  g_ptr_array_add (words, NULL);
  g_autofree char *list = g_strjoinv (" and ", (char **) words->pdata);
  return g_strdup_printf ("it is a name of %s tests", list);
}

gboolean
model_fits (const RspModel *model, const RspLanguage *language, RspDiagnostics *diagnostics)
{
  gboolean fits = TRUE;
  for (guint i = 0; language && i < model->uses->len; i++)
    {
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

guint
rsp_model_languages (const RspModel *model)
{
  guint languages = (1u << RSP_N_LANGUAGES) - 1;
  for (guint i = 0; i < model->uses->len; i++)
    languages &= g_array_index (model->uses, RspModelUse, i).languages;
  return languages;
}

gboolean
model_uses_tags (const RspModel *model)
{
  for (guint i = 0; i < model->uses->len; i++)
    if (!(g_array_index (model->uses, RspModelUse, i).languages & (OPENCL | C)))
      return TRUE;
  return FALSE;
}
