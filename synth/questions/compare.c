#include "synth/questions/compare.h"

#include <string.h>

void synth_edit_init (SynthEdit *edit, const RspShape *before, const RspShape *after) {
  *edit = (SynthEdit){ .before = before, .after = after };
  memset (edit->same_label, 0xff, sizeof edit->same_label);
  memset (edit->copies, 0xff, sizeof edit->copies);
  for (guint e = 0; e < RSP_SHAPE_EVENTS; e++)
    edit->from[e] = (guint8) e;
}

/* ---- Symmetries ---- */

gboolean synth_is_least_set (const RspShape *shape, const SynthSymmetry *symmetries,
                             guint n_symmetries, guint set) {
  for (guint i = 0; i < n_symmetries; i++) {
    guint image = 0;
    for (guint e = 0; e < shape->n_events; e++)
      if (set >> e & 1)
        image |= 1u << symmetries[i].moves[e];
    if (image < set)
      return FALSE;
  }
  return TRUE;
}

static guint keep_symmetries (const RspShape *shape, const SynthSymmetry *symmetries, guint n,
                              guint touched, SynthSymmetry *kept) {
  guint n_kept = 0;
  for (guint i = 0; i < n; i++) {
    gboolean keeps = TRUE;
    for (guint e = 0; e < shape->n_events; e++)
      keeps &= !(touched >> e & 1) || symmetries[i].moves[e] == e;
    if (keeps)
      kept[n_kept++] = symmetries[i];
  }
  return n_kept;
}

/* ---- Outcomes ---- */

/* The number in `before` of a write of `after`. Locations have the same numbers in both. */
static guint8 write_before (const SynthEdit *edit, guint write) {
  guint n = edit->after->n_locations;
  return (guint8) (write < n ? write : rsp_shape_event (edit->before, edit->from[write - n]));
}

static void see_as_before (const SynthEdit *edit, const RspShapeOutcome *outcome,
                           RspShapeOutcome *seen) {
  memset (seen, 0, sizeof *seen);
  for (guint e = 0; e < edit->after->n_events; e++)
    if (rsp_shape_is_read (&edit->after->events[e]))
      seen->source[edit->from[e]] = write_before (edit, outcome->source[e]);
  for (guint e = 0; e < edit->before->n_events; e++)
    if (edit->copies[e] != 0xff)
      seen->source[e] = rsp_shape_is_read (&edit->before->events[edit->copies[e]])
                            ? seen->source[edit->copies[e]]
                            : (guint8) rsp_shape_event (edit->before, edit->copies[e]);
  for (guint x = 0; x < edit->after->n_locations; x++)
    seen->last[x] = write_before (edit, outcome->last[x]);
}

/* Per outcome of `after` its number in `before`; n where there is none: an outcome that no
 * candidate of `before` has. */
static guint *common_outcomes (const SynthEdit *edit, const RspCandidates *before,
                               const RspCandidates *after) {
  guint *common = g_new (guint, after->n_outcomes + 1);
  for (guint o = 0; o < after->n_outcomes; o++) {
    RspShapeOutcome seen;
    see_as_before (edit, &after->outcomes[o], &seen);
    common[o] = 0;
    while (common[o] < before->n_outcomes
           && memcmp (&before->outcomes[common[o]], &seen, sizeof seen) != 0)
      common[o]++;
  }
  return common;
}

/* ---- Findings ---- */

typedef struct Compare {
  SynthWork *work;
  const SynthEdit *edit;
  const SynthPair *pair;
  const guint *common; /* of `after` */
} Compare;

static void choose_side (const Compare *compare, guint s, const SynthEvidence *evidence,
                         SynthProgram *program) {
  const SynthSide *side = &compare->pair->sides[s];
  program->shape = *side->shape;
  for (guint e = 0; e < side->shape->n_events; e++) {
    guint variable = side->variable[e];
    program->labels[e] = side->labels[variable][evidence->choice[variable]];
  }
}

/* A new outcome; if there is none, one that `before` allows. */
static void choose_outcome (const Compare *compare, const SynthEvidence *evidence,
                            SynthFinding *finding) {
  guint n = compare->pair->sides[1].candidates->n_outcomes;
  guint to = compare->edit->backwards ? 0 : 1;
  gboolean found = FALSE;
  for (guint o = 0; o < n && !found; o++) {
    guint c = compare->common[o];
    found = evidence->undefined[to] ? evidence->allowed[1 - to][c] != 0
                                    : evidence->allowed[to][c] && !evidence->allowed[1 - to][c];
    finding->outcome = to ? c : o;
    finding->other_outcome = to ? o : c;
  }
}

