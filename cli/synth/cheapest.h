/* -compile F.map -cheapest: the cheapest tables that no program of the space breaks. */
#ifndef RSP_CLI_SYNTH_CHEAPEST_H
#define RSP_CLI_SYNTH_CHEAPEST_H

#include "cli/synth/run.h"

/* Returns an exit status. */
int cli_cheapest_run (Run *run, const RspStageOptions *stage);

#endif
