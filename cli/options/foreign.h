/* Options of herd that have no meaning here: they are ignored, with a line. */
#pragma once

#include "base/diagnostic.h"

typedef struct CliForeign {
  const char *name;
  gboolean takes_value;
  const char *why; /* a clause without a full stop; NULL: it is about drawings */
} CliForeign;

/* NULL if herd does not have such an option. */
const CliForeign *cli_option_of_herd (const char *name);
/* Reports the option with a line; those about drawings are only added to `drawings`. */
void cli_foreign_ignore (const CliForeign *option, RspSpan at, GString *drawings,
                         RspDiagnostics *diagnostics);
/* One line for all that were added. */
void cli_foreign_report (const GString *drawings, RspDiagnostics *diagnostics);
