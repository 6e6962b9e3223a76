#include "synth/result.h"
#include "base/json.h"
#include "synth/programs/name.h"
#include "synth/programs/print.h"

#include "synth/questions/verdict.h"

#include <string.h>

const char *rsp_synth_verdict_word (const SynthVerdict *verdict) {
  return verdict->undefined ? "undefined" : verdict->allowed ? "allowed" : "forbidden";
}

/* ---- Making ---- */

typedef struct Making {
  SynthResult *result;
  const SynthQuestion *question;
  gboolean opencl;
  const RspStageOptions *stage;
  RspDiagnostics *diagnostics;
} Making;

/* The test as the naive engine checks it: if executions are undefined, not programs, only those of
 * the outcome count. */
static char *print_to_confirm (const Making *making, const SynthProgram *program,
                               const char *condition, gboolean by_outcome) {
  g_autofree char *text = rsp_synth_program_print (program, making->opencl, NULL, condition);
  return by_outcome
             ? g_strdup_printf ("%.*sfilter (%s)\n%s", (int) (g_strrstr (text, "exists") - text),
                                text, condition, g_strrstr (text, "exists"))
             : g_steal_pointer (&text);
}

/* label may be NULL: the model's name. */
static gboolean add_verdict (Making *making, const RspModel *model, const char *label,
                             const SynthProgram *program, const RspShapeOutcome *outcome) {
  SynthView view;
  g_autofree char *condition = rsp_synth_outcome_format (program, outcome);
  gboolean by_outcome = synth_is_by_outcome (making->question, program->shape.language);
  g_autofree char *text
      = print_to_confirm (making, program, condition[0] ? condition : "true", by_outcome);
  if (!synth_view (model, program, outcome, by_outcome, making->stage, &view, making->diagnostics))
    return FALSE;
  gboolean good = synth_confirm (model, text, &view, making->stage, making->diagnostics);
  SynthVerdict verdict = { label, view.undefined, view.allowed, view.blame };
  g_array_append_val (making->result->verdicts, verdict);
  return good;
}

static char *format_kinds (const SynthQuestion *question, guint kinds) {
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < question->n_kinds; i++)
    if (kinds >> i & 1)
      g_string_append_printf (text, "%s%s", text->len ? "; " : "", question->kinds[i]);
  return g_string_free (text, FALSE);
}

static char *format_comment (const SynthResult *result, const SynthQuestion *question) {
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "Found by rspcheck -%s: %s.", question->name, result->kinds);
  if (result->edit)
    g_string_append_printf (text, "\nBefore and after this: %s.\n  %s\n  %s", result->edit,
                            result->summary, result->other_summary);
  for (guint i = 0; i < result->verdicts->len; i++) {
    const SynthVerdict *verdict = &g_array_index (result->verdicts, SynthVerdict, i);
    g_string_append_printf (text, "\n%s: %s", verdict->model, rsp_synth_verdict_word (verdict));
    if (verdict->blame && !verdict->undefined)
      g_string_append_printf (text, " by %s", verdict->blame);
  }
  return g_string_free (text, FALSE);
}

static gboolean add_verdicts (Making *making, const SynthFinding *finding,
                              const RspShapeOutcome *outcome, RspModel *const *models,
                              const char *const *labels, guint n_models) {
  for (guint m = 0; m < n_models; m++)
    if (!add_verdict (making, models[m], labels[m], &finding->program, outcome))
      return FALSE;
  return TRUE;
}

/* The verdict of the first model on the other program. */
static gboolean add_other (Making *making, const SynthFinding *finding, const RspModel *model,
                           const char *label) {
  g_autoptr (RspCandidates) candidates = rsp_candidates_new (&finding->other.shape);
  gboolean good = finding->other_outcome < candidates->n_outcomes;
  if (good) {
    const RspShapeOutcome *outcome = &candidates->outcomes[finding->other_outcome];
    making->result->other_outcome = rsp_synth_outcome_format (&finding->other, outcome);
    good = add_verdict (making, model, label, &finding->other, outcome);
  }
  return good;
}

/* The target's verdict on the translation, by the naive engine. */
static gboolean add_target (Making *making, const SynthTarget *target,
                            const SynthProgram *program) {
  const char *condition = making->result->outcome[0] ? making->result->outcome : "true";
  g_autofree char *text = rsp_synth_program_print (program, making->opencl, NULL, condition);
  SynthVerdict verdict = { .model = target->label };
  if (!rsp_synth_target_allows (target, text, RSPCHECK_ENGINE_NAIVE, &verdict.allowed,
                                making->diagnostics))
    return FALSE;
  g_array_append_val (making->result->verdicts, verdict);
  if (!verdict.allowed)
    rsp_error (making->diagnostics, RSP_NOWHERE, "this is a bug in rspcheck",
               "model %s: the naive engine does not confirm what was found:\n%s", target->label,
               text);
  return verdict.allowed;
}

static void free_verdict (gpointer data) { g_free (((SynthVerdict *) data)->blame); }

