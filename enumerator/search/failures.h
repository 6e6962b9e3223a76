/* Paths on which a program fails: a division by zero, an access outside every object. */
#pragma once

#include "enumerator/search/combinations.h"

/* A path fails on some execution: an error, once for each place. */
void check_report_failed_path (Check *check, const RspPath *failed, guint thread);
gboolean check_has_reported (const Check *check, const RspPath *failed);
