#include "enumerator/outcome.h"

void
rsp_outcome_free (RspOutcome *outcome)
{
  if (!outcome)
    return;
  g_free (outcome->numbers);
  rsp_arena_free (outcome->arena);
  g_free (outcome);
}

void
rsp_statistics_add (RspStatistics *to, const RspStatistics *from)
{
#define COUNT(name)    to->name += from->name;
#define INTERNAL(name) to->name += from->name;
#define SECONDS(name)  to->name += from->name;
#include "enumerator/statistics.def"
}
