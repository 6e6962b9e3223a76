/* Contracts: what a function's comment asks of its callers, checked where it is stated. Builds with
 * sanitizers, and with DEBUG=1, check it; others take it as read. (g_assert stays in all builds: it is
 * for what the function itself has established.) */
#ifndef RSP_BASE_CONTRACT_H
#define RSP_BASE_CONTRACT_H

#include <glib.h>

#ifdef RSP_CHECK_CONTRACTS
#define RSP_CONTRACT(condition) g_assert (condition)
#else
#define RSP_CONTRACT(condition) ((void) (FALSE && (condition)))
#endif

#endif
