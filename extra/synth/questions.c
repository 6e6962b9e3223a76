/* Questions that are asked of all programs: -distinguish, -minimal, -monotone. */
#include "enumerator/search/search.h"
#include "parser/litmus/litmus.h"
#include "extra/synth/internal.h"
#include "extra/synth/synth.h"

#include <string.h>

/* ---- Verdict -------------------------------------------------------------------------------- */

static gboolean outcome_matches (const RspShape *shape, const RspShapeOutcome *outcome,
                                 const RspShapeOutcome *part) {
  for (guint e = 0; e < shape->n_events; e++)
    if (part->source[e] != SYNTH_UNFIXED && part->source[e] != outcome->source[e])
      return FALSE;
  for (guint x = 0; x < shape->n_locations; x++)
    if (part->last[x] != SYNTH_UNFIXED && part->last[x] != outcome->last[x])
      return FALSE;
  return TRUE;
}

/* Names the minimal sets of axioms as -explain does, each once, small ones first. */
static char *format_blame (const RspJudge *judge, const GArray *sets) {
  GString *text = g_string_new (NULL);
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
  for (guint i = 0; i < kept->len; i++) {
    guint64 all = g_array_index (kept, guint64, i);
    const char *separator = i ? "; also by " : "";
    for (guint64 set = all; set; set &= set - 1) {
      const char *name = rsp_judge_axiom_name (judge, (guint) __builtin_ctzll (set));
      g_string_append_printf (text, "%s%s", separator, name ? name : "a further check");
      guint64 rest = set & (set - 1);
      separator = rest & (rest - 1) ? ", " : " and ";
    }
    g_string_append (text, all & (all - 1) ? " together" : " alone");
  }
  return g_string_free (text, FALSE);
}

gboolean synth_view (const RspModel *model, const SynthProgram *program,
                     const RspShapeOutcome *outcome, gboolean by_outcome,
                     const RspStageOptions *stage, SynthView *view, RspDiagnostics *diagnostics) {
  *view = (SynthView){ FALSE, FALSE, NULL };
  g_autoptr (RspJudge) judge = rsp_judge_new (model, &program->shape, stage, diagnostics);
  if (!judge)
    return FALSE;
  g_autoptr (RspCandidates) candidates = rsp_candidates_new (&program->shape);
  g_autoptr (GArray) failed = g_array_new (FALSE, FALSE, sizeof (guint64));
  const RspLabel *labels[RSP_SHAPE_EVENTS];
  guint n[RSP_SHAPE_EVENTS];
  RspLabelling labelling;
  for (guint e = 0; e < program->shape.n_events; e++) {
    labels[e] = &program->labels[e];
    n[e] = 1;
  }
  rsp_labelling_set (&labelling, &program->shape, labels, n);
  rsp_judge_set_labels (judge, &labelling);
  for (guint c = 0; c < candidates->n; c++) {
    const RspCandidate *candidate = &candidates->list[c];
    RspShapeVerdict verdict = rsp_judge_candidate (judge, candidate);
    gboolean fits
        = outcome_matches (&program->shape, &candidates->outcomes[candidate->outcome], outcome);
    view->undefined |= verdict.undefined == RSP_HOLDS && (fits || !by_outcome);
    view->allowed |= fits && verdict.allowed == RSP_HOLDS;
    if (fits && verdict.allowed == RSP_FAILS)
      rsp_judge_blame (judge, candidate, failed);
  }
  if (!view->allowed && failed->len)
    view->blame = format_blame (judge, failed);
  return !rsp_judge_failed (judge);
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
  if (!outcome || outcome->stop != RSPCHECK_STOP_COMPLETE
      || (outcome->n_undefined > 0) != view->undefined
      || rsp_outcome_may_hold (outcome) != view->allowed) {
    rsp_diagnostics_move (diagnostics, own);
    rsp_error (diagnostics, RSP_NOWHERE, "this is a bug in rspcheck",
               "model %s: the naive engine does not confirm what was found:\n%s", model->name,
               text);
    return FALSE;
  }
  if (!view->undefined)
    return TRUE;
  GString *flags = g_string_new (NULL);
  for (guint i = 0; i < outcome->n_flags; i++)
    if (outcome->flags[i].raised && outcome->flags[i].undefined)
      g_string_append_printf (flags, "%s%s", flags->len ? "; " : "", outcome->flags[i].name);
  g_free (view->blame);
  view->blame = g_string_free (flags, FALSE);
  return TRUE;
}

/* ---- Pair ----------------------------------------------------------------------------------- */

enum {
  /* Decisions: each attribute of each variable, then a label among those left. */
  MAX_DEPTH = RSP_SHAPE_EVENTS * (SYNTH_ATTRIBUTES + 1) + 1
};

/* The candidates whose verdict a side has not settled at one depth. */
typedef struct Unsettled {
  guint *list;
  guint n;
} Unsettled;

typedef struct Search {
  SynthPair *pair;
  guint64 domain[RSP_SHAPE_EVENTS]; /* per variable: the choices left */
  RspShapeVerdict *verdicts[2];     /* per candidate */
  Unsettled unsettled[MAX_DEPTH + 1][2];
  /* Per outcome of the pair, whether some candidate: is allowed; may be allowed; is undefined; may
   * be undefined; may be allowed and defined. */
  guint8 *surely[2], *maybe[2], *surely_undefined[2], *maybe_undefined[2], *maybe_defined[2];
  RspTruth undefined[2];
  guint *alive[2]; /* candidates that some labelling may allow */
  guint n_alive[2];
} Search;

