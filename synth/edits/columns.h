#pragma once

#include "synth/edits/finding.h"

/* The sites of a test whose threads are columns: what the language's alphabet
 * (parser/columns/instruction.h) has stronger and weaker forms of. */
void find_in_columns (Finding *f);
