/* Minimal tests: outcomes that a model forbids on a defined program and that every single
 * relaxation allows. (Lustig, Wright, Papakonstantinou, Giroux, "Automated synthesis of
 * comprehensive memory model litmus test suites", ASPLOS 2017.)
 *
 * The relaxations: an event removed; a dependency dropped; an order one step weaker; a scope one
 * step smaller; not remote. Outcomes of the relaxed program are compared with those of the whole as
 * far as possible: what a removed load read, and which loads read from a removed write, does not
 * count. A relaxed program that is undefined allows everything.
 *
 * A set of labellings is dropped as soon as, for every outcome, some relaxation forbids it under
 * all of them: then none of them is minimal. */
#include "synth/questions/question.h"
#include "synth/programs/steps.h"
#include "synth/questions/verdict.h"

#include <string.h>

/* The shape without an event, or a dependency. */
typedef struct Without {
  SynthRemoval removal;
  RspJudge *judge;
  RspCandidates *candidates;
  /* [outcome * candidates->n_outcomes + outcome of the rest]: do they agree as far as they can? */
  guint8 *agree;
} Without;

typedef struct Minimal {
  SynthWork *work;
  const RspShape *shape;
  const RspCandidates *candidates;
  RspJudge *judge;
  const SynthSymmetry *symmetries;
  guint n_symmetries;
  GArray *without; /* of Without */
  guint8 *left;    /* per outcome: no relaxation is known to forbid it */
} Minimal;

/* ---- Relaxed labels ---- */

typedef struct Labels {
  RspLabel labels[RSP_SHAPE_EVENTS][SYNTH_MAX_LABELS];
  guint n[RSP_SHAPE_EVENTS];
} Labels;

static void take_labels (const Minimal *m, const guint64 *domain, Labels *labels) {
  for (guint e = 0; e < m->shape->n_events; e++) {
    labels->n[e] = 0;
    for (guint64 left = domain[synth_labelled_event (m->shape, e)]; left; left &= left - 1)
      labels->labels[e][labels->n[e]++]
          = m->work->space->labels[synth_kind (&m->shape->events[e])][__builtin_ctzll (left)];
  }
}

/* Weakens all labels of an event by one step. FALSE if some label has no weaker one. */
static gboolean relax_labels (const Minimal *m, const guint64 *domain, guint event,
                              SynthAttribute attribute, guint k, Labels *labels) {
  const SynthSpace *space = m->work->space;
  SynthKind kind = synth_kind (&m->shape->events[event]);
  take_labels (m, domain, labels);
  labels->n[event] = 0;
  for (guint64 left = domain[event]; left; left &= left - 1) {
    guint weaker = rsp_synth_step_down (space, kind, (guint) __builtin_ctzll (left), attribute, k);
    if (weaker == SYNTH_NO_LABEL)
      return FALSE;
    labels->labels[event][labels->n[event]++] = space->labels[kind][weaker];
  }
  if (synth_length (m->shape->language, kind) == 2)
    memcpy (labels->labels[event + 1], labels->labels[event], sizeof labels->labels[event]);
  return TRUE;
}

static void set_labels (RspJudge *judge, const RspShape *shape, const Labels *labels,
                        const guint8 *event) {
  const RspLabel *lists[RSP_SHAPE_EVENTS];
  guint n[RSP_SHAPE_EVENTS];
  RspLabelling labelling;
  for (guint e = 0; e < shape->n_events; e++) {
    lists[e] = labels->labels[event ? event[e] : e];
    n[e] = labels->n[event ? event[e] : e];
  }
  rsp_labelling_set (&labelling, shape, lists, n);
  rsp_judge_set_labels (judge, &labelling);
}

/* ---- What a relaxation forbids ---- */

/* maybe[o]: some candidate of the outcome may be allowed. FALSE: the program may be undefined. */
static gboolean judge_all (Minimal *m, RspJudge *judge, const RspCandidates *candidates,
                           guint8 *maybe) {
  gboolean defined = TRUE;
  memset (maybe, 0, candidates->n_outcomes);
  for (guint c = 0; c < candidates->n && defined; c++) {
    RspVerdict verdict = rsp_judge_candidate (judge, &candidates->list[c]);
    maybe[candidates->list[c].outcome] |= verdict.allowed != RSP_FAILS;
    defined = verdict.undefined == RSP_FAILS;
  }
  m->work->failed |= rsp_judge_failed (judge);
  return defined;
}

