#include "tests/fuzz/common.h"
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

enum { LONGEST = 1 << 16 };

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
