/* What a model is: its name, axioms, flags, warnings, variants, and where it comes from. */
#ifndef RSP_REPORT_MODEL_HELP_H
#define RSP_REPORT_MODEL_HELP_H

#include "model/model.h"

/* Appends the model's name and file; the names of its axioms that forbid executions (axioms), that
 * make a program undefined or raise a flag (flags), or that warn, each once, with the variants that
 * it depends on; every variant that it or an included file tests for; and the comment at the head
 * of its file. Headings are at the margin, and what belongs to them is indented. */
void rsp_model_format_help (const RspModel *model, GString *out);

#endif
