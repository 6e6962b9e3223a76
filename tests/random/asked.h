/* Questions that the solver answers, against the search of every combination of paths. */
#pragma once

#include "enumerator/search/search.h"

/* Asks whether there are executions of some kinds: with the condition's outcome, without each axiom
 * or with it alone, that fail it, that raise each flag of the outcome; and for explanations, of
 * which answers and sets of axioms count. FALSE, and says so, if the answers differ. */
gboolean asked_agrees (const RspProgram *program, const RspModel *model, RspCheckOptions options,
                       const RspOutcome *outcome);
