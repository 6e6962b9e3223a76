#ifndef RSP_ENUMERATOR_SEARCH_RECURSION_H
#define RSP_ENUMERATOR_SEARCH_RECURSION_H

#include "enumerator/search/search.h"

/* Tries the model's recursive definitions that take something away from themselves on one candidate
 * execution, whatever else the model says of it. FALSE when one of them does not converge; that is
 * reported. */
gboolean try_recursions (RspSearch *search, const RspStaging *staging);
/* Reports a recursive definition that did not converge. */
void rsp_search_report_divergence (RspSearch *search, RspDag *dag);

#endif
