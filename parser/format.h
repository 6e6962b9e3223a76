#pragma once

#include "parser/proposition.h"

/* A value of that type as states print it: a decimal number, or a location's name for an address
 * ("x", "a[1]"). Appends to out. */
void rsp_program_format_value (const RspProgram *program, const RspType *type, gint64 value,
                               GString *out);
/* A signed number that is not an address. Appends to out. */
void rsp_number_format (gint64 number, GString *out);
const RspType *rsp_observable_type (const RspProgram *program, const RspObservable *observable);
/* The condition as the log prints it: "exists (2:r0=1 /\\ ~(x=2))". Newly allocated. */
char *rsp_program_format_condition (const RspProgram *program);
