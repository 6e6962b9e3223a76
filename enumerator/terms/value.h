/* Values in final states. */
#pragma once

#include "enumerator/terms/term.h"

/* The order of values in states: undetermined values come last. */
int rsp_value_compare (RspValue a, RspValue b);

/* Appends a value of that type, "5", "x" (an address), "S1", "S1_2" or "S1_m2" (undetermined), to
 * out. */
void rsp_value_format (const RspProgram *program, const RspType *type, RspValue value,
                       GString *out);
