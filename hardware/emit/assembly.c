#include "hardware/emit/assembly.h"

const Assembly *rsp_assembly_find (RspTarget target, RspLanguageId language) {
  static const Assembly *const found[RSP_N_TARGETS][RSP_N_LANGUAGES]
      = { [RSP_TARGET_CUDA] = { [RSP_LANGUAGE_PTX] = &ptx_assembly } };
  return found[target][language];
}
