/* A test: read, checked with both engines under three models. */
#include "tests/fuzz/common.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const char *const models[] = { "opencl_rem.cat", "opencl_total.cat", "rc11.cat" };
  RspSource *source = fuzz_source (data, size);
  if (!source)
    return -1;
  RspProgram *program = fuzz_program (source);
  for (guint i = 0; program && i < G_N_ELEMENTS (models); i++)
    fuzz_compare (program, fuzz_model (models[i]));
  rsp_program_free (program);
  rsp_source_unref (source);
  return 0;
}