static void try_weaker (Minimal *m, const guint64 *domain, guint8 *maybe) {
  Labels labels;
  for (guint e = 0; e < m->shape->n_events; e++)
    for (guint a = 0; a < SYNTH_ATTRIBUTES; a++)
      for (guint k = 0; k < SYNTH_MAX_STEPS; k++) {
        if (rsp_shape_is_second (&m->shape->events[e])
            || !relax_labels (m, domain, e, (SynthAttribute) a, k, &labels))
          continue;
        set_labels (m->judge, m->shape, &labels, NULL);
        if (!judge_all (m, m->judge, m->candidates, maybe))
          continue;
        for (guint o = 0; o < m->candidates->n_outcomes; o++)
          m->left[o] &= maybe[o];
      }
}

static gboolean rest_may_agree (const Without *without, guint outcome, const guint8 *maybe) {
  guint n = without->candidates->n_outcomes;
  for (guint o = 0; o < n; o++)
    if (maybe[o] && without->agree[outcome * n + o])
      return TRUE;
  return FALSE;
}

static void try_without (Minimal *m, const guint64 *domain, const Without *without) {
  Labels labels;
  g_autofree guint8 *maybe = g_new (guint8, without->candidates->n_outcomes);
  take_labels (m, domain, &labels);
  set_labels (without->judge, &without->removal.shape, &labels, without->removal.event);
  if (judge_all (m, without->judge, without->candidates, maybe))
    for (guint o = 0; o < m->candidates->n_outcomes; o++)
      if (m->left[o])
        m->left[o] = (guint8) rest_may_agree (without, o, maybe);
}

static gboolean is_any_left (const Minimal *m) {
  return memchr (m->left, 1, m->candidates->n_outcomes) != NULL;
}

/* See SynthPair.look. */
static gboolean look (gpointer data, const guint64 *domain, const guint8 *surely) {
  Minimal *m = data;
  for (guint o = 0; o < m->candidates->n_outcomes; o++)
    m->left[o] = !surely[o];
  for (guint i = 0; i < m->without->len && is_any_left (m); i++)
    try_without (m, domain, &g_array_index (m->without, Without, i));
  if (!is_any_left (m))
    return FALSE;
  g_autofree guint8 *maybe = g_new (guint8, m->candidates->n_outcomes);
  try_weaker (m, domain, maybe);
  return is_any_left (m);
}

/* ---- Outcomes that a symmetry of the program maps to each other ---- */

static gboolean keeps_labels (const Minimal *m, const SynthSymmetry *symmetry,
                              const guint8 *choice) {
  for (guint e = 0; e < m->shape->n_events; e++)
    if (choice[symmetry->moves[e]] != choice[e])
      return FALSE;
  return TRUE;
}

static gboolean is_least_outcome (const Minimal *m, guint outcome, const guint8 *choice) {
  const RspShapeOutcome *own = &m->candidates->outcomes[outcome];
  for (guint i = 0; i < m->n_symmetries; i++) {
    RspShapeOutcome moved;
    rsp_synth_outcome_move (m->shape, &m->symmetries[i], own, &moved);
    if (keeps_labels (m, &m->symmetries[i], choice) && memcmp (&moved, own, sizeof moved) < 0)
      return FALSE;
  }
  return TRUE;
}

/* ---- The search ---- */

static gboolean take_minimal (gpointer data, const SynthEvidence *evidence) {
  Minimal *m = data;
  for (guint o = 0; o < m->candidates->n_outcomes; o++) {
    if (!m->left[o] || !is_least_outcome (m, o, evidence->choice))
      continue;
    SynthFinding *finding = g_new0 (SynthFinding, 1);
    synth_choose (m->work, m->shape, evidence->choice, &finding->program);
    finding->kinds = 1;
    finding->outcome = o;
    g_ptr_array_add (m->work->found, finding);
  }
  return !m->work->failed;
}

/* ---- What is taken out ---- */

