/* The bounded engine: depth-first search that prunes with the model's bounds. */
#pragma once

#include "enumerator/search/bounded/values/observe.h"

/* Adds to the search's tally, flags, thin_air and statistics, and stores in budget->stop why it
 * ended. staging is that of the pre-execution. Models that bounds cannot handle are searched by the
 * naive engine. */
void rsp_search_bounded (RspSearch *search, const RspStaging *staging);
