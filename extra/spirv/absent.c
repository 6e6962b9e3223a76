/* SPIR-V in a program that is built without SPIRV-Tools. */
#include "cli/extra.h"

static gboolean recognises (const char *path) {
  return g_str_has_suffix (path, ".spv") || g_str_has_suffix (path, ".spvasm")
         || g_str_has_suffix (path, ".comp");
}

static RspKernelFront *open_front (const CliOptions *options, const char *path,
                                   const char *const *preprocessing, RspDiagnostics *diagnostics) {
  (void) options, (void) preprocessing;
  rsp_error (diagnostics, RSP_NOWHERE,
             "install spirv-tools and spirv-headers, and run `make` again",
             "%s: this rspcheck is built without SPIRV-Tools, which reads SPIR-V", path);
  return NULL;
}

static const CliKernels kernels = { .recognises = recognises, .open = open_front };

const CliExtra spirv_extra = { .kernels = &kernels };
