#include "synth/questions/verdict.h"

#include "enumerator/search/check.h"
#include "parser/litmus/parse.h"

#include <string.h>

/* The exact labelling of a program. */
static void label_program (const SynthProgram *program, RspLabelling *labelling) {
  const RspLabel *labels[RSP_SHAPE_EVENTS];
  guint n[RSP_SHAPE_EVENTS];
  for (guint e = 0; e < program->shape.n_events; e++) {
    labels[e] = &program->labels[e];
    n[e] = 1;
  }
  rsp_labelling_set (labelling, &program->shape, labels, n);
}

gboolean synth_matches (const RspShape *shape, const RspShapeOutcome *outcome,
                        const RspShapeOutcome *part) {
  for (guint e = 0; e < shape->n_events; e++)
    if (part->source[e] != SYNTH_ANY && part->source[e] != outcome->source[e])
      return FALSE;
  for (guint x = 0; x < shape->n_locations; x++)
    if (part->last[x] != SYNTH_ANY && part->last[x] != outcome->last[x])
      return FALSE;
  return TRUE;
}

/* ---- Blame ---- */

/* Only the minimal sets, each once, small ones first. */
static void keep_minimal (GArray *sets) {
  g_autoptr (GArray) kept = g_array_new (FALSE, FALSE, sizeof (guint64));
  for (guint size = 0; size <= 64; size++)
    for (guint i = 0; i < sets->len; i++) {
      guint64 set = g_array_index (sets, guint64, i);
      gboolean covered = (guint) __builtin_popcountll (set) != size;
      for (guint k = 0; k < kept->len && !covered; k++)
        covered = (g_array_index (kept, guint64, k) & ~set) == 0;
      if (!covered)
        g_array_append_val (kept, set);
    }
  g_array_set_size (sets, 0);
  g_array_append_vals (sets, kept->data, kept->len);
}

static char *format_blame (const RspJudge *judge, const GArray *sets) {
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < sets->len; i++) {
    const char *separator = i ? "; " : "";
    for (guint64 set = g_array_index (sets, guint64, i); set; set &= set - 1) {
      const char *name = rsp_judge_axiom_name (judge, (guint) __builtin_ctzll (set));
      g_string_append_printf (text, "%s%s", separator, name ? name : "a further check");
      separator = " + ";
    }
  }
  return g_string_free (text, FALSE);
}

/* ---- The view ---- */

static void look_at_all (RspJudge *judge, const SynthProgram *program,
                         const RspCandidates *candidates, const RspShapeOutcome *outcome,
                         gboolean by_outcome, SynthView *view) {
  g_autoptr (GArray) failed = g_array_new (FALSE, FALSE, sizeof (guint64));
  RspLabelling labelling;
  label_program (program, &labelling);
  rsp_judge_set_labels (judge, &labelling);
  for (guint c = 0; c < candidates->n; c++) {
    const RspCandidate *candidate = &candidates->list[c];
    RspVerdict verdict = rsp_judge_candidate (judge, candidate);
    gboolean fits
        = synth_matches (&program->shape, &candidates->outcomes[candidate->outcome], outcome);
    view->undefined |= verdict.undefined == RSP_HOLDS && (fits || !by_outcome);
    view->allowed |= fits && verdict.allowed == RSP_HOLDS;
    if (fits && verdict.allowed == RSP_FAILS)
      rsp_judge_blame (judge, candidate, failed);
  }
  if (view->allowed || failed->len == 0)
    return;
  keep_minimal (failed);
  view->blame = format_blame (judge, failed);
}

gboolean synth_view (const RspModel *model, const SynthProgram *program,
                     const RspShapeOutcome *outcome, gboolean by_outcome,
                     const RspStageOptions *stage, SynthView *view, RspDiagnostics *diagnostics) {
  *view = (SynthView){ FALSE, FALSE, NULL };
  g_autoptr (RspJudge) judge = rsp_judge_new (NULL, model, &program->shape, stage, diagnostics);
  if (!judge)
    return FALSE;
  g_autoptr (RspCandidates) candidates = rsp_candidates_new (&program->shape);
  look_at_all (judge, program, candidates, outcome, by_outcome, view);
  return !rsp_judge_failed (judge);
}

/* ---- The naive engine ---- */

/* The flags that make the program undefined. */
static char *format_flags (const RspOutcome *outcome) {
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < outcome->n_flags; i++)
    if (outcome->flags[i].raised && outcome->flags[i].undefined)
      g_string_append_printf (text, "%s%s", text->len ? "; " : "", outcome->flags[i].name);
  return g_string_free (text, FALSE);
}

gboolean synth_confirm (const RspModel *model, const char *text, SynthView *view,
                        const RspStageOptions *stage, RspDiagnostics *diagnostics) {
  RspCheckOptions options;
  rsp_check_options_init (&options);
  options.engine = RSPCHECK_ENGINE_NAIVE;
  options.skipped_checks = stage->skipped_checks;
  g_autoptr (RspDiagnostics) own = rsp_diagnostics_new ();
  g_autoptr (RspSource) source = rsp_source_new ("synthesis", g_strdup (text), strlen (text));
  g_autoptr (RspProgram) program = rsp_litmus_parse (source, FALSE, own);
  g_autoptr (RspOutcome) outcome = program ? rsp_check (program, model, &options, own) : NULL;
  if (outcome && outcome->stop == RSPCHECK_STOP_COMPLETE
      && (outcome->n_undefined > 0) == view->undefined
      && rsp_outcome_may_hold (outcome) == view->allowed) {
    if (view->undefined) {
      g_free (view->blame);
      view->blame = format_flags (outcome);
    }
    return TRUE;
  }
  rsp_diagnostics_move (diagnostics, own);
  rsp_error (diagnostics, RSP_NOWHERE, "this is a bug in rspcheck",
             "model %s: the naive engine does not confirm what was found:\n%s", model->name, text);
  return FALSE;
}
