/* cli/run/workers.h without threads. */
#include "cli/run/workers.h"

CliWorkEnd cli_workers_run (const CliWork *work, guint jobs, guint n) {
  (void) jobs;
  for (guint i = 0; i < n; i++) {
    const CliWorkView view = { n, i, TRUE, i, g_get_monotonic_time () };
    if (work->tick && !work->tick (work->data, &view))
      return CLI_WORK_INTERRUPTED;
    if (!work->take (work->data, i, work->make (work->data, i)))
      return CLI_WORK_ENDED;
  }
  return CLI_WORK_DONE;
}
