#pragma once

#include "enumerator/search/search.h"

/* Tries the model's recursive definitions that are not monotone on one candidate execution, whether
 * or not the model allows it. FALSE if one of them does not converge, which is reported. */
gboolean try_recursions (RspSearch *search, const RspStaging *staging);
/* Reports a recursive definition that did not converge. */
void search_report_divergence (RspSearch *search, RspDag *dag);
