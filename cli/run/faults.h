/* Failed assertions: one in the thread of a test costs that test's result and no other's. Where a thread
 * failed it stays as it is, asleep, since nothing that it held can be trusted; the memory is the
 * process's until its end. */
#ifndef RSP_CLI_RUN_FAULTS_H
#define RSP_CLI_RUN_FAULTS_H

#include <glib.h>

/* From now on failed assertions of all threads but the caller's are caught. Not nested. */
void cli_faults_catch (void);
void cli_faults_release (void);

/* Where an assertion that fails in the calling thread leaves TRUE. NULL: nowhere. */
void cli_faults_guard (gint *failed);
/* Did an assertion fail in a thread without such a place, as a helper of a test's own thread is? */
gboolean cli_faults_are_fatal (void);

#endif