static guint value_of (const Search *search, guint variable, guint choice, guint attribute) {
  const RspLabel *table = search->pair->sides[0].labels[variable];
  return attribute == SYNTH_ATTRIBUTES
             ? choice
             : rsp_synth_label_value (&table[choice], (SynthAttribute) attribute);
}

/* The value of an attribute if all remaining choices agree on it, else G_MAXUINT. */
static guint decided_value (const Search *search, guint variable, guint attribute) {
  guint64 left = search->domain[variable];
  guint value = value_of (search, variable, (guint) __builtin_ctzll (left), attribute);
  for (left &= left - 1; left; left &= left - 1)
    if (value_of (search, variable, (guint) __builtin_ctzll (left), attribute) != value)
      return G_MAXUINT;
  return value;
}

/* Does the symmetry map the labelling to a smaller one, whatever is still open? */
static gboolean is_beaten_by (const Search *search, const SynthSymmetry *symmetry) {
  for (guint a = 0; a <= SYNTH_ATTRIBUTES; a++)
    for (guint v = 0; v < search->pair->n_variables; v++) {
      const guint8 *variable = search->pair->sides[0].variable;
      guint own = decided_value (search, variable[v], a);
      guint other = decided_value (search, variable[symmetry->moves[v]], a);
      if (own == G_MAXUINT || other == G_MAXUINT || own < other)
        return FALSE;
      if (other < own)
        return TRUE;
    }
  return FALSE;
}

/* Judges the unsettled candidates of a side. At the root, those that no labelling allows are
 * dropped for good. */
static void judge_side (Search *search, guint depth, guint s) {
  const SynthSide *side = &search->pair->sides[s];
  const Unsettled *before = &search->unsettled[depth][s];
  Unsettled *after = &search->unsettled[depth + 1][s];
  RspLabel labels[RSP_SHAPE_EVENTS][SYNTH_MAX_LABELS];
  const RspLabel *lists[RSP_SHAPE_EVENTS];
  guint n[RSP_SHAPE_EVENTS] = { 0 }, kept = 0;
  RspLabelling labelling;
  after->n = 0;
  if (!side->judge)
    return;
  for (guint e = 0; e < side->shape->n_events; e++) {
    guint variable = side->variable[e];
    for (guint64 left = search->domain[variable]; left; left &= left - 1)
      labels[e][n[e]++] = side->labels[variable][__builtin_ctzll (left)];
    lists[e] = labels[e];
  }
  rsp_labelling_set (&labelling, side->shape, lists, n);
  rsp_judge_set_labels (side->judge, &labelling);
  for (guint i = 0; i < before->n; i++) {
    guint c = before->list[i];
    RspShapeVerdict verdict = rsp_judge_candidate (side->judge, &side->candidates->list[c]);
    search->verdicts[s][c] = verdict;
    if (verdict.allowed == RSP_OPEN || verdict.undefined == RSP_OPEN)
      after->list[after->n++] = c;
  }
  search->pair->failed |= rsp_judge_failed (side->judge);
  if (depth > 0)
    return;
  for (guint i = 0; i < search->n_alive[s]; i++)
    if (search->verdicts[s][search->alive[s][i]].allowed != RSP_FAILS)
      search->alive[s][kept++] = search->alive[s][i];
  search->n_alive[s] = kept;
}

static void sum_up_verdicts (Search *search, guint s) {
  const SynthSide *side = &search->pair->sides[s];
  guint8 *sums[] = { search->surely[s], search->maybe[s], search->surely_undefined[s],
                     search->maybe_undefined[s], search->maybe_defined[s] };
  for (guint i = 0; i < G_N_ELEMENTS (sums); i++)
    memset (sums[i], 0, search->pair->n_outcomes);
  search->undefined[s] = RSP_FAILS;
  for (guint i = 0; i < search->n_alive[s]; i++) {
    guint c = search->alive[s][i];
    RspShapeVerdict verdict = search->verdicts[s][c];
    guint outcome = side->common[side->candidates->list[c].outcome];
    search->surely[s][outcome] |= verdict.allowed == RSP_HOLDS;
    search->maybe[s][outcome] |= verdict.allowed != RSP_FAILS;
    search->surely_undefined[s][outcome] |= verdict.undefined == RSP_HOLDS;
    search->maybe_undefined[s][outcome] |= verdict.undefined != RSP_FAILS;
    search->maybe_defined[s][outcome]
        |= verdict.allowed != RSP_FAILS && verdict.undefined != RSP_HOLDS;
    if (verdict.undefined == RSP_HOLDS
        || (verdict.undefined == RSP_OPEN && search->undefined[s] == RSP_FAILS))
      search->undefined[s] = verdict.undefined;
  }
}

/* The disagreements that an outcome shows if only this side allows it in a defined execution
 * (only), or has it in an undefined one (undefined). */
static guint shown_by (guint side, gboolean only, gboolean undefined) {
  guint shown = 0;
  if (only)
    shown |= side ? SYNTH_ONLY_SECOND : SYNTH_ONLY_FIRST;
  if (undefined)
    shown |= side ? SYNTH_UNDEFINED_SECOND : SYNTH_UNDEFINED_FIRST;
  return shown;
}

/* Do both sides compute the same function of the open labels? This can be compared if they have the
 * same shape and the same open labels. */
static gboolean is_same_function (const Search *search) {
  const SynthPair *pair = search->pair;
  const SynthSide *a = &pair->sides[0], *b = &pair->sides[1];
  if (a->shape != b->shape || !a->judge || !b->judge)
    return FALSE;
  for (guint v = 0; v < pair->n_variables; v++)
    if (a->labels[v] != b->labels[v] && decided_value (search, v, SYNTH_ATTRIBUTES) == G_MAXUINT)
      return FALSE;
  return rsp_judge_agrees (a->judge, b->judge);
}

