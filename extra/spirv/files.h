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
  static const struct {
    const char *suffix;
    SpirvFile kind;
  } suffixes[] = { { ".spv", SPIRV_FILE_MODULE },   { ".spvasm", SPIRV_FILE_MODULE },
                   { ".comp", SPIRV_FILE_COMPUTE }, { ".vert", SPIRV_FILE_STAGE },
                   { ".frag", SPIRV_FILE_STAGE },   { ".tesc", SPIRV_FILE_STAGE },
                   { ".tese", SPIRV_FILE_STAGE },   { ".geom", SPIRV_FILE_STAGE },
                   { ".mesh", SPIRV_FILE_STAGE },   { ".task", SPIRV_FILE_STAGE },
                   { ".rgen", SPIRV_FILE_STAGE },   { ".rint", SPIRV_FILE_STAGE },
                   { ".rahit", SPIRV_FILE_STAGE },  { ".rchit", SPIRV_FILE_STAGE },
                   { ".rmiss", SPIRV_FILE_STAGE },  { ".rcall", SPIRV_FILE_STAGE } };
  for (gsize i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_has_suffix (path, suffixes[i].suffix))
      return suffixes[i].kind;
  return SPIRV_FILE_OTHER;
}
