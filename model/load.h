/* Loading models, private part: finding and reading the files. */
#ifndef RSP_MODEL_LOAD_H
#define RSP_MODEL_LOAD_H

#include "model/model.h"

typedef struct Loader
{
  RspModel *model;
  const char *const *directories; /* NULL-terminated, or NULL */
  RspDiagnostics *diagnostics;
  GChecksum *digest;
  GPtrArray
      *open; /* of char *: the absolute paths of the files whose includes are being followed */
  guint n_files;
} Loader;

/* Finds the model (as given, with ".cat" added, then in the NULL-terminated directories), reads it
 * with its includes, and type-checks it. NULL after an error, reported in diagnostics. */
RspModel *rsp_model_load (const char *path, const char *const *directories,
                          const char *const *variants, RspDiagnostics *diagnostics);
void rsp_model_free (RspModel *model);
gboolean rsp_model_has_variant (const RspModel *model, const char *variant);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspModel, rsp_model_free)

#endif
