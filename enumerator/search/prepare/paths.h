#pragma once

#include "enumerator/search/combinations.h"

/* Finds check->paths. With -spin last, paths without rounds that
 * wait; with all of them if the model may tell how often a loop has waited. FALSE after an error. */
gboolean check_find_paths (Check *check);

/* Do some paths have conditions? Without any, values rule out no path and no combination. */
gboolean check_has_conditions (const Check *check);

/* Removes paths that are truncated or stuck, and reports each loop that has some of the former once. With the option
 * `prefixes`, they may stay, as if they ended. */
void check_drop_truncated_paths (Check *check);
