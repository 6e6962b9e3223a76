#ifndef RSP_SYNTH_EDITS_COLUMNS_H
#define RSP_SYNTH_EDITS_COLUMNS_H

#include "synth/edits/finding.h"

/* The sites of a test whose threads are columns: what the language's alphabet
 * (parser/columns/instruction.h) has stronger and weaker forms of. */
void find_in_columns (Finding *f);

#endif
