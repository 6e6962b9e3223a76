#pragma once

#include "base/hash.h"
#include "enumerator/shapes/code/code.h"

/* A hash of the plain axioms and requirements that are not settled under the current labelling,
 * with known values substituted: equal hashes mean equal functions of rf, co and what is open. */
RspHash code_hash_axioms (const Code *code);
