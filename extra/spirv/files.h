/* Kinds of files, by their names. */
#pragma once

#include <glib.h>

typedef enum SpirvFile {
  SPIRV_FILE_OTHER,
  SPIRV_FILE_MODULE,
  SPIRV_FILE_COMPUTE, /* a shader in GLSL */
  SPIRV_FILE_STAGE    /* a shader that is not supported */
} SpirvFile;

/* The suffixes are those of glslangValidator. */
static inline SpirvFile spirv_kind_of (const char *path) {
  static const char *const stages[]
      = { ".vert", ".frag", ".tesc",  ".tese",  ".geom",  ".mesh", ".task",
          ".rgen", ".rint", ".rahit", ".rchit", ".rmiss", ".rcall" };
  if (g_str_has_suffix (path, ".spv") || g_str_has_suffix (path, ".spvasm"))
    return SPIRV_FILE_MODULE;
  for (gsize i = 0; i < G_N_ELEMENTS (stages); i++)
    if (g_str_has_suffix (path, stages[i]))
      return SPIRV_FILE_STAGE;
  return g_str_has_suffix (path, ".comp") ? SPIRV_FILE_COMPUTE : SPIRV_FILE_OTHER;
}
