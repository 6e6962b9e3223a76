/* Breaking the symmetry of threads: of executions that differ only by exchanging threads, some are
 * left out, and at least one is kept. */
#pragma once

#include "enumerator/search/sat/choices.h"

/* A literal that keeps one arrangement at least of exchangeable threads (class and block: see
 * enumerator/search/symmetry.h), if it is assumed; hidden: of those whose registers the states do
 * not show. */
Lit sat_symmetry_break (const SatChoices *choices, const guint *class, const guint *block,
                        gboolean hidden);
