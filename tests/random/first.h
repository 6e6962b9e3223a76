/* The first execution that decides the condition (-speedcheck fast), against all of them. */
#pragma once

#include "enumerator/search/search.h"

/* By every engine but the naive one, by the bounded one also on several threads, and also of a test
 * that asks the opposite: has the verdict of the whole search, with some of its states and flags?
 * FALSE, and says so, if not. TRUE if the options are not those of a whole search. */
gboolean first_agrees (const RspModel *model, RspCheckOptions options, const RspOutcome *whole);