/* Finds the first open attribute and variable; FALSE if there is none. */
static gboolean find_decision (const Search *search, guint *attribute, guint *variable) {
  for (*attribute = 0; *attribute <= SYNTH_ATTRIBUTES; ++*attribute)
    for (*variable = 0; *variable < search->pair->n_variables; ++*variable)
      if (decided_value (search, *variable, *attribute) == G_MAXUINT)
        return TRUE;
  return FALSE;
}

static gboolean explore (Search *search, guint depth) {
  SynthPair *pair = search->pair;
  guint attribute, variable;
  for (guint i = 0; i < pair->n_symmetries; i++)
    if (is_beaten_by (search, &pair->symmetries[i]))
      return TRUE;
  for (guint s = 0; s < 2; s++) {
    judge_side (search, depth, s);
    sum_up_verdicts (search, s);
  }
  if (pair->failed || (pair->stop && g_atomic_int_get (pair->stop)))
    return FALSE;
  /* The disagreements that some remaining labelling may show. */
  gboolean by_outcome = search->pair->by_outcome, may_be_defined = TRUE;
  guint8 *const *maybe = by_outcome ? search->maybe_defined : search->maybe;
  guint disagreements = 0;
  for (guint s = 0; s < 2 && !by_outcome; s++) {
    may_be_defined &= search->undefined[s] != RSP_HOLDS;
    if (search->undefined[s] != RSP_FAILS && search->undefined[1 - s] != RSP_HOLDS)
      disagreements |= shown_by (s, FALSE, TRUE);
  }
  for (guint o = 0; may_be_defined && o < search->pair->n_outcomes; o++)
    for (guint s = 0; s < 2; s++) {
      gboolean only = maybe[s][o] && !search->surely[1 - s][o];
      gboolean undefined = search->maybe_undefined[s][o] && !search->surely_undefined[1 - s][o];
      disagreements |= shown_by (s, only, by_outcome && undefined);
    }
  if (!(disagreements & pair->sought) || is_same_function (search))
    return TRUE;
  if (pair->look && !pair->look (pair->data, search->domain, search->surely[0]))
    return TRUE;
  if (!find_decision (search, &attribute, &variable)) {
    SynthEvidence evidence = { .disagreements = disagreements };
    for (guint v = 0; v < pair->n_variables; v++)
      evidence.choice[v] = (guint8) __builtin_ctzll (search->domain[v]);
    for (guint s = 0; s < 2; s++) {
      evidence.allowed[s] = search->surely[s];
      evidence.defined_in[s] = search->maybe_defined[s]; /* nothing is open */
      evidence.undefined_in[s] = search->surely_undefined[s];
      evidence.undefined[s] = search->undefined[s] == RSP_HOLDS;
    }
    return pair->visit (pair->data, &evidence);
  }
  guint64 all = search->domain[variable], left = all;
  gboolean going_on = TRUE;
  while (left && going_on) { /* each value of the attribute in turn */
    guint value = G_MAXUINT;
    guint64 chosen = 0;
    for (guint64 rest = left; rest; rest &= rest - 1)
      value = MIN (value, value_of (search, variable, (guint) __builtin_ctzll (rest), attribute));
    for (guint64 rest = left; rest; rest &= rest - 1)
      if (value_of (search, variable, (guint) __builtin_ctzll (rest), attribute) == value)
        chosen |= rest & -rest;
    left &= ~chosen;
    search->domain[variable] = chosen;
    going_on = explore (search, depth + 1);
  }
  search->domain[variable] = all;
  return going_on;
}

gboolean synth_work_on (SynthWork *work, SynthPair *pair) {
  g_autofree Search *search = g_new0 (Search, 1);
  search->pair = pair;
  pair->stop = work->stop;
  for (guint v = 0; v < pair->n_variables; v++)
    search->domain[v] = pair->n_choices[v] == SYNTH_MAX_LABELS
                            ? G_MAXUINT64
                            : (G_GUINT64_CONSTANT (1) << pair->n_choices[v]) - 1;
  for (guint s = 0; s < 2; s++) {
    guint n = pair->sides[s].candidates->n;
    search->verdicts[s] = g_new0 (RspShapeVerdict, n);
    for (guint c = 0; c < n && !pair->sides[s].judge; c++)
      search->verdicts[s][c] = (RspShapeVerdict){ RSP_HOLDS, RSP_FAILS };
    search->surely[s] = g_new (guint8, pair->n_outcomes);
    search->maybe[s] = g_new (guint8, pair->n_outcomes);
    search->surely_undefined[s] = g_new (guint8, pair->n_outcomes);
    search->maybe_undefined[s] = g_new (guint8, pair->n_outcomes);
    search->maybe_defined[s] = g_new (guint8, pair->n_outcomes);
    for (guint depth = 0; depth <= MAX_DEPTH; depth++)
      search->unsettled[depth][s].list = g_new (guint, n + 1);
    for (guint c = 0; c < n; c++)
      search->unsettled[0][s].list[c] = c;
    search->unsettled[0][s].n = n;
    search->alive[s] = g_memdup2 (search->unsettled[0][s].list, sizeof (guint) * (n + 1));
    search->n_alive[s] = n;
  }
  gboolean complete = explore (search, 0);
  work->failed |= pair->failed;
  for (guint s = 0; s < 2; s++) {
    g_free (search->verdicts[s]);
    g_free (search->surely[s]);
    g_free (search->maybe[s]);
    g_free (search->surely_undefined[s]);
    g_free (search->maybe_undefined[s]);
    g_free (search->maybe_defined[s]);
    g_free (search->alive[s]);
    for (guint depth = 0; depth <= MAX_DEPTH; depth++)
      g_free (search->unsettled[depth][s].list);
  }
  return complete;
}

