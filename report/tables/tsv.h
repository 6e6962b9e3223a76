#pragma once

#include "report/tables/compare.h"

/* The columns of expected.tsv: model, test, observation, positive, negative, states, flags. */
void rsp_tsv_format_header (GString *out);
void rsp_tsv_format (const RspRecord *record, GString *out);
char **rsp_tsv_cells (const RspRecord *record);
/* Those that are raised, separated by commas, in alphabetical order, so that it does not depend on
 * the model's. "-": none, "undefined": a log does not say which. */
char *rsp_tsv_flags (const RspRecord *record);
/* "Never", "Sometimes", "Always"; "Timeout" or similar for a test that did not finish. */
const char *rsp_tsv_verdict_word (const RspRecord *record);
