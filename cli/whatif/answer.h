/* What if: the answer of a changed test compared with that of the original; for -vary and -diff. */
#pragma once

#include "cli/columns/column.h"
#include "model/model.h"
#include "report/tables/change.h"

#include <json-glib/json-glib.h>

/* The program's record under the column's model, perhaps with the events that show why flags are
 * raised. Diagnostics receive the check's messages. */
RspRecord *cli_answer (const RspProgram *program, const char *path, const RspModel *model,
                       const CliColumn *column, gboolean evidence, RspDiagnostics *diagnostics);
/* Sets the members `before`, `after` (answers), `gained`, `lost` (states). */
void cli_answer_set_change (JsonObject *object, const RspChange *change);
/* Writes the object, which it takes, as one line. */
gboolean cli_answer_write_json (JsonObject *object);
