#include "tests/fuzz/common.h"
int rspcheck_main (int argc, char **argv);
#define main rspcheck_main
#include "cli/main.c"
#undef main
#include "enumerator/terms/terms.h"
#include "model/model.h"
#include "parser/litmus/litmus.h"
#include "report/report.h"
#include "tests/diagnostics_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void __sanitizer_set_report_fd (void *file);
pid_t fork (void);

enum { LONGEST = 1 << 16 };

void __sanitizer_set_report_fd (void *file);

RspSource *fuzz_source (const uint8_t *data, size_t size) {
  if (size > LONGEST || memchr (data, '\0', size))
    return NULL;
  return rsp_source_new ("fuzz", g_strndup ((const char *) data, size), size);
}

RspProgram *fuzz_program (RspSource *source) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  RspProgram *program = rsp_litmus_parse (source, FALSE, diagnostics);
  g_free (diagnostics_text (diagnostics));
  fuzz_require_reason (program != NULL, diagnostics);
  return program;
}

const RspModel *fuzz_model (const char *name) {
  static GHashTable *models;
  if (!models)
    models = g_hash_table_new (g_str_hash, g_str_equal);
  RspModel *model = g_hash_table_lookup (models, name);
  if (!model) {
    const char *folder = g_getenv ("RSP_FUZZ_CAT");
    const char *directories[] = { folder ? folder : "cat", NULL };
    g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
    model = rsp_model_load (name, directories, NULL, diagnostics);
    if (!model)
      abort ();
    g_hash_table_insert (models, (gpointer) name, model);
  }
  return model;
}

static void free_record (gpointer data) { rsp_record_free (((RspJsonLine *) data)->record); }

GArray *fuzz_json_lines_new (void) {
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (RspJsonLine));
  g_array_set_clear_func (lines, free_record);
  return lines;
}

char *fuzz_file_open (const uint8_t *data, size_t size, int *file) {
  *file = memfd_create ("fuzz", 0);
  if (*file < 0 || write (*file, data, size) != (ssize_t) size)
    abort ();
  return g_strdup_printf ("/proc/self/fd/%d", *file);
}

void fuzz_require_reason (gboolean accepted, const RspDiagnostics *diagnostics) {
  if (!accepted && !rsp_diagnostics_count_errors (diagnostics))
    abort ();
}

static char *describe (const RspOutcome *outcome) {
  GString *out = g_string_new (NULL);
  for (guint i = 0; i < outcome->n_states; i++) {
    for (guint j = 0; j < outcome->n_printed; j++) {
      rsp_outcome_format_value (outcome, &outcome->states[i], j, out);
      g_string_append_c (out, ';');
    }
    rsp_count_format (outcome->states[i].executions, out);
    g_string_append_c (out, ' ');
    rsp_count_format (outcome->states[i].n_undefined, out);
    g_string_append_c (out, '\n');
  }
  for (guint i = 0; i < outcome->n_flags; i++)
    if (outcome->flags[i].raised)
      g_string_append_printf (out, "flag %s\n", outcome->flags[i].name);
  return g_string_free (out, FALSE);
}

void fuzz_check_options (RspCheckOptions *options) {
  rsp_check_options_init (options);
  options->timeout = 0.1;
  options->max_executions = 200;
  options->max_memory = 64 << 20;
  options->unroll = 2;
}

/* NULL if the check did not finish. */
static char *check (const RspProgram *program, const RspModel *model, RspcheckEngine engine) {
  RspCheckOptions options;
  fuzz_check_options (&options);
  options.engine = engine;
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspOutcome) outcome = rsp_check (program, model, &options, diagnostics);
  return outcome->stop == RSPCHECK_STOP_COMPLETE ? describe (outcome) : NULL;
}

void fuzz_compare (const RspProgram *program, const RspModel *model) {
  g_autofree char *bounded = check (program, model, RSPCHECK_ENGINE_BOUNDED);
  g_autofree char *naive = bounded ? check (program, model, RSPCHECK_ENGINE_NAIVE) : NULL;
  if (!bounded || !naive || strcmp (bounded, naive) == 0)
    return;
  fprintf (stderr, "the engines differ under %s\nbounded:\n%s\nnaive:\n%s\n", model->path, bounded,
           naive);
  abort ();
}

