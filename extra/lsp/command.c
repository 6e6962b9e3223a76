/* -lsp: the language server on standard input and output. */
#include "cli/extra.h"
#include "extra/lsp/lsp.h"

#include <unistd.h>

typedef struct LspOptions {
  int lsp;
} LspOptions;

static int run (CliOptions *options, RspDiagnostics *diagnostics) {
  (void) diagnostics;
  return rsp_lsp_run (STDIN_FILENO, STDOUT_FILENO, options->models) ? CLI_STATUS_OK
                                                                    : CLI_STATUS_UNFINISHED;
}

#define OPTIONS LspOptions
#include "cli/option_rows.h"

static const CliOption options_table[] = {
  AFTER ("", CLI_LIVE),
  SWITCH ("lsp", CLI_LIVE, lsp,
          "Serve an editor on standard input and output, by the Language Server Protocol: errors "
          "in tests, models, mappings, kernels and modules of SPIR-V as one types, definitions, "
          "completion, and the verdict over each test. With -model: the verdict under these "
          "models."),
};

static const CliCommand commands[]
    = { { .option = "lsp", .is_early = TRUE, .run = run }, { .option = NULL } };

const CliExtra lsp_extra = { .options = options_table,
                             .n_options = G_N_ELEMENTS (options_table),
                             .size = sizeof (LspOptions),
                             .inside = (const char *const[]){ "lsp", NULL },
                             .commands = commands };
