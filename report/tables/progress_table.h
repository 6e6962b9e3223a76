/* A suite under several progress models. */
#pragma once

#include "enumerator/progress.h"
#include "report/record.h"

/* Appends a table of what becomes of each test under each of the models ("ends", "hangs", "ends?"
 * as far as loops were unrolled, "unknown") and of the weakest promises under which it ends; and
 * for each model and the next weaker ones, the tests that end only under the stronger one. records:
 * of RspRecord; those without an answer are left out. */
void rsp_progress_table_format (const GPtrArray *records, const RspProgress *models, guint n,
                                GString *out);
