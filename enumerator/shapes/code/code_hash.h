#pragma once

#include "enumerator/shapes/code/code.h"

/* Hashes of the axioms under the current labelling, with known values substituted: equal hashes
 * mean equal functions of rf, co and what is open. Appends to plain and undefined (of CodeHash)
 * those of the axioms with these roles that are not settled. */
void code_hash_axioms (const Code *code, GArray *plain, GArray *undefined);
