/* Loading models, private part: finding and reading the files. */
#pragma once

#include "model/model.h"

typedef struct Loader {
  RspModel *model;
  const char *const *directories; /* NULL-terminated, or NULL */
  GHashTable *texts; /* absolute path → RspSource, read instead of the file; or NULL */
  RspDiagnostics *diagnostics;
  GChecksum *digest;
  GPtrArray
      *open; /* of char *: the absolute paths of the files whose includes are being followed */
  guint n_files;
} Loader;

/* Finds the model (as given, with ".cat" added, then in the NULL-terminated directories) and reads
 * it with its includes, from texts (absolute path → RspSource; may be NULL) where they have the
 * file. NULL if it is not found. Other errors are reported in diagnostics; then the model is
 * incomplete. */
RspModel *rsp_model_read (const char *path, const char *const *directories, GHashTable *texts,
                          const char *const *variants, RspDiagnostics *diagnostics);
/* The absolute path of a file, without links; of one that does not exist, the path itself. Newly
 * allocated. */
char *rsp_model_resolve (const char *path);
/* Reads the model likewise, and type-checks it. NULL after an error, reported in diagnostics. */
RspModel *rsp_model_load_with (const char *path, const char *const *directories, GHashTable *texts,
                               const char *const *variants, RspDiagnostics *diagnostics);
RspModel *rsp_model_load (const char *path, const char *const *directories,
                          const char *const *variants, RspDiagnostics *diagnostics);
void rsp_model_free (RspModel *model);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspModel, rsp_model_free)
