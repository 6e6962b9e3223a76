#include "synth/questions/question.h"

#include <string.h>

void synth_finding_free (SynthFinding *finding) {
  if (!finding)
    return;
  g_free (finding->edit);
  g_free (finding);
}

char *synth_finding_encode (const SynthFinding *finding) {
  g_autofree char *code = rsp_synth_program_code (&finding->program);
  g_autofree char *other = finding->has_other ? rsp_synth_program_code (&finding->other) : NULL;
  return g_strdup_printf ("%u %u %u %s %s %s", finding->kinds, finding->outcome,
                          finding->other_outcome, code, other ? other : "-",
                          finding->edit ? finding->edit : "");
}

static gboolean read_number (const char *word, guint *number) {
  guint64 value;
  if (!g_ascii_string_to_unsigned (word, 10, 0, G_MAXUINT, &value, NULL))
    return FALSE;
  *number = (guint) value;
  return TRUE;
}

SynthFinding *synth_finding_decode (const char *line) {
  SynthFinding *finding = g_new0 (SynthFinding, 1);
  g_auto (GStrv) words = g_strsplit (line, " ", 6);
  if (g_strv_length (words) == 6 && read_number (words[0], &finding->kinds)
      && read_number (words[1], &finding->outcome)
      && read_number (words[2], &finding->other_outcome)
      && rsp_synth_program_decode (words[3], &finding->program)) {
    finding->has_other = strcmp (words[4], "-") != 0;
    finding->edit = words[5][0] ? g_strdup (words[5]) : NULL;
    if (!finding->has_other || rsp_synth_program_decode (words[4], &finding->other))
      return finding;
  }
  synth_finding_free (finding);
  return NULL;
}

/* ---- Sides ---- */

gboolean synth_side_init (SynthWork *work, SynthPair *pair, guint number, guint model,
                          const RspShape *shape, const RspCandidates *candidates,
                          const guint *common) {
  SynthSide *side = &pair->sides[number];
  *side = (SynthSide){ .shape = shape, .candidates = candidates, .common = common };
  for (guint e = 0; e < shape->n_events; e++) {
    SynthKind kind = synth_kind (&shape->events[e]);
    side->variable[e] = (guint8) synth_labelled_event (shape, e);
    side->labels[e] = work->space->labels[kind];
    pair->n_choices[e] = side->variable[e] == e ? work->space->n_labels[kind] : 1;
  }
  side->judge
      = rsp_judge_new (work->pool, work->models[model], shape, work->stage, work->diagnostics);
  work->failed |= side->judge == NULL;
  return side->judge != NULL;
}

gboolean synth_work_on (SynthWork *work, SynthPair *pair) {
  pair->stop = work->stop;
  gboolean complete = synth_pair_search (pair);
  work->failed |= pair->failed;
  return complete;
}

void synth_choose (const SynthWork *work, const RspShape *shape, const guint8 *choice,
                   SynthProgram *program) {
  program->shape = *shape;
  for (guint e = 0; e < shape->n_events; e++)
    program->labels[e]
        = work->space
              ->labels[synth_kind (&shape->events[e])][choice[synth_labelled_event (shape, e)]];
}

guint *synth_identity (guint n) {
  guint *numbers = g_new (guint, n + 1);
  for (guint i = 0; i < n; i++)
    numbers[i] = i;
  return numbers;
}
