#pragma once

#include "enumerator/search/combinations.h"

/* The parts of check_start and check_end that are about paths and what they consist of. */
void check_start_paths (Check *check);
void check_end_paths (Check *check);

/* Finds check->paths, if an earlier check of the program has not. With -spin last, paths without
 * rounds that wait; with all of them if the model may tell how often a loop has waited. Paths that
 * are truncated or stuck are removed, and each loop that has some of the former is reported once;
 * with the option `prefixes`, they may stay, as if they ended. FALSE after an error. */
gboolean check_obtain_paths (Check *check);

/* Do some paths have conditions? Without any, values rule out no path and no combination. */
gboolean check_has_conditions (const Check *check);
