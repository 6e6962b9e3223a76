#include "api/run/run.h"
#include "report/evidence.h"
#include "report/progress.h"

#include "enumerator/search/evidence/evidence.h"
#include "explain/candidates/candidates.h"
#include "explain/explain.h"
#include "parser/litmus/parse.h"
#include "parser/translation.h"

#include <string.h>

char *rsp_run_options_format (const RspRunOptions *options, const char *const *variants) {
  g_autofree char *check = rsp_options_format (&options->check, variants);
  GString *text = g_string_new (check);
  if (options->explain)
    g_string_append (text, " explain=true");
  if (options->explain && options->candidates)
    g_string_append_printf (text, " candidates=%u", options->candidates);
  for (guint i = 0; options->outcomes && options->outcomes[i]; i++)
    g_string_append_printf (text, " outcome=%s", options->outcomes[i]);
  for (guint i = 0; i < options->n_progress; i++) {
    g_autofree char *model = rsp_progress_format (&options->progress[i]);
    g_string_append_printf (text, " progress=%s", model);
  }
  return g_string_free (text, FALSE);
}

RspRecord *rsp_run_begin (const RspProgram *program, const char *path, const char *label,
                          const char *reason) {
  RspRecord *record = rsp_record_new (program->name, path, label, reason);
  rsp_record_set_program (record, program);
  return record;
}

static void find_evidence (const RspModel *model, const RspRunOptions *options,
                           const RspOutcome *outcome, RspRecord *record) {
  RspCheckOptions rest = rsp_check_options_rest (&options->check, record->seconds);
  g_autoptr (GPtrArray) evidence = rsp_evidence_find (model, &rest, outcome);
  rsp_record_set_evidence (record, evidence);
}

/* The proposition that the text of a state denotes. */
static char *proposition_of (const char *text) {
  g_auto (GStrv) atoms = g_strsplit (text, ";", -1);
  g_autoptr (GString) all = g_string_new (NULL);
  for (guint i = 0; atoms[i]; i++)
    if (*g_strstrip (atoms[i]))
      g_string_append_printf (all, "%s%s", all->len ? " /\\ " : "", atoms[i]);
  return g_strdup_printf ("exists (%s)", all->len ? all->str : "true");
}

/* The test with the outcome as its question; the text must outlive it. NULL after an error. */
static RspProgram *parse_outcome (const RspProgram *program, RspSource *text,
                                  RspDiagnostics *diagnostics) {
  RspSpan question = { text, 0, (guint) text->length };
  g_autoptr (RspDiagnostics) own = rsp_diagnostics_new ();
  RspProgram *questioned = rsp_litmus_parse_with_question (program->source, question, FALSE, own);
  if (!questioned)
    rsp_diagnostics_move (diagnostics, own);
  return questioned;
}

static void explain_outcome (RspExplanations *all, const char *outcome, const RspProgram *program,
                             const RspModel *model, const RspCheckOptions *options,
                             RspDiagnostics *diagnostics) {
  char *text = proposition_of (outcome);
  g_autoptr (RspSource) source = rsp_source_new ("-outcome", text, strlen (text));
  g_autoptr (RspProgram) questioned = parse_outcome (program, source, diagnostics);
  if (questioned) {
    RspProgram translated = program->translation
                                ? rsp_translation_apply (program->translation, questioned)
                                : *questioned;
    rsp_explain (all, &translated, model, options, NULL, diagnostics);
  }
}

static void explain (const RspProgram *program, const RspModel *model, const RspRunOptions *options,
                     const RspOutcome *outcome, RspRecord *record, RspDiagnostics *diagnostics) {
  RspExplanations *all = rsp_explanations_new ();
  RspCheckOptions rest = rsp_check_options_rest (&options->check, record->seconds);
  for (guint i = 0; options->outcomes && options->outcomes[i]; i++)
    explain_outcome (all, options->outcomes[i], program, model, &rest, diagnostics);
  if (options->outcomes && options->outcomes[0])
    rsp_explain_flags (all, program, model, &rest, outcome, diagnostics);
  else
    rsp_explain (all, program, model, &rest, outcome, diagnostics);
  rsp_record_set_explanations (record, all);
}

static void find_candidates (const RspProgram *program, const RspModel *model,
                             const RspRunOptions *options, RspRecord *record,
                             RspDiagnostics *diagnostics) {
  RspCheckOptions rest = rsp_check_options_rest (&options->check, record->seconds);
  g_autoptr (RspArena) arena = rsp_arena_new ();
  const RspCandidateViews *found
      = rsp_candidates_find (program, model, &rest, options->candidates, arena, diagnostics);
  if (found)
    rsp_record_set_candidates (record, found);
}

/* Hangs are looked for first, in half of the time at most, so that an answer about them does not
 * depend on whether the search for states, which may take much longer, ends. */
typedef struct Progress {
  RspHangs *hangs; /* NULL: not asked for */
  RspCheckOptions options;
  RspDiagnostics *diagnostics; /* its own */
} Progress;

static void progress_find (Progress *progress, const RspProgram *program, const RspModel *model,
                           const RspRunOptions *options) {
  *progress = (Progress){ .options = options->check, .diagnostics = rsp_diagnostics_new () };
  progress->options.timeout /= 2;
  if (options->n_progress)
    progress->hangs = rsp_hangs_find (program, model, &progress->options, options->progress,
                                      options->n_progress, NULL, progress->diagnostics);
}

/* A test that is in error has no answer to this question either. */
static void progress_finish (Progress *progress, gboolean explained, RspRecord *record,
                             RspDiagnostics *diagnostics) {
  if (progress->hangs && record->status != RSP_STATUS_ERROR) {
    rsp_diagnostics_move (diagnostics, progress->diagnostics);
    rsp_record_set_hangs (record, progress->hangs, &progress->options, explained);
  }
  rsp_diagnostics_free (progress->diagnostics);
  rsp_hangs_free (progress->hangs);
}

RspcheckStop rsp_run (const RspProgram *program, const RspModel *model,
                      const RspRunOptions *options, RspRecord *record,
                      RspDiagnostics *diagnostics) {
  gint64 start = g_get_monotonic_time ();
  Progress progress;
  progress_find (&progress, program, model, options);
  double spent = (double) (g_get_monotonic_time () - start) / 1e6;
  RspCheckOptions check = rsp_check_options_rest (&options->check, spent);
  g_autoptr (RspOutcome) outcome = rsp_check (program, model, &check, diagnostics);
  rsp_record_set_outcome (record, outcome, &options->check);
  record->seconds = (double) (g_get_monotonic_time () - start) / 1e6;
  progress_finish (&progress, options->explain, record, diagnostics);
  if (options->evidence && rsp_record_is_ok (record))
    find_evidence (model, options, outcome, record);
  if (options->explain && rsp_record_is_ok (record))
    explain (program, model, options, outcome, record, diagnostics);
  if (options->explain && options->candidates && rsp_record_is_ok (record))
    find_candidates (program, model, options, record, diagnostics);
  if (options->show != RSPCHECK_SHOW_NONE && rsp_record_is_ok (record)) {
    RspCheckOptions rest = rsp_check_options_rest (&options->check, record->seconds);
    record->shown_arena = rsp_arena_new ();
    rsp_show (program, model, &rest, options->show, options->most_shown, record->shown_arena,
              record->shown, diagnostics);
  }
  return outcome->stop;
}
