/* A kernel in OpenCL C, see fuzz_kernel. */
#include "tests/fuzz/common.h"

#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  if (!size || memchr (data, '\0', size))
    return -1;
  fuzz_kernel (data, size);
  return 0;
}
