#include "parser/language.h"
#include "parser/program.h"

#define OPENCL (1u << RSP_LANGUAGE_OPENCL)
#define C      (1u << RSP_LANGUAGE_C)
#define PTX    (1u << RSP_LANGUAGE_PTX)
#define VULKAN (1u << RSP_LANGUAGE_VULKAN)

enum { TOTAL, PARTIAL };

enum { ACCESSED, DECLARED };

enum { NOTED, UNDEFINED };

const RspLanguage rsp_languages[RSP_N_LANGUAGES] = {
#define RSP_LANGUAGE(id, word, model, scoped, cas_writeback, rmw, coherence, tagged, initial,      \
                     flags)                                                                        \
  { RSP_LANGUAGE_##id, word,      model,  scoped,  cas_writeback,                                  \
    RSP_RMW_##rmw,     coherence, tagged, initial, flags },
#include "parser/languages.def"
};

const RspTagWords rsp_tags[RSP_N_TAGS] = {
#define RSP_TAG(id, languages, text) { #id, text, languages },
#include "parser/languages.def"
};

const RspLanguageLevel rsp_language_levels[RSP_N_LANGUAGE_LEVELS] = {
#define RSP_LANGUAGE_LEVEL(language, level, word, tag)                                             \
  { RSP_LANGUAGE_##language, RSP_LEVEL_##level, word, RSP_TAG_##tag },
#include "parser/languages.def"
};
