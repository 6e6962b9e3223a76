/* SPIR-V in a program that is built without SPIRV-Tools. */
#include "cli/extra.h"
#include "extra/spirv/files.h"

static gboolean recognises (const char *path) { return spirv_kind_of (path) != SPIRV_FILE_OTHER; }

static RspKernelFront *open_front (const CliOptions *options, const char *path, const char *text,
                                   const char *const *preprocessing, RspDiagnostics *diagnostics) {
  (void) options, (void) text, (void) preprocessing;
  rsp_error (diagnostics, RSP_NOWHERE,
             "install spirv-tools and spirv-headers, and run `make` again",
             "%s: this rspcheck is built without SPIRV-Tools, which reads SPIR-V", path);
  return NULL;
}

static const CliKernels kernels = { .recognises = recognises, .open = open_front };

const CliExtra spirv_extra = { .kernels = &kernels };
