/* The description of a model: its name, axioms, flags, warnings, variants, and source. */
#pragma once

#include "model/model.h"

/* Appends the model's name and file; the names of its axioms that forbid executions (axioms), that
 * make a program undefined or raise a flag (flags), or that warn, each once, with the variants that
 * it depends on; every variant that it or an included file tests for; and the comment at the head
 * of its file. Headings are not indented; their contents are. */
void rsp_model_format_help (const RspModel *model, GString *out);
