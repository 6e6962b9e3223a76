#include "tests/unit/model_fixture.h"

#include <check.h>
#include <string.h>

RspModel *model_load (const char *model, RspDiagnostics *diagnostics) {
  static const char *const directories[] = { "cat", NULL };
  g_autoptr (GHashTable) texts = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree char *path = rsp_model_resolve ("own.cat");
  RspSource *source = rsp_source_new (path, g_strdup (model), strlen (model));
  g_hash_table_insert (texts, path, source);
  RspModel *loaded = model[0] == '"'
                         ? rsp_model_load_with (path, directories, texts, NULL, diagnostics)
                         : rsp_model_load (model, directories, NULL, diagnostics);
  rsp_source_unref (source);
  ck_assert_ptr_nonnull (loaded);
  return loaded;
}
