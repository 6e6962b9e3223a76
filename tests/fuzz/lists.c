/* The files that select tests, options and expectations. The first byte selects the kind of file as
 * which the rest is read. */
#include "cli/internal.h"
#include "cli/options.h"
#include "tests/fuzz/common.h"

#include <string.h>
#include <unistd.h>

static void read_conf (CliOptions *options, const char *path, RspDiagnostics *diagnostics) {
  const CliOption *conf = cli_option_find ("conf");
  fuzz_require_reason (cli_option_set (options, conf, path, RSP_NOWHERE, diagnostics), diagnostics);
}

/* A folder stands for all tests below it, which "/" makes as many as the machine has. */
static void read_index (CliOptions *options, const char *path, RspDiagnostics *diagnostics) {
  g_autofree char *text = NULL;
  if (!g_file_get_contents (path, &text, NULL, NULL) || strchr (text, '/'))
    return;
  g_ptr_array_add (options->inputs, g_strconcat ("@", path, NULL));
  g_ptr_array_unref (cli_inputs_expand (options->inputs, diagnostics));
}

static void read_expected (CliOptions *options, const char *path, RspDiagnostics *diagnostics) {
  CliTable *table = cli_table_read (path, options, diagnostics);
  fuzz_require_reason (table->sound, diagnostics);
  cli_table_free (table);
}

static void read_selection (CliOptions *options, RspDiagnostics *diagnostics) {
  g_autoptr (CliSelection) selection = cli_selection_new (options, diagnostics);
  fuzz_require_reason (selection != NULL, diagnostics);
  if (selection)
    cli_selection_report_missing (selection, diagnostics);
}

static void read_names (CliOptions *options, const char *path, RspDiagnostics *diagnostics) {
  g_ptr_array_add (options->names, g_strdup (path));
  read_selection (options, diagnostics);
}

static void read_kinds (CliOptions *options, const char *path, RspDiagnostics *diagnostics) {
  g_ptr_array_add (options->kinds, g_strdup (path));
  read_selection (options, diagnostics);
}

static void read_conditions (CliOptions *options, const char *path, RspDiagnostics *diagnostics) {
  g_ptr_array_add (options->conditions, g_strdup (path));
  read_selection (options, diagnostics);
}

static void (*const readers[]) (CliOptions *options, const char *path, RspDiagnostics *diagnostics)
    = { read_conf, read_index, read_expected, read_names, read_kinds, read_conditions };

static void read_claims (const uint8_t *data, size_t size) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  RspSource *source = fuzz_source (data, size);
  if (source)
    g_array_unref (cli_claims_read (source, diagnostics));
  if (source)
    rsp_source_unref (source);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  if (size == 0)
    return -1;
  guint reader = *data % (G_N_ELEMENTS (readers) + 1);
  if (reader == G_N_ELEMENTS (readers)) {
    read_claims (data + 1, size - 1);
    return 0;
  }
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (CliOptions) options = cli_options_new ();
  int file;
  g_autofree char *path = fuzz_file_open (data + 1, size - 1, &file);
  readers[reader](options, path, diagnostics);
  close (file);
  return 0;
}
