#include "enumerator/outcome.h"
#include "parser/format.h"

void rsp_outcome_free (RspOutcome *outcome) {
  if (!outcome)
    return;
  g_free (outcome->numbers);
  rsp_arena_free (outcome->arena);
  g_free (outcome);
}

void rsp_outcome_format_value (const RspOutcome *outcome, const RspStateCount *state, guint i,
                               GString *out) {
  const RspProgram *program = outcome->program;
  const RspObservable *observable = &program->observables[outcome->printed[i]];
  rsp_value_format (program, rsp_observable_type (program, observable),
                    rsp_outcome_value (outcome, state, i), out);
}

void rsp_statistics_add (RspStatistics *to, const RspStatistics *from) {
#define COUNT(name)    to->name += from->name;
#define INTERNAL(name) to->name += from->name;
#define SECONDS(name)  to->name += from->name;
#include "enumerator/statistics.def"
}
