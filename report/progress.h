/* Hangs in records: which progress models let the test hang, and how. */
#pragma once

#include "enumerator/search/progress/hang.h"
#include "report/record.h"

/* Adds a flag `hangs:MODEL` for each progress model under which the test hangs, `unknown:MODEL` if
 * a limit (options: those of the search) came first, a line for each model ("Hangs NAME: P1 waits
 * at line 7 for x", "Ends NAME"; with the model's name if there are several), and, if explained,
 * how it hangs. */
void rsp_record_set_hangs (RspRecord *record, const RspHangs *hangs, const RspCheckOptions *options,
                           gboolean explained);

/* How it hangs: what becomes of each thread, an order of what happens, and which promises would be
 * enough. Newly allocated; NULL if it does not hang. */
char *rsp_hangs_explain (const RspHangs *hangs);