static SynthResult *new_result (const SynthQuestion *question, const SynthFinding *finding,
                                gboolean opencl) {
  SynthResult *result = g_new0 (SynthResult, 1);
  result->verdicts = g_array_new (FALSE, FALSE, sizeof (SynthVerdict));
  g_array_set_clear_func (result->verdicts, free_verdict);
  result->name = rsp_synth_program_name (&finding->program, opencl);
  result->summary = synth_program_summary (&finding->program, opencl);
  result->kinds = format_kinds (question, finding->kinds);
  if (finding->has_other) {
    result->other_name = rsp_synth_program_name (&finding->other, opencl);
    result->other_summary = synth_program_summary (&finding->other, opencl);
    result->edit = g_strdup (finding->edit);
  }
  return result;
}

SynthResult *rsp_synth_result_new (const SynthQuestion *question, const SynthFinding *finding,
                                   gboolean opencl, RspModel *const *models,
                                   const char *const *labels, guint n_models,
                                   const RspStageOptions *stage, const SynthTarget *target,
                                   RspDiagnostics *diagnostics) {
  SynthResult *result = new_result (question, finding, opencl);
  Making making = { result, question, opencl, stage, diagnostics };
  g_autoptr (RspCandidates) candidates = rsp_candidates_new (&finding->program.shape);
  gboolean good = finding->outcome < candidates->n_outcomes;
  if (good) {
    const RspShapeOutcome *outcome = &candidates->outcomes[finding->outcome];
    result->outcome = rsp_synth_outcome_format (&finding->program, outcome);
    good = add_verdicts (&making, finding, outcome, models, labels, n_models)
           && (!finding->has_other || add_other (&making, finding, models[0], labels[0]))
           && (!target || add_target (&making, target, &finding->program));
  }
  if (!good) {
    rsp_synth_result_free (result);
    return NULL;
  }
  g_autofree char *comment = format_comment (result, question);
  result->text = rsp_synth_program_print (&finding->program, opencl, comment,
                                          result->outcome[0] ? result->outcome : "true");
  if (finding->has_other)
    result->other_text
        = rsp_synth_program_print (&finding->other, opencl, comment,
                                   result->other_outcome[0] ? result->other_outcome : "true");
  return result;
}

/* The first verdict that is undefined, or else forbids. */
static char *format_reason (const SynthResult *result) {
  const SynthVerdict *reason = NULL;
  for (guint i = 0; i < result->verdicts->len; i++) {
    const SynthVerdict *verdict = &g_array_index (result->verdicts, SynthVerdict, i);
    if (verdict->undefined ? !reason || !reason->undefined : !verdict->allowed && !reason)
      reason = verdict;
  }
  return reason ? g_strdup_printf ("%s: %s by %s", reason->model, rsp_synth_verdict_word (reason),
                                   reason->blame)
                : NULL;
}

void rsp_synth_result_set_class (SynthResult *result, const SynthClass *class, gboolean opencl) {
  result->shape = rsp_synth_shape_name (&class->weakest->program.shape, opencl);
  result->reason = format_reason (result);
  result->labellings = class->labellings;
  result->n_weakest = class->n_weakest;
}

void rsp_synth_result_free (SynthResult *result) {
  if (!result)
    return;
  char *texts[]
      = { result->name,          result->text,       result->summary,    result->outcome,
          result->kinds,         result->other_name, result->other_text, result->other_summary,
          result->other_outcome, result->edit,       result->shape,      result->reason };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (texts[i]);
  g_array_unref (result->verdicts);
  g_free (result);
}

/* ---- JSON ---- */

static JsonNode *verdict_node (const SynthVerdict *verdict) {
  JsonObject *object = json_object_new ();
  rsp_json_set_text (object, "model", verdict->model);
  rsp_json_set_text (object, "verdict", rsp_synth_verdict_word (verdict));
  rsp_json_set_text (object, "blame", verdict->undefined ? NULL : verdict->blame);
  return rsp_json_members (object);
}

static JsonNode *class_node (const SynthResult *result) {
  JsonObject *object = json_object_new ();
  rsp_json_set_text (object, "shape", result->shape);
  json_object_set_int_member (object, "labellings", result->labellings);
  json_object_set_int_member (object, "weakest", result->n_weakest);
  return rsp_json_members (object);
}

void rsp_synth_result_json (const SynthResult *result, const SynthQuestion *question,
                            GString *out) {
  JsonObject *object = json_object_new ();
  JsonArray *verdicts = json_array_new ();
  for (guint i = 0; i < result->verdicts->len; i++)
    rsp_json_add (verdicts, verdict_node (&g_array_index (result->verdicts, SynthVerdict, i)));
  rsp_json_set_text (object, "question", question->name);
  rsp_json_set_text (object, "found", result->kinds);
  rsp_json_set_text (object, "test", result->name);
  rsp_json_set_text (object, "summary", result->summary);
  rsp_json_set_text (object, "outcome", result->outcome);
  rsp_json_set_text (object, "edit", result->edit);
  rsp_json_set_text (object, "other", result->other_summary);
  json_object_set_array_member (object, "verdicts", verdicts);
  rsp_json_set_text (object, "source", result->text);
  rsp_json_set_text (object, "other_source", result->other_text);
  if (result->shape) {
    rsp_json_set_text (object, "reason", result->reason);
    json_object_set_member (object, "class", class_node (result));
  }
  rsp_json_append_object (object, out);
}
