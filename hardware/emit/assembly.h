/* Tests of languages with tags, whose instructions a target has or has not. */
#pragma once

#include "hardware/emit/emit.h"

typedef struct Assembly {
  char *(*refusal) (const RspStatement *statement); /* why it has not this one, or NULL */
  void (*body) (Emitter *e);                        /* writes the thread's statements */
} Assembly;

/* NULL if the target has no form for tests of the language. */
const Assembly *rsp_assembly_find (RspTarget target, RspLanguageId language);

extern const Assembly ptx_assembly;
