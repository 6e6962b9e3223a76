#ifndef RSP_SHAPES_CODE_HASH_H
#define RSP_SHAPES_CODE_HASH_H

#include "enumerator/shapes/code.h"

void code_hash_axioms (const Code *code, GArray *plain, GArray *undefined);

#endif
