/* Each language's alphabet. */
#include "parser/columns/instruction.h"

const ColumnsAlphabet *rsp_columns_alphabet (const RspLanguage *language) {
  static const ColumnsAlphabet *const alphabets[RSP_N_LANGUAGES]
      = { [RSP_LANGUAGE_PTX] = &rsp_ptx_alphabet, [RSP_LANGUAGE_VULKAN] = &rsp_vulkan_alphabet };
  return alphabets[language->id];
}

gboolean rsp_columns_instruction (const RspLanguage *language, const char *word,
                                  ColumnsInstruction *instruction, RspDiagnostics *diagnostics) {
  ColumnsParser parser = { .base.diagnostics = diagnostics,
                           .language = language,
                           .alphabet = rsp_columns_alphabet (language) };
  ColumnsCell cell = { .word = word };
  return columns_decode (&parser, &cell, instruction);
}
