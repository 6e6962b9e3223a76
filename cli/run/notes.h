#pragma once

#include "cli/run/job.h"

/* Adds what -v tells of the cell's search to its diagnostics: the journal, if there is one,
 * statistics, and evidence. */
void cli_note_search (CliCell *cell, const RspModel *model, const GString *journal);
