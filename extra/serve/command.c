/* -serve: its options. */
#include "extra/serve/command.h"

#define OPTIONS ServeOptions
#include "cli/option_rows.h"

static const CliOption options_table[] = {
  AFTER ("lsp", CLI_LIVE),
  SWITCH (
      "serve", CLI_LIVE, serve,
      "Open the workbench (docs/live.md) in a browser: a page on this machine's loopback address "
      "whose checks this program runs, with all cores. The tests, models, machine and mappings "
      "given are listed there. Ctrl-C ends it."),
  NUMBER ("port", CLI_LIVE, port, "N", 0, 65535,
          "Listen on this port under -serve. Default: 0, a free one."),
  SWITCH ("no-open", CLI_LIVE, no_open, "Under -serve only print the address."),
};

static const CliCommand commands[]
    = { { .option = "serve", .is_early = TRUE, .run = serve_run }, { .option = NULL } };

const CliExtra serve_extra = { .options = options_table,
                               .n_options = G_N_ELEMENTS (options_table),
                               .size = sizeof (ServeOptions),
                               .commands = commands };
