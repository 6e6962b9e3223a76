/* A model: typed, and evaluated by both engines on fixed tests. */
#include "model/model.h"
#include "tests/fuzz/common.h"

#include <string.h>
#include <unistd.h>

enum { LONGEST = 1 << 14 };

static const char *const tests[] = {
  "OpenCL MP\n{ [x]=0; [y]=0; }\n"
  "P0 (global int* x, global atomic_int* y) { *x = 1;\n"
  "  atomic_store_explicit (y, 1, memory_order_release, memory_scope_work_group); }\n"
  "P1 (global int* x, global atomic_int* y) {\n"
  "  int r0 = atomic_load_explicit (y, memory_order_acquire, memory_scope_device);\n"
  "  int r1 = *x; }\n"
  "scopeTree (device (work_group P0 P1))\nexists (1:r0=1 /\\ 1:r1=0)\n",
  "C RMW\n{ x=0; }\nP0 (atomic_int* x) { int r0 = atomic_fetch_add (x, 1); }\n"
  "P1 (atomic_int* x) { int r0 = atomic_exchange (x, 2); atomic_thread_fence "
  "(memory_order_seq_cst); int r1 = atomic_load (x); }\nexists (1:r0=1 /\\ x=2)\n",
};

static const RspProgram *fixed_test (guint i) {
  static RspProgram *programs[G_N_ELEMENTS (tests)];
  if (!programs[i]) {
    RspSource *source = fuzz_source ((const uint8_t *) tests[i], strlen (tests[i]));
    programs[i] = fuzz_program (source);
    rsp_source_unref (source);
  }
  return programs[i];
}

static RspModel *load (const uint8_t *data, size_t size) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  int file;
  g_autofree char *path = fuzz_file_open (data, size, &file);
  RspModel *model = rsp_model_load (path, NULL, NULL, diagnostics);
  close (file);
  fuzz_require_reason (model != NULL, diagnostics);
  return model;
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  if (size > LONGEST || g_strstr_len ((const char *) data, (gssize) size, "include"))
    return -1;
  RspModel *model = load (data, size);
  for (guint i = 0; model && i < G_N_ELEMENTS (tests); i++)
    fuzz_compare (fixed_test (i), model);
  rsp_model_free (model);
  return 0;
}
