#include "cli/whatif/tests.h"

#include "cli/columns/models.h"
#include "cli/base/status.h"
#include "cli/select/inputs.h"
#include "cli/base/stream.h"
#include "cli/whatif/answer.h"
#include "base/json.h"
#include "report/evidence.h"
#include "parser/litmus/parse.h"
#include "synth/edits/version.h"

#include <string.h>

static GPtrArray *expand (const CliOptions *options) {
  g_autoptr (RspDiagnostics) ignored = rsp_diagnostics_new ();
  return cli_inputs_expand (options->inputs, ignored);
}

gboolean cli_tests_are_compared (const CliOptions *options) {
  gboolean other = options->merge || options->expect || options->compared->len || options->html
                   || options->machine || options->resume || options->shard.of;
  if (!options->diff || options->models->len > 1 || other)
    return FALSE;
  g_autoptr (GPtrArray) paths = expand (options);
  return paths->len == 2;
}

/* ---- The report ---- */

/* Do they print the same registers and locations? Names are to the left of the `=` in a state. */
static gboolean print_the_same (const RspProgram *a, const RspProgram *b) {
  if (a->n_observables != b->n_observables)
    return FALSE;
  for (guint i = 0; i < a->n_observables; i++)
    if (strcmp (a->observables[i].name, b->observables[i].name) != 0)
      return FALSE;
  return TRUE;
}

static void append_names (const RspChange *change, const char *label, GString *out) {
  g_string_append_printf (out, "Test %s", change->before->test);
  if (strcmp (change->before->test, change->after->test) != 0)
    g_string_append_printf (out, " -> %s", change->after->test);
  g_string_append_printf (out, ", %s:\n", label);
}

static void append_flag_lines (const RspRecord *record, const GPtrArray *flags, char sign,
                               GString *out) {
  for (guint i = 0; i < flags->len; i++) {
    g_string_append_printf (out, "    %c %s", sign, (const char *) flags->pdata[i]);
    rsp_record_format_evidence (record, flags->pdata[i], out);
    g_string_append_c (out, '\n');
  }
}

static gboolean report_text (const RspChange *change, const char *label, const char *diff) {
  g_autoptr (GString) out = g_string_new (*diff ? diff : "The programs are the same.\n");
  g_autofree char *verdict = rsp_change_format_verdict (change);
  append_names (change, label, out);
  g_string_append_printf (out, "  verdict: %s\n", verdict);
  if (rsp_change_is_known (change) && !rsp_change_compares_states (change))
    g_string_append (out,
                     "  states: not compared, as anything may happen where a test is undefined\n");
  else if (change->gained->len || change->lost->len)
    g_string_append_printf (out, "  states: %u -> %u\n", change->before->states->len,
                            change->after->states->len);
  else
    g_string_append_printf (out, "  states: %u, the same\n", change->before->states->len);
  rsp_change_format_states (change, 4, out);
  g_string_append_printf (out, "  flags:%s\n",
                          change->flags_gained->len || change->flags_lost->len ? "" : " the same");
  append_flag_lines (change->after, change->flags_gained, '+', out);
  append_flag_lines (change->before, change->flags_lost, '-', out);
  return cli_write (out);
}

static gboolean report_json (const RspChange *change, const char *label, const char *diff) {
  JsonObject *object = json_object_new ();
  rsp_json_set_text (object, "question", "diff");
  rsp_json_set_text (object, "test", change->before->test);
  rsp_json_set_text (object, "path", change->before->path);
  rsp_json_set_text (object, "other_test", change->after->test);
  rsp_json_set_text (object, "other_path", change->after->path);
  rsp_json_set_text (object, "model", label);
  rsp_json_set_text (object, "patch", diff);
  cli_answer_set_change (object, change);
  return cli_answer_write_json (object);
}

/* ---- The run ---- */

typedef struct Pair {
  RspProgram *programs[2];
  const char *paths[2];
  RspRecord *records[2];
} Pair;

/* Both tests use the model for the first test's language. */
static gboolean answer (Pair *pair, const CliColumn *column, CliModels *models,
                        RspDiagnostics *diagnostics) {
  for (guint i = 0; i < 2; i++) {
    CliModel *found = cli_models_get (models, column, pair->paths[i]);
    cli_models_report (models, found, diagnostics);
    if (!found->model)
      return FALSE;
    pair->records[i]
        = cli_answer (pair->programs[i], pair->paths[i], found->model, column, TRUE, diagnostics);
  }
  return TRUE;
}

static gboolean compare (const CliOptions *options, Pair *pair, const CliColumn *column,
                         CliModels *models, RspDiagnostics *diagnostics) {
  if (!answer (pair, column, models, diagnostics))
    return FALSE;
  if (!print_the_same (pair->programs[0], pair->programs[1]))
    rsp_warning (
        diagnostics, RSP_NOWHERE, "give both the same `locations` and condition",
        "the two tests print different registers or locations: their states differ by that");
  g_autofree char *diff
      = rsp_synth_text_diff (pair->paths[0], pair->paths[1], pair->programs[0]->source->text,
                             pair->programs[1]->source->text);
  g_auto (RspChange) change = { 0 };
  rsp_change_init (&change, pair->records[0], pair->records[1]);
  return (options->json ? report_json : report_text) (&change, column->label, diff)
         && rsp_record_is_ok (pair->records[0]) && rsp_record_is_ok (pair->records[1]);
}

int cli_tests_compare (CliOptions *options, RspDiagnostics *diagnostics) {
  g_autoptr (GPtrArray) paths = expand (options);
  g_autoptr (CliModels) models = cli_models_new (options);
  g_autoptr (CliColumns) columns = cli_columns_new (options, diagnostics);
  Pair pair = { 0 };
  gboolean good = columns != NULL;
  for (guint i = 0; i < 2 && columns; i++) {
    pair.paths[i] = paths->pdata[i];
    pair.programs[i] = cli_inputs_read (paths->pdata[i], options->strict > 0, diagnostics);
    good &= pair.programs[i] != NULL;
  }
  if (good)
    good = compare (options, &pair,
                    cli_columns_for (columns, pair.programs[0]->language->id)->pdata[0], models,
                    diagnostics);
  cli_print_diagnostics (diagnostics, options->quiet);
  for (guint i = 0; i < 2; i++) {
    rsp_record_free (pair.records[i]);
    rsp_program_free (pair.programs[i]);
  }
  return !columns ? CLI_STATUS_USAGE : good ? CLI_STATUS_OK : CLI_STATUS_UNFINISHED;
}