static guint outcome_bit (const SynthEdit *edit) {
  return edit->backwards ? SYNTH_ONLY_FIRST : SYNTH_ONLY_SECOND;
}

static guint undefined_bit (const SynthEdit *edit) {
  return edit->backwards ? SYNTH_UNDEFINED_FIRST : SYNTH_UNDEFINED_SECOND;
}

static gboolean take_evidence (gpointer data, const SynthEvidence *evidence) {
  Compare *compare = data;
  const SynthEdit *edit = compare->edit;
  SynthFinding *finding = g_new0 (SynthFinding, 1);
  choose_side (compare, edit->backwards ? 1 : 0, evidence, &finding->program);
  choose_side (compare, edit->backwards ? 0 : 1, evidence, &finding->other);
  finding->has_other = TRUE;
  finding->edit = g_strdup (edit->text);
  if (evidence->disagreements & outcome_bit (edit))
    finding->kinds |= edit->kind_outcome;
  if (evidence->disagreements & undefined_bit (edit))
    finding->kinds |= edit->kind_undefined;
  finding->kinds &= compare->work->sought;
  choose_outcome (compare, evidence, finding);
  g_ptr_array_add (compare->work->found, finding);
  return TRUE;
}

/* ---- The search ---- */

static void fill_variables (const SynthWork *work, const SynthEdit *edit, SynthPair *pair) {
  const RspShape *before = edit->before;
  for (guint e = 0; e < before->n_events; e++) {
    gboolean own = edit->labels_before && e == edit->event;
    guint labelled = synth_labelled_event (before, e);
    guint variable = edit->same_label[e] != 0xff ? edit->same_label[e] : labelled;
    SynthKind kind = synth_kind (&before->events[e]);
    pair->n_choices[e] = variable != e ? 1 : own ? edit->n_labels : work->space->n_labels[kind];
    for (guint s = 0; s < 2; s++)
      pair->sides[s].labels[e]
          = own ? s ? edit->labels_after : edit->labels_before : work->space->labels[kind];
    pair->sides[0].variable[e] = (guint8) variable;
  }
  for (guint e = 0; e < edit->after->n_events; e++)
    pair->sides[1].variable[e] = pair->sides[0].variable[edit->from[e]];
}

gboolean synth_compare (SynthWork *work, const SynthEdit *edit, const SynthSymmetry *symmetries,
                        guint n_symmetries, guint touched) {
  SynthSymmetry kept[SYNTH_MAX_SYMMETRIES];
  guint kinds[2] = { edit->kind_outcome & work->sought, edit->kind_undefined & work->sought };
  if (!kinds[0] && !kinds[1])
    return TRUE;
  RspCandidates *candidates[2]
      = { rsp_candidates_new (edit->before), rsp_candidates_new (edit->after) };
  guint *common[2] = { synth_identity (candidates[0]->n_outcomes),
                       common_outcomes (edit, candidates[0], candidates[1]) };
  SynthPair pair;
  Compare compare = { work, edit, &pair, common[1] };
  pair = (SynthPair){ .n_variables = edit->before->n_events,
                      .n_outcomes = candidates[0]->n_outcomes + 1,
                      .symmetries = kept,
                      .sought = (kinds[0] ? outcome_bit (edit) : 0u)
                                | (kinds[1] ? undefined_bit (edit) : 0u),
                      .visit = take_evidence,
                      .data = &compare };
  pair.n_symmetries = keep_symmetries (edit->before, symmetries, n_symmetries, touched, kept);
  gboolean complete = synth_side_init (work, &pair, 0, 0, edit->before, candidates[0], common[0])
                      && synth_side_init (work, &pair, 1, 0, edit->after, candidates[1], common[1]);
  if (complete) {
    fill_variables (work, edit, &pair);
    complete = synth_work_on (work, &pair);
  }
  for (guint s = 0; s < 2; s++) {
    rsp_judge_free (pair.sides[s].judge);
    rsp_candidates_free (candidates[s]);
    g_free (common[s]);
  }
  return complete;
}
