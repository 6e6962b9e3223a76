/* -compile F.map -cheapest: the cheapest tables that no program of the space breaks. */
#pragma once

#include "cli/synth/run.h"

/* Returns an exit status. */
int cli_cheapest_run (Run *run, const RspStageOptions *stage);