/* No target starts a process: what one would find is found, and seen, in this one, and there is no
 * preprocessor. */
pid_t fork (void) { return -1; }

static void stop (G_GNUC_UNUSED int signal) { abort (); }

/* What GLib complains of is a finding; it then traps, of which libFuzzer would keep no input. */
__attribute__ ((constructor)) static void be_strict (void) {
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL);
  signal (SIGTRAP, stop);
}

/* Are these arguments that may be run here? */
static gboolean may_run (char **arguments) {
  static const char *const others[]
      = { "o", "html", "latex", "live", "promote", "resume", "watch", NULL };
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (CliOptions) options = cli_options_new ();
  options->confined = TRUE;
  gboolean accepted
      = cli_options_parse (options, (int) g_strv_length (arguments), arguments, diagnostics);
  fuzz_require_reason (accepted, diagnostics);
  for (guint i = 0; others[i]; i++)
    accepted = accepted && !cli_option_is_set (options, others[i]);
  return accepted && !options->inputs->len;
}

/* Where the two streams of text go. */
static void redirect (int out, int err) {
  fflush (stdout);
  if (dup2 (out, STDOUT_FILENO) < 0 || dup2 (err, STDERR_FILENO) < 0)
    abort ();
}

int fuzz_run (char **arguments, const char *const *own) {
  static const char *const limits[]
      = { "-timeout", "0.2", "-max-executions", "5000", "-max-memory", "64M",
          "-j",       "1",   "-unroll",         "2",    NULL };
  static int out = -1, err = -1, nowhere = -1;
  if (!may_run (arguments))
    return -1;
  if (nowhere < 0) {
    out = dup (STDOUT_FILENO);
    err = dup (STDERR_FILENO);
    nowhere = open ("/dev/null", O_WRONLY);
    __sanitizer_set_report_fd (GINT_TO_POINTER (err));
  }
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  g_ptr_array_add (all, (gpointer) "rspcheck");
  const char *const *const lists[] = { (const char *const *) arguments, limits, own };
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    for (guint k = 0; lists[i][k]; k++)
      g_ptr_array_add (all, (gpointer) lists[i][k]);
  g_ptr_array_add (all, NULL);
  redirect (nowhere, nowhere);
  int status = rspcheck_main ((int) all->len - 1, (char **) all->pdata);
  redirect (out, err);
  return status;
}

/* ---- Kernels ---- */
enum { ALL_FOUND, FOUND_SOMETHING = 3 }; /* exit statuses of checks that came to an end */

static int check_kernel (const char *options, const char *path, const char *grid,
                         const char *engine) {
  g_auto (GStrv) words = g_strsplit (options, " ", -1);
  const char *const own[] = { "-kernel", path, "-grid", grid, "-engine", engine, NULL };
  return fuzz_run (words, own);
}

static gboolean is_whole (int status) { return status == ALL_FOUND || status == FOUND_SOMETHING; }

void fuzz_kernel (const uint8_t *data, size_t size) {
  static const char *const grids[] = { "1x2", "2x1", "1x1x2", "1x1" };
  const uint8_t *text = size ? memchr (data, '\n', size) : NULL;
  if (!text)
    return;
  int file;
  g_autofree char *options = g_strndup ((const char *) data, (gsize) (text - data));
  g_autofree char *path = fuzz_file_open (text + 1, size - (size_t) (text + 1 - data), &file);
  const char *grid = grids[size % G_N_ELEMENTS (grids)];
  int bounded = check_kernel (options, path, grid, "bounded");
  int naive = is_whole (bounded) ? check_kernel (options, path, grid, "naive") : bounded;
  close (file);
  if (is_whole (naive) && naive != bounded)
    g_error ("the engines differ on %s: %d, %d", grid, bounded, naive);
}
