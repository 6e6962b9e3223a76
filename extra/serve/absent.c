/* -serve of a program that was built without libsoup 3 or libseccomp. */
#include "extra/serve/command.h"

int serve_run (CliOptions *options, RspDiagnostics *diagnostics) {
  (void) options;
  rsp_error (diagnostics, RSP_NOWHERE, "`make workbench` makes a page that needs no server",
             "this program was built without libsoup 3 or libseccomp, which -serve needs");
  cli_print_diagnostics (diagnostics, FALSE);
  return CLI_STATUS_UNFINISHED;
}
