/* Derivations as text. */
#ifndef RSP_REPORT_EXPLAIN_STEPS_H
#define RSP_REPORT_EXPLAIN_STEPS_H

#include "report/explain/writer.h"

/* Appends steps of an execution, one per line, each indented by two more blanks than what it
 * explains; without colour. */
void steps_format (const RspExecutionView *view, const RspStep *const *steps, guint n,
                   GString *out);

/* The same for the writer's execution, starting at this depth. */
void put_steps (const Writer *w, const RspStep *const *steps, guint n, guint depth);

#endif
