#pragma once

#include "enumerator/search/search.h"

/* Adds to the search's tally, flags, thin_air and statistics, and stores in budget->stop why it
 * ended. staging is that of the pre-execution. */
void rsp_search_naive (RspSearch *search, const RspStaging *staging);

/* Stages the model on one execution and records its verdict. The model's own choices are made
 * again: the execution's orders and script are not read. */
void rsp_search_judge (RspSearch *search, const RspExecution *execution);