/* ---- Question ------------------------------------------------------------------------------- */

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

SynthFinding *synth_finding_decode (const char *line, const SynthSpace *space) {
  SynthFinding *finding = g_new0 (SynthFinding, 1);
  g_auto (GStrv) words = g_strsplit (line, " ", 6);
  if (g_strv_length (words) == 6 && read_number (words[0], &finding->kinds)
      && read_number (words[1], &finding->outcome)
      && read_number (words[2], &finding->other_outcome)
      && rsp_synth_program_decode (words[3], space, &finding->program)) {
    finding->has_other = strcmp (words[4], "-") != 0;
    finding->edit = words[5][0] ? g_strdup (words[5]) : NULL;
    if (!finding->has_other || rsp_synth_program_decode (words[4], space, &finding->other))
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
  side->judge = rsp_judge_new (work->models[model], shape, work->stage, work->diagnostics);
  work->failed |= side->judge == NULL;
  return side->judge != NULL;
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

/* ---- Compare -------------------------------------------------------------------------------- */

void synth_edit_init (SynthEdit *edit, const RspShape *before, const RspShape *after) {
  *edit = (SynthEdit){ .before = before, .after = after };
  memset (edit->same_label, 0xff, sizeof edit->same_label);
  memset (edit->copies, 0xff, sizeof edit->copies);
  for (guint e = 0; e < RSP_SHAPE_EVENTS; e++)
    edit->from[e] = (guint8) e;
}

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

/* The number in `before` of a write of `after`. Locations have the same numbers in both. */
static guint8 write_before (const SynthEdit *edit, guint write) {
  guint n = edit->after->n_locations;
  return (guint8) (write < n ? write : rsp_shape_event (edit->before, edit->from[write - n]));
}

/* Per outcome of `after`, its number in `before`, or the number of outcomes of `before` if no
 * candidate of `before` has it. */
static guint *find_common_outcomes (const SynthEdit *edit, const RspCandidates *before,
                                    const RspCandidates *after) {
  guint *common = g_new0 (guint, after->n_outcomes + 1);
  for (guint o = 0; o < after->n_outcomes; o++) {
    const RspShapeOutcome *outcome = &after->outcomes[o];
    RspShapeOutcome seen; /* in `before` */
    memset (&seen, 0, sizeof seen);
    for (guint e = 0; e < edit->after->n_events; e++)
      if (rsp_shape_is_read (&edit->after->events[e]))
        seen.source[edit->from[e]] = write_before (edit, outcome->source[e]);
    for (guint e = 0; e < edit->before->n_events; e++)
      if (edit->copies[e] != 0xff)
        seen.source[e] = rsp_shape_is_read (&edit->before->events[edit->copies[e]])
                             ? seen.source[edit->copies[e]]
                             : (guint8) rsp_shape_event (edit->before, edit->copies[e]);
    for (guint x = 0; x < edit->after->n_locations; x++)
      seen.last[x] = write_before (edit, outcome->last[x]);
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

static guint outcome_bit (const SynthEdit *edit) {
  return edit->backwards ? SYNTH_ONLY_FIRST : SYNTH_ONLY_SECOND;
}

static guint undefined_bit (const SynthEdit *edit) {
  return edit->backwards ? SYNTH_UNDEFINED_FIRST : SYNTH_UNDEFINED_SECOND;
}

/* Reports a new outcome; if there is none, one that the program allows and the other makes
 * undefined. */
static gboolean add_edit_finding (gpointer data, const SynthEvidence *evidence) {
  Compare *compare = data;
  const SynthEdit *edit = compare->edit;
  SynthFinding *finding = g_new0 (SynthFinding, 1);
  guint to = edit->backwards ? 0 : 1; /* the side of the other program */
  gboolean found = FALSE;
  choose_side (compare, 1 - to, evidence, &finding->program);
  choose_side (compare, to, evidence, &finding->other);
  finding->has_other = TRUE;
  finding->edit = g_strdup (edit->text);
  if (evidence->disagreements & outcome_bit (edit))
    finding->kinds |= edit->kind_outcome;
  if (evidence->disagreements & undefined_bit (edit))
    finding->kinds |= edit->kind_undefined;
  finding->kinds &= compare->work->sought;
  for (guint o = 0; o < compare->pair->sides[1].candidates->n_outcomes && !found; o++) {
    guint c = compare->common[o];
    found = evidence->undefined[to] ? evidence->allowed[1 - to][c] != 0
                                    : evidence->allowed[to][c] && !evidence->allowed[1 - to][c];
    finding->outcome = to ? c : o;
    finding->other_outcome = to ? o : c;
  }
  g_ptr_array_add (compare->work->found, finding);
  return TRUE;
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
                       find_common_outcomes (edit, candidates[0], candidates[1]) };
  SynthPair pair;
  Compare compare = { work, edit, &pair, common[1] };
  pair = (SynthPair){ .n_variables = edit->before->n_events,
                      .n_outcomes = candidates[0]->n_outcomes + 1,
                      .symmetries = kept,
                      .sought = (kinds[0] ? outcome_bit (edit) : 0u)
                                | (kinds[1] ? undefined_bit (edit) : 0u),
                      .visit = add_edit_finding,
                      .data = &compare };
  /* Keeps the symmetries that move no touched event. */
  guint n_kept = 0;
  for (guint i = 0; i < n_symmetries; i++) {
    gboolean keeps = TRUE;
    for (guint e = 0; e < edit->before->n_events; e++)
      keeps &= !(touched >> e & 1) || symmetries[i].moves[e] == e;
    if (keeps)
      kept[n_kept++] = symmetries[i];
  }
  pair.n_symmetries = n_kept;
  gboolean complete = synth_side_init (work, &pair, 0, 0, edit->before, candidates[0], common[0])
                      && synth_side_init (work, &pair, 1, 0, edit->after, candidates[1], common[1]);
  if (complete) {
    const RspShape *before = edit->before; /* whose events are the variables */
    for (guint e = 0; e < before->n_events; e++) {
      gboolean own = edit->labels_before && e == edit->event;
      guint labelled = synth_labelled_event (before, e);
      guint variable = edit->same_label[e] != 0xff ? edit->same_label[e] : labelled;
      SynthKind kind = synth_kind (&before->events[e]);
      pair.n_choices[e] = variable != e ? 1 : own ? edit->n_labels : work->space->n_labels[kind];
      pair.sides[0].labels[e] = own ? edit->labels_before : work->space->labels[kind];
      pair.sides[1].labels[e] = own ? edit->labels_after : work->space->labels[kind];
      pair.sides[0].variable[e] = (guint8) variable;
    }
    for (guint e = 0; e < edit->after->n_events; e++)
      pair.sides[1].variable[e] = pair.sides[0].variable[edit->from[e]];
    complete = synth_work_on (work, &pair);
  }
  for (guint s = 0; s < 2; s++) {
    rsp_judge_free (pair.sides[s].judge);
    rsp_candidates_free (candidates[s]);
    g_free (common[s]);
  }
  return complete;
}

/* ---- Placements ----------------------------------------------------------------------------- */

/* A finding with its outcome, in one tree of its threads after the other. */
typedef struct Everywhere {
  SynthWork *work;
  SynthProgram program;
  const RspShapeOutcome *outcome;
  gboolean by_outcome;
  guint kinds; /* that it shows in all trees so far */
} Everywhere;

static guint kinds_of_difference (const SynthView *views, gboolean by_outcome) {
  guint kinds = 0;
  for (guint s = 0; s < 2; s++) {
    const SynthView *own = &views[s], *other = &views[1 - s];
    gboolean only = own->allowed && !own->undefined && !other->allowed;
    kinds |= shown_by (s, only && (by_outcome || !other->undefined),
                       own->undefined && !other->undefined);
  }
  return kinds;
}

static gboolean look_there (gpointer data, const RspNodes *nodes) {
  Everywhere *all = data;
  SynthView views[2];
  for (guint t = 0; t < all->program.shape.n_threads; t++)
    memcpy (all->program.shape.places[t].node, nodes[t], sizeof nodes[t]);
  if (synth_splits_local (&all->program.shape))
    return TRUE;
  for (guint m = 0; m < all->work->n_models; m++) {
    if (!synth_view (all->work->models[m], &all->program, all->outcome, all->by_outcome,
                     all->work->stage, &views[m], all->work->diagnostics))
      all->work->failed = TRUE;
    g_free (views[m].blame);
  }
  all->kinds &= all->work->n_models == 2 ? kinds_of_difference (views, all->by_outcome)
                                         : !views->allowed && !views->undefined;
  return all->kinds && !all->work->failed;
}

/* Takes the finding. With -placement all, only the kinds count that it shows in all trees. */
static void add_finding (SynthWork *work, SynthFinding *finding, const RspCandidates *candidates,
                         gboolean by_outcome) {
  if (work->space->everywhere) {
    Everywhere all = { .work = work,
                       .program = finding->program,
                       .outcome = &candidates->outcomes[finding->outcome],
                       .by_outcome = by_outcome,
                       .kinds = finding->kinds };
    synth_trees_each (work->space, finding->program.shape.n_threads, look_there, &all);
    finding->kinds = all.kinds;
  }
  if (finding->kinds)
    g_ptr_array_add (work->found, finding);
  else
    synth_finding_free (finding);
}

/* ---- Distinguish ---------------------------------------------------------------------------- */

/* Distinguish: programs on which two models differ. (Wickerson, Batty, Sorensen,
 * Constantinides, "Automatically comparing memory consistency models", POPL 2017.) */

typedef struct Distinguish {
  SynthWork *work;
  const RspShape *shape;
  const RspCandidates *candidates;
} Distinguish;

static gboolean is_by_outcome (const Distinguish *d) {
  return synth_is_by_outcome (&rsp_synth_distinguish, d->shape->language);
}

/* The first outcome that shows one of the kinds, the first of the kinds if there is a choice. Here
 * executions are undefined, not programs. */
static guint choose_outcome_of_kind (const Distinguish *d, const SynthEvidence *evidence,
                                     guint kinds) {
  for (; kinds; kinds &= kinds - 1)
    for (guint o = 0; o < d->candidates->n_outcomes; o++)
      for (guint s = 0; s < 2; s++) {
        gboolean only = evidence->defined_in[s][o] && !evidence->allowed[1 - s][o];
        gboolean undefined = evidence->undefined_in[s][o] && !evidence->undefined_in[1 - s][o];
        if (shown_by (s, only, undefined) & (kinds & -kinds))
          return o;
      }
  g_assert_not_reached ();
}

/* If programs are undefined: reports the first outcome that shows the difference; if one side is
 * undefined, the first that the other allows. */
static gboolean add_difference (gpointer data, const SynthEvidence *evidence) {
  Distinguish *d = data;
  SynthFinding *finding = g_new0 (SynthFinding, 1);
  synth_choose (d->work, d->shape, evidence->choice, &finding->program);
  finding->kinds = evidence->disagreements & d->work->sought;
  if (is_by_outcome (d))
    finding->outcome = choose_outcome_of_kind (d, evidence, finding->kinds);
  else
    for (guint o = d->candidates->n_outcomes; o-- > 0;) {
      gboolean first = evidence->allowed[0][o] && !evidence->undefined[0];
      gboolean second = evidence->allowed[1][o] && !evidence->undefined[1];
      if (first != second)
        finding->outcome = o;
    }
  add_finding (d->work, finding, d->candidates, is_by_outcome (d));
  return !d->work->failed;
}

static gboolean search_differences (SynthWork *work, const RspShape *shape,
                                    const SynthSymmetry *symmetries, guint n_symmetries) {
  g_autoptr (RspCandidates) candidates = rsp_candidates_new (shape);
  g_autofree guint *common = synth_identity (candidates->n_outcomes);
  Distinguish d = { work, shape, candidates };
  SynthPair pair = { .n_variables = shape->n_events,
                     .n_outcomes = candidates->n_outcomes,
                     .symmetries = symmetries,
                     .n_symmetries = n_symmetries,
                     .sought = work->sought,
                     .by_outcome = is_by_outcome (&d),
                     .visit = add_difference,
                     .data = &d };
  gboolean complete = synth_side_init (work, &pair, 0, 0, shape, candidates, common)
                      && synth_side_init (work, &pair, 1, 1, shape, candidates, common)
                      && synth_work_on (work, &pair);
  for (guint s = 0; s < 2; s++)
    rsp_judge_free (pair.sides[s].judge);
  return complete;
}

const SynthQuestion rsp_synth_distinguish
    = { "distinguish",
        2,
        4,
        FALSE,
        FALSE,
        TRUE,
        { "only the first allows", "only the second allows", "only the first is undefined",
          "only the second is undefined" },
        search_differences };

/* ---- Minimal -------------------------------------------------------------------------------- */

/* Minimal tests: outcomes that a model forbids on a defined program and that every single
 * relaxation allows. (Lustig, Wright, Papakonstantinou, Giroux, "Automated synthesis of
 * comprehensive memory model litmus test suites", ASPLOS 2017.)
 *
 * The relaxations: an event removed; a dependency dropped; an order one step weaker; a scope one
 * step smaller; not remote. Outcomes of the relaxed program are compared with those of the whole as
 * far as possible: the sources of removed loads, and loads from removed writes, do not count. A
 * relaxed program that is undefined allows everything.
 *
 * A set of labellings is dropped as soon as, for every outcome, some relaxation forbids it under
 * all of them: then none of them is minimal. */

/* The shape without an event or a dependency: the rest. */
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

typedef struct Labels {
  RspLabel labels[RSP_SHAPE_EVENTS][SYNTH_MAX_LABELS];
  guint n[RSP_SHAPE_EVENTS];
} Labels;

static void fill_labels (const Minimal *m, const guint64 *domain, Labels *labels) {
  for (guint e = 0; e < m->shape->n_events; e++) {
    labels->n[e] = 0;
    for (guint64 left = domain[synth_labelled_event (m->shape, e)]; left; left &= left - 1)
      labels->labels[e][labels->n[e]++]
          = m->work->space->labels[synth_kind (&m->shape->events[e])][__builtin_ctzll (left)];
  }
}

/* Weakens all labels of an event, and of those that share them, by one step. FALSE if some label
 * has no weaker one. */
static gboolean relax_labels (const Minimal *m, const guint64 *domain, guint event,
                              SynthAttribute attribute, guint k, Labels *labels) {
  const SynthSpace *space = m->work->space;
  SynthKind kind = synth_kind (&m->shape->events[event]);
  fill_labels (m, domain, labels);
  labels->n[event] = 0;
  for (guint64 left = domain[event]; left; left &= left - 1) {
    guint weaker = rsp_synth_step_down (space, kind, (guint) __builtin_ctzll (left), attribute, k);
    if (weaker == SYNTH_NO_LABEL)
      return FALSE;
    labels->labels[event][labels->n[event]++] = space->labels[kind][weaker];
  }
  for (guint e = event + 1; e < m->shape->n_events; e++)
    if (synth_labelled_event (m->shape, e) == event)
      memcpy (labels->labels[e], labels->labels[event], sizeof labels->labels[event]);
  return TRUE;
}

/* event: the whole's event for each event of the shape; NULL: the same. */
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

/* maybe[o]: may some candidate of the outcome be allowed? FALSE: the program may be undefined. */
static gboolean judge_all (Minimal *m, RspJudge *judge, const RspCandidates *candidates,
                           guint8 *maybe) {
  gboolean defined = TRUE;
  memset (maybe, 0, candidates->n_outcomes);
  for (guint c = 0; c < candidates->n && defined; c++) {
    RspShapeVerdict verdict = rsp_judge_candidate (judge, &candidates->list[c]);
    maybe[candidates->list[c].outcome] |= verdict.allowed != RSP_FAILS;
    defined = verdict.undefined == RSP_FAILS;
  }
  m->work->failed |= rsp_judge_failed (judge);
  return defined;
}

static gboolean rest_may_agree (const Without *without, guint outcome, const guint8 *maybe) {
  guint n = without->candidates->n_outcomes;
  for (guint o = 0; o < n; o++)
    if (maybe[o] && without->agree[outcome * n + o])
      return TRUE;
  return FALSE;
}

static gboolean is_any_left (const Minimal *m) {
  return memchr (m->left, 1, m->candidates->n_outcomes) != NULL;
}

/* Tries all relaxations, first those that remove something. See SynthPair.look. */
static gboolean look (gpointer data, const guint64 *domain, const guint8 *surely) {
  Minimal *m = data;
  Labels labels;
  for (guint o = 0; o < m->candidates->n_outcomes; o++)
    m->left[o] = !surely[o];
  fill_labels (m, domain, &labels);
  for (guint i = 0; i < m->without->len && is_any_left (m); i++) {
    const Without *without = &g_array_index (m->without, Without, i);
    g_autofree guint8 *maybe = g_new (guint8, without->candidates->n_outcomes);
    set_labels (without->judge, &without->removal.shape, &labels, without->removal.event);
    if (!judge_all (m, without->judge, without->candidates, maybe))
      continue;
    for (guint o = 0; o < m->candidates->n_outcomes; o++)
      if (m->left[o])
        m->left[o] = (guint8) rest_may_agree (without, o, maybe);
  }
  if (!is_any_left (m))
    return FALSE;
  g_autofree guint8 *maybe = g_new (guint8, m->candidates->n_outcomes);
  for (guint e = 0; e < m->shape->n_events; e++)
    for (guint a = 0; a < SYNTH_ATTRIBUTES; a++)
      for (guint k = 0; k < SYNTH_MAX_STEPS; k++) {
        if (synth_labelled_event (m->shape, e) != e
            || !relax_labels (m, domain, e, (SynthAttribute) a, k, &labels))
          continue;
        set_labels (m->judge, m->shape, &labels, NULL);
        if (!judge_all (m, m->judge, m->candidates, maybe))
          continue;
        for (guint o = 0; o < m->candidates->n_outcomes; o++)
          m->left[o] &= maybe[o];
      }
  return is_any_left (m);
}

static gboolean keeps_labels (const Minimal *m, const SynthSymmetry *symmetry,
                              const guint8 *choice) {
  for (guint e = 0; e < m->shape->n_events; e++)
    if (choice[synth_labelled_event (m->shape, symmetry->moves[e])]
        != choice[synth_labelled_event (m->shape, e)])
      return FALSE;
  return TRUE;
}

/* Is the outcome the least of those that symmetries of the program map to each other? */
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

static gboolean add_minimal (gpointer data, const SynthEvidence *evidence) {
  Minimal *m = data;
  for (guint o = 0; o < m->candidates->n_outcomes; o++) {
    if (!m->left[o] || !is_least_outcome (m, o, evidence->choice))
      continue;
    SynthFinding *finding = g_new0 (SynthFinding, 1);
    synth_choose (m->work, m->shape, evidence->choice, &finding->program);
    finding->kinds = 1;
    finding->outcome = o;
    add_finding (m->work, finding, m->candidates, FALSE);
  }
  return !m->work->failed;
}

static void add_without (Minimal *m, Without *without) {
  const SynthRemoval *removal = &without->removal;
  const RspShape *rest = &removal->shape;
  guint8 names[2 * RSP_SHAPE_EVENTS]; /* of the whole's writes in the rest */
  without->judge = rsp_judge_new (m->work->models[0], rest, m->work->stage, m->work->diagnostics);
  m->work->failed |= without->judge == NULL;
  without->candidates = rsp_candidates_new (rest);
  guint n = without->candidates->n_outcomes;
  without->agree = g_new (guint8, (gsize) n * m->candidates->n_outcomes);
  memset (names, SYNTH_UNFIXED, sizeof names);
  for (guint w = 0; w < rest->n_locations + rest->n_events; w++)
    names[rsp_synth_removal_write (removal, m->shape, w)] = (guint8) w;
  for (guint o = 0; o < m->candidates->n_outcomes; o++) {
    const RspShapeOutcome *outcome = &m->candidates->outcomes[o];
    RspShapeOutcome part = { { 0 }, { 0 } };
    for (guint e = 0; e < rest->n_events; e++)
      if (rsp_shape_is_read (&rest->events[e]))
        part.source[e] = names[outcome->source[removal->event[e]]];
    for (guint x = 0; x < rest->n_locations; x++)
      part.last[x] = names[outcome->last[removal->location[x]]];
    for (guint p = 0; p < n; p++)
      without->agree[o * n + p]
          = (guint8) outcome_matches (rest, &without->candidates->outcomes[p], &part);
  }
  g_array_append_val (m->without, *without);
}

static void clear_without (gpointer data) {
  Without *without = data;
  rsp_judge_free (without->judge);
  rsp_candidates_free (without->candidates);
  g_free (without->agree);
}

static gboolean search_minimal (SynthWork *work, const RspShape *shape,
                                const SynthSymmetry *symmetries, guint n_symmetries) {
  static const SynthDependency dependencies[] = { SYNTH_ADDR, SYNTH_DATA, SYNTH_CTRL };
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
                     .visit = add_minimal,
                     .data = &m };
  pair.sides[1] = (SynthSide){ .shape = shape, .candidates = candidates, .common = common };
  g_array_set_clear_func (m.without, clear_without);
  gboolean complete = synth_side_init (work, &pair, 0, 0, shape, candidates, common);
  m.judge = pair.sides[0].judge;
  for (guint e = 0; complete && e < shape->n_events; e++) {
    Without without = { .judge = NULL };
    if (rsp_shape_is_second (&shape->events[e]))
      continue;
    rsp_synth_remove_event (shape, e, &without.removal);
    if (without.removal.shape.n_events)
      add_without (&m, &without);
    for (guint i = 0; i < G_N_ELEMENTS (dependencies); i++)
      if (rsp_synth_drop_dependency (shape, e, dependencies[i], &without.removal))
        add_without (&m, &without);
  }
  complete = complete && !work->failed && synth_work_on (work, &pair) && !work->failed;
  g_array_unref (m.without);
  rsp_judge_free (pair.sides[0].judge);
  g_free (m.left);
  return complete;
}

const SynthQuestion rsp_synth_minimal = {
  "minimal",     1, 1, TRUE, TRUE, FALSE, { "a minimal test: every single relaxation allows" },
  search_minimal
};

/* ---- Monotone ------------------------------------------------------------------------------- */

/* Monotone: is stronger safer? A counterexample is a program and a stronger one, with one operation
 * strengthened or a fence added, that allows an outcome that the weaker one forbids, or is
 * undefined although the weaker one is not. The size is that of the stronger program. */

static char *describe_edit (const RspShape *shape, guint event, const char *what) {
  static const char *const kinds[] = { "load", "store", "read-modify-write", "fence", "barrier" };
  guint place = 1;
  gboolean shares = FALSE; /* do other operations have its label? */
  for (guint e = 0; e < shape->n_events; e++) {
    place += e < event && shape->events[e].thread == shape->events[event].thread
             && !rsp_shape_is_second (&shape->events[e]);
    shares |= synth_operation (shape, e) != event && synth_labelled_event (shape, e) == event;
  }
  return g_strdup_printf ("%s P%u's operation %u, a %s%s", what, shape->events[event].thread, place,
                          kinds[synth_kind (&shape->events[event])],
                          shares ? ", and those that meet it" : "");
}

/* All steps up in one attribute of the event are one edit. */
static gboolean strengthen (SynthWork *work, const RspShape *shape, guint event, SynthEdit *edit,
                            const SynthSymmetry *symmetries, guint n_symmetries) {
  static const char *const what[SYNTH_ATTRIBUTES]
      = { "wider scope for", "other word for", "stronger order for" };
  const SynthSpace *space = work->space;
  RspLabel weaker[SYNTH_MAX_LABELS], stronger[SYNTH_MAX_LABELS];
  SynthKind kind = synth_kind (&shape->events[event]);
  for (guint a = 0; a < SYNTH_ATTRIBUTES; a++) {
    guint n = 0;
    for (guint choice = 0; choice < space->n_labels[kind]; choice++)
      for (guint k = 0; k < SYNTH_MAX_STEPS && n < SYNTH_MAX_LABELS; k++) {
        guint below = rsp_synth_step_down (space, kind, choice, (SynthAttribute) a, k);
        if (below == SYNTH_NO_LABEL)
          continue;
        weaker[n] = space->labels[kind][below];
        stronger[n++] = space->labels[kind][choice];
      }
    if (n == 0)
      continue;
    edit->event = event;
    edit->labels_before = weaker;
    edit->labels_after = stronger;
    edit->n_labels = n;
    g_autofree char *text = describe_edit (shape, event, what[a]);
    edit->text = text;
    if (!synth_compare (work, edit, symmetries, n_symmetries, 1u << event))
      return FALSE;
  }
  return TRUE;
}

/* The shape is the stronger program; the weaker one lacks the fence. */
static gboolean add_fence (SynthWork *work, const RspShape *shape, guint event, SynthEdit *edit,
                           const SynthSymmetry *symmetries, guint n_symmetries) {
  SynthRemoval removal;
  g_autofree char *text = describe_edit (shape, event, "fence added:");
  rsp_synth_remove_event (shape, event, &removal);
  if (removal.shape.n_events == 0)
    return TRUE;
  edit->after = &removal.shape;
  memcpy (edit->from, removal.event, sizeof edit->from);
  edit->backwards = TRUE;
  edit->text = text;
  return synth_compare (work, edit, symmetries, n_symmetries, 1u << event);
}

gboolean synth_monotone_steps (SynthWork *work, const RspShape *shape,
                               const SynthSymmetry *symmetries, guint n_symmetries,
                               guint kind_outcome, guint kind_undefined) {
  for (guint e = 0; e < shape->n_events; e++) {
    SynthEdit plain;
    if (rsp_shape_is_second (&shape->events[e])
        || !synth_is_least_set (shape, symmetries, n_symmetries, 1u << e))
      continue;
    synth_edit_init (&plain, shape, shape);
    plain.kind_outcome = kind_outcome;
    plain.kind_undefined = kind_undefined;
    SynthEdit edit = plain;
    if (!strengthen (work, shape, e, &edit, symmetries, n_symmetries)
        || (shape->events[e].kind == RSP_EVENT_FENCE
            && !add_fence (work, shape, e, &plain, symmetries, n_symmetries)))
      return FALSE;
  }
  return TRUE;
}

static gboolean search_monotone (SynthWork *work, const RspShape *shape,
                                 const SynthSymmetry *symmetries, guint n_symmetries) {
  return synth_monotone_steps (work, shape, symmetries, n_symmetries, 1, 2);
}

const SynthQuestion rsp_synth_monotone
    = { "monotone",
        1,
        2,
        FALSE,
        FALSE,
        FALSE,
        { "the stronger program allows more", "the stronger program is undefined" },
        search_monotone };
