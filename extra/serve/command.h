#pragma once

#include "cli/extra.h"

typedef struct ServeOptions {
  int serve, no_open; /* -serve, -no-open */
  guint port;         /* of -port; 0: a free one */
} ServeOptions;

/* The workbench on this machine's loopback address (docs/live.md): serves until it is interrupted.
 * The exit status. */
int serve_run (CliOptions *options, RspDiagnostics *diagnostics);
