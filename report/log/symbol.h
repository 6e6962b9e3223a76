/* Undetermined values in logs: symbols, whose numbers mean nothing outside their state. */
#ifndef RSP_REPORT_LOG_SYMBOL_H
#define RSP_REPORT_LOG_SYMBOL_H

#include <glib.h>

/* Numbers the symbols of a sorted state (an array of RspLogBinding) anew, in order of appearance, so
 * that states which differ only in such numbers are equal. */
void log_number_symbols (GArray *state);
gboolean log_has_symbols (const GArray *state);

#endif
