#ifndef RSP_ENUMERATOR_SEARCH_NAIVE_H
#define RSP_ENUMERATOR_SEARCH_NAIVE_H

#include "enumerator/search/search.h"

/* Adds to the search's tally, flags, thin_air and statistics, and leaves why it ended in
 * budget->stop. staging is that of the pre-execution. */
void rsp_search_naive (RspSearch *search, const RspStaging *staging);

/* Asks the model, staged anew, for its verdict on one execution (but for what the model chooses
 * itself: its orders and script are not read); what comes of it is recorded. */
void rsp_search_judge (RspSearch *search, const RspExecution *execution);

#endif
