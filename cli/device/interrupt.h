/* SIGINT and SIGTERM while waiting for other programs: they cancel the wait, so that what was begun
 * can be cleaned up before the signal ends the process. */
#pragma once

#include <gio/gio.h>

typedef struct CliInterrupt CliInterrupt;

/* Starts catching the signals, unless they are ignored. */
CliInterrupt *cli_interrupt_watch (void);
/* Cancelled when a signal arrives; owned by the interrupt. */
GCancellable *cli_interrupt_cancellable (const CliInterrupt *interrupt);
/* Ends the watch and frees interrupt. Returns the signal that arrived, or 0. */
int cli_interrupt_end (CliInterrupt *interrupt);
