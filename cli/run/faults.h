/* Failed assertions: one in the thread of a test costs only that test's result. The thread sleeps
 * for ever, since nothing that it held can be trusted; its memory is not freed. */
#pragma once

#include <glib.h>

/* Starts catching failed assertions in all threads but the caller's. Cannot be nested. */
void cli_faults_catch (void);
void cli_faults_release (void);

/* Sets the variable that becomes TRUE if an assertion fails in the calling thread; NULL: none. */
void cli_faults_guard (gint *failed);
/* Has an assertion failed in a thread without such a variable, such as a helper of a test's
 * thread? */
gboolean cli_faults_are_fatal (void);