/* The outcome of the whole, seen by the rest. */
static void restrict_outcome (const Without *without, const RspShape *whole,
                              const RspShapeOutcome *outcome, RspShapeOutcome *part) {
  const SynthRemoval *removal = &without->removal;
  guint8 names[2 * RSP_SHAPE_EVENTS];
  memset (part, 0, sizeof *part);
  memset (names, SYNTH_ANY, sizeof names);
  for (guint w = 0; w < removal->shape.n_locations + removal->shape.n_events; w++)
    names[rsp_synth_removal_write (removal, whole, w)] = (guint8) w;
  for (guint e = 0; e < removal->shape.n_events; e++)
    if (rsp_shape_is_read (&removal->shape.events[e]))
      part->source[e] = names[outcome->source[removal->event[e]]];
  for (guint x = 0; x < removal->shape.n_locations; x++)
    part->last[x] = names[outcome->last[removal->location[x]]];
}

static void add_without (Minimal *m, Without *without) {
  const RspShape *rest = &without->removal.shape;
  without->judge = rsp_judge_new (m->work->pool, m->work->models[0], rest, m->work->stage,
                                  m->work->diagnostics);
  m->work->failed |= without->judge == NULL;
  without->candidates = rsp_candidates_new (rest);
  guint n = without->candidates->n_outcomes;
  without->agree = g_new (guint8, (gsize) n * m->candidates->n_outcomes);
  for (guint o = 0; o < m->candidates->n_outcomes; o++) {
    RspShapeOutcome part;
    restrict_outcome (without, m->shape, &m->candidates->outcomes[o], &part);
    for (guint p = 0; p < n; p++)
      without->agree[o * n + p]
          = (guint8) synth_matches (rest, &without->candidates->outcomes[p], &part);
  }
  g_array_append_val (m->without, *without);
}

static void add_all_without (Minimal *m) {
  static const SynthDependency dependencies[] = { SYNTH_ADDR, SYNTH_DATA, SYNTH_CTRL };
  for (guint e = 0; e < m->shape->n_events; e++) {
    Without without = { .judge = NULL };
    if (rsp_shape_is_second (&m->shape->events[e]))
      continue;
    rsp_synth_remove_event (m->shape, e, &without.removal);
    if (without.removal.shape.n_events)
      add_without (m, &without);
    for (guint i = 0; i < G_N_ELEMENTS (dependencies); i++)
      if (rsp_synth_drop_dependency (m->shape, e, dependencies[i], &without.removal))
        add_without (m, &without);
  }
}

static void clear_without (gpointer data) {
  Without *without = data;
  rsp_judge_free (without->judge);
  rsp_candidates_free (without->candidates);
  g_free (without->agree);
}

/* ---- The search of a shape ---- */

static gboolean search_with (Minimal *m, SynthPair *pair) {
  SynthWork *work = m->work;
  m->judge = pair->sides[0].judge;
  add_all_without (m);
  return !work->failed && synth_work_on (work, pair) && !work->failed;
}

static gboolean search (SynthWork *work, const RspShape *shape, const SynthSymmetry *symmetries,
                        guint n_symmetries) {
  g_autoptr (RspCandidates) candidates = rsp_candidates_new (shape);
  g_autofree guint *common = synth_identity (candidates->n_outcomes);
  Minimal m = { .work = work,
                .shape = shape,
                .candidates = candidates,
                .symmetries = symmetries,
                .n_symmetries = n_symmetries,
                .without = g_array_new (FALSE, FALSE, sizeof (Without)),
                .left = g_new (guint8, candidates->n_outcomes + 1) };
  SynthPair pair = { .n_variables = shape->n_events,
                     .n_outcomes = candidates->n_outcomes,
                     .symmetries = symmetries,
                     .n_symmetries = n_symmetries,
                     .sought = SYNTH_ONLY_SECOND,
                     .look = look,
                     .visit = take_minimal,
                     .data = &m };
  pair.sides[1] = (SynthSide){ .shape = shape, .candidates = candidates, .common = common };
  g_array_set_clear_func (m.without, clear_without);
  gboolean complete
      = synth_side_init (work, &pair, 0, 0, shape, candidates, common) && search_with (&m, &pair);
  g_array_unref (m.without);
  rsp_judge_free (pair.sides[0].judge);
  g_free (m.left);
  return complete;
}

const SynthQuestion rsp_synth_minimal
    = { "minimal", 1, 1, TRUE, TRUE, FALSE, { "a minimal test: every single relaxation allows" },
        search };
