/* A module of SPIR-V, binary or text, see fuzz_kernel. */
#include "tests/fuzz/common.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  fuzz_kernel (data, size);
  return 0;
}
