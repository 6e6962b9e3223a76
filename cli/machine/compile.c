#include "cli/machine/compile.h"
#include "api/run/run.h"
#include "report/explain/text.h"

/* ---- Can it be translated? ---- */

static gboolean check_language (const RspMap *map, const RspProgram *program,
                                RspDiagnostics *diagnostics) {
  if (map->languages >> program->language->id & 1)
    return TRUE;
  rsp_error (diagnostics, RSP_NOWHERE, NULL, "test %s: the mapping %s is not for %s tests",
             program->name, map->name, program->language->word);
  return FALSE;
}

/* What is in a test but in no instruction. */
static gboolean check_pairs (const RspMap *map, const RspProgram *program,
                             RspDiagnostics *diagnostics) {
  if (!program->n_ssw || map->target == program->language)
    return TRUE;
  rsp_error (diagnostics, RSP_NOWHERE, NULL, "test %s: %s has nothing for `ssw`", program->name,
             map->target->word);
  return FALSE;
}

/* ---- Why it is unsound ---- */

/* Explains the outcome under the model. */
static void explain (const CliCompile *compile, const RspProgram *program, const RspModel *model,
                     const char *outcome, GString *out, RspDiagnostics *diagnostics) {
  const char *outcomes[] = { outcome, NULL };
  RspRunOptions run = { .check = compile->column->check, .explain = TRUE, .outcomes = outcomes };
  g_autoptr (RspRecord) record = rsp_record_new (program->name, "", "", NULL);
  rsp_run (program, model, &run, record, diagnostics);
  g_string_append_printf (out, "%s:\n", model->name);
  if (record->explanations)
    rsp_explanations_format (record->explanations, FALSE, out);
}

/* The target's execution, and why the source's model has none like it. */
static char *find_trace (const CliCompile *compile, const RspProgram *program,
                         const RspProgram *translated, const RspRecord *record,
                         RspDiagnostics *diagnostics) {
  g_autoptr (GString) trace = g_string_new (NULL);
  g_auto (GStrv) unsound = g_strsplit (record->machine.unsound, "\n", 2);
  explain (compile, translated, compile->target, unsound[0], trace, diagnostics);
  explain (compile, program, compile->source, unsound[0], trace, diagnostics);
  return g_strdup (trace->str);
}

/* ---- The test ---- */

void cli_compile_check (const CliCompile *compile, const RspProgram *program,
                        const RspRecord *allowed, RspRecord *record, RspDiagnostics *diagnostics) {
  const RspMap *map = compile->machines->maps->pdata[compile->mapping];
  const CliColumn *target = compile->machines->targets->pdata[compile->mapping];
  record->machine.machine = g_strdup (target->label);
  record->machine.mapping = g_strdup (map->name);
  if (!check_language (map, program, diagnostics) || !check_pairs (map, program, diagnostics))
    return;
  RspProgram translated
      = rsp_translation_apply (compile->machines->translations->pdata[compile->mapping], program);
  RspRunOptions run = { .check = target->check };
  rsp_run (&translated, compile->target, &run, record, diagnostics);
  /* Barriers in another order for each work-item: OpenCL has no execution, and promises nothing. */
  record->machine.no_execution = rsp_record_is_ok (allowed) && allowed->states->len == 0;
  rsp_soundness_judge (record, allowed);
  if (compile->verbose && record->machine.verdict == RSP_UNSOUND)
    record->machine.trace = find_trace (compile, program, &translated, record, diagnostics);
}
