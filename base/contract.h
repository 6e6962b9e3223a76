/* Contracts: what a function requires of its callers. Builds with sanitizers and with DEBUG=1 check
 * contracts; others assume that they hold. (g_assert is for what the function itself has
 * established, and is checked in all builds.) */
#pragma once

#include <glib.h>

#ifdef RSP_CHECK_CONTRACTS
#define RSP_CONTRACT(condition) g_assert (condition)
#else
#define RSP_CONTRACT(condition) ((void) (FALSE && (condition)))
#endif
