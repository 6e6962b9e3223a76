#include "synth/questions/pair.h"

#include <string.h>

enum {
  /* Decisions: each attribute of each variable, then which label of those left. */
  MAX_DEPTH = RSP_SHAPE_EVENTS * (SYNTH_ATTRIBUTES + 1) + 1
};

/* The candidates of a side on which it has not settled, at one depth. */
typedef struct Unsettled {
  guint *list;
  guint n;
} Unsettled;

typedef struct Search {
  SynthPair *pair;
  guint64 domain[RSP_SHAPE_EVENTS]; /* per variable: the choices left */
  RspVerdict *verdicts[2];          /* per candidate */
  Unsettled unsettled[MAX_DEPTH + 1][2];
  /* Per outcome of the pair: some candidate is allowed, or may be; is allowed and undefined, or may
   * be; may be allowed and defined. */
  guint8 *surely[2], *maybe[2], *surely_undefined[2], *maybe_undefined[2], *maybe_defined[2];
  RspTruth undefined[2];
  guint *alive[2]; /* candidates that may be allowed, as far as the root knows */
  guint n_alive[2];
} Search;

/* ---- Labels ---- */

static guint value_of (const Search *search, guint variable, guint choice, guint attribute) {
  const RspLabel *table = search->pair->sides[0].labels[variable];
  return attribute == SYNTH_ATTRIBUTES
             ? choice
             : rsp_synth_label_value (&table[choice], (SynthAttribute) attribute);
}

/* The value of an attribute where all choices left agree, else G_MAXUINT. */
static guint decided_value (const Search *search, guint variable, guint attribute) {
  guint64 left = search->domain[variable];
  guint value = value_of (search, variable, (guint) __builtin_ctzll (left), attribute);
  for (left &= left - 1; left; left &= left - 1)
    if (value_of (search, variable, (guint) __builtin_ctzll (left), attribute) != value)
      return G_MAXUINT;
  return value;
}

/* Does the symmetry map the labelling to one that is less, whatever is still open? */
static gboolean is_beaten_by (const Search *search, const SynthSymmetry *symmetry) {
  for (guint a = 0; a <= SYNTH_ATTRIBUTES; a++)
    for (guint v = 0; v < search->pair->n_variables; v++) {
      guint own = decided_value (search, v, a);
      guint other = decided_value (search, symmetry->moves[v], a);
      if (own == G_MAXUINT || other == G_MAXUINT || own < other)
        return FALSE;
      if (other < own)
        return TRUE;
    }
  return FALSE;
}

static gboolean may_be_least (const Search *search) {
  for (guint i = 0; i < search->pair->n_symmetries; i++)
    if (is_beaten_by (search, &search->pair->symmetries[i]))
      return FALSE;
  return TRUE;
}

static void set_labels (const Search *search, const SynthSide *side) {
  RspLabel labels[RSP_SHAPE_EVENTS][SYNTH_MAX_LABELS];
  const RspLabel *lists[RSP_SHAPE_EVENTS];
  guint n[RSP_SHAPE_EVENTS] = { 0 };
  RspLabelling labelling;
  for (guint e = 0; e < side->shape->n_events; e++) {
    guint variable = side->variable[e];
    for (guint64 left = search->domain[variable]; left; left &= left - 1)
      labels[e][n[e]++] = side->labels[variable][__builtin_ctzll (left)];
    lists[e] = labels[e];
  }
  rsp_labelling_set (&labelling, side->shape, lists, n);
  rsp_judge_set_labels (side->judge, &labelling);
}

/* ---- Verdicts ---- */

static void judge_side (Search *search, guint depth, guint s) {
  const SynthSide *side = &search->pair->sides[s];
  const Unsettled *before = &search->unsettled[depth][s];
  Unsettled *after = &search->unsettled[depth + 1][s];
  after->n = 0;
  if (!side->judge)
    return;
  set_labels (search, side);
  for (guint i = 0; i < before->n; i++) {
    guint c = before->list[i];
    RspVerdict verdict = rsp_judge_candidate (side->judge, &side->candidates->list[c]);
    search->verdicts[s][c] = verdict;
    if (verdict.allowed == RSP_OPEN || verdict.undefined == RSP_OPEN)
      after->list[after->n++] = c;
  }
  search->pair->failed |= rsp_judge_failed (side->judge);
}

/* At the root: candidates that no labelling allows are not considered again. */
static void keep_alive (Search *search, guint s) {
  guint kept = 0;
  for (guint i = 0; i < search->n_alive[s]; i++)
    if (search->verdicts[s][search->alive[s][i]].allowed != RSP_FAILS)
      search->alive[s][kept++] = search->alive[s][i];
  search->n_alive[s] = kept;
}

static void sum_up_side (Search *search, guint s) {
  const SynthSide *side = &search->pair->sides[s];
  guint8 *sums[] = { search->surely[s], search->maybe[s], search->surely_undefined[s],
                     search->maybe_undefined[s], search->maybe_defined[s] };
  for (guint i = 0; i < G_N_ELEMENTS (sums); i++)
    memset (sums[i], 0, search->pair->n_outcomes);
  search->undefined[s] = RSP_FAILS;
  for (guint i = 0; i < search->n_alive[s]; i++) {
    guint c = search->alive[s][i];
    RspVerdict verdict = search->verdicts[s][c];
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

/* What an outcome shows that only one side allows in a defined execution, or in an undefined one.
 */
static guint shown_by (guint side, gboolean only, gboolean undefined) {
  guint shown = 0;
  if (only)
    shown |= side ? SYNTH_ONLY_SECOND : SYNTH_ONLY_FIRST;
  if (undefined)
    shown |= side ? SYNTH_UNDEFINED_SECOND : SYNTH_UNDEFINED_FIRST;
  return shown;
}

/* The same where executions are undefined, not programs. */
static guint possible_by_outcome (const Search *search) {
  guint found = 0;
  for (guint o = 0; o < search->pair->n_outcomes; o++)
    for (guint s = 0; s < 2; s++) {
      gboolean only = search->maybe_defined[s][o] && !search->surely[1 - s][o];
      gboolean undefined = search->maybe_undefined[s][o] && !search->surely_undefined[1 - s][o];
      found |= shown_by (s, only, undefined);
    }
  return found;
}

/* The disagreements that some labelling left may show. */
static guint possible (const Search *search) {
  guint found = 0;
  gboolean undefined[2], defined[2];
  for (guint s = 0; s < 2; s++) {
    undefined[s] = search->undefined[s] != RSP_FAILS;
    defined[s] = search->undefined[s] != RSP_HOLDS;
  }
  if (undefined[0] && defined[1])
    found |= SYNTH_UNDEFINED_FIRST;
  if (undefined[1] && defined[0])
    found |= SYNTH_UNDEFINED_SECOND;
  if (!defined[0] || !defined[1])
    return found;
  for (guint o = 0; o < search->pair->n_outcomes; o++) {
    if (search->maybe[0][o] && !search->surely[1][o])
      found |= SYNTH_ONLY_FIRST;
    if (search->maybe[1][o] && !search->surely[0][o])
      found |= SYNTH_ONLY_SECOND;
  }
  return found;
}

guint synth_evidence_of (const SynthEvidence *evidence, guint outcome) {
  guint shown = 0;
  for (guint s = 0; s < 2; s++) {
    gboolean only = evidence->defined_in[s][outcome] && !evidence->allowed[1 - s][outcome];
    gboolean undefined
        = evidence->undefined_in[s][outcome] && !evidence->undefined_in[1 - s][outcome];
    shown |= shown_by (s, only, undefined);
  }
  return shown;
}

/* Do both sides compute the same from what is open? They can be compared if they have one shape
 * and the labels that are open are the same on both. */
static gboolean same_function (const Search *search) {
  const SynthPair *pair = search->pair;
  const SynthSide *a = &pair->sides[0], *b = &pair->sides[1];
  if (a->shape != b->shape || !a->judge || !b->judge)
    return FALSE;
  for (guint v = 0; v < pair->n_variables; v++)
    if (a->labels[v] != b->labels[v] && decided_value (search, v, SYNTH_ATTRIBUTES) == G_MAXUINT)
      return FALSE;
  return rsp_judge_agrees (a->judge, b->judge);
}

/* ---- The search ---- */

static gboolean visit (Search *search, guint disagreements) {
  SynthEvidence evidence = { .disagreements = disagreements };
  for (guint v = 0; v < search->pair->n_variables; v++)
    evidence.choice[v] = (guint8) __builtin_ctzll (search->domain[v]);
  for (guint s = 0; s < 2; s++) {
    evidence.allowed[s] = search->surely[s];
    evidence.defined_in[s] = search->maybe_defined[s]; /* nothing is open */
    evidence.undefined_in[s] = search->surely_undefined[s];
    evidence.undefined[s] = search->undefined[s] == RSP_HOLDS;
  }
  return search->pair->visit (search->pair->data, &evidence);
}

/* The first attribute and variable that are open. FALSE: none. */
static gboolean next_decision (const Search *search, guint *attribute, guint *variable) {
  for (*attribute = 0; *attribute <= SYNTH_ATTRIBUTES; ++*attribute)
    for (*variable = 0; *variable < search->pair->n_variables; ++*variable)
      if (decided_value (search, *variable, *attribute) == G_MAXUINT)
        return TRUE;
  return FALSE;
}

static gboolean explore (Search *search, guint depth);

/* Each value of the attribute in turn. */
static gboolean branch (Search *search, guint depth, guint attribute, guint variable) {
  guint64 all = search->domain[variable], left = all;
  gboolean going_on = TRUE;
  while (left && going_on) {
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

static gboolean explore (Search *search, guint depth) {
  SynthPair *pair = search->pair;
  guint attribute, variable;
  if (!may_be_least (search))
    return TRUE;
  for (guint s = 0; s < 2; s++) {
    judge_side (search, depth, s);
    if (depth == 0)
      keep_alive (search, s);
    sum_up_side (search, s);
  }
  if (pair->failed || (pair->stop && g_atomic_int_get (pair->stop)))
    return FALSE;
  guint disagreements = pair->by_outcome ? possible_by_outcome (search) : possible (search);
  if (!(disagreements & pair->sought) || same_function (search))
    return TRUE;
  if (pair->look && !pair->look (pair->data, search->domain, search->surely[0]))
    return TRUE;
  if (next_decision (search, &attribute, &variable))
    return branch (search, depth, attribute, variable);
  return visit (search, disagreements);
}

static void prepare (Search *search) {
  const SynthPair *pair = search->pair;
  for (guint v = 0; v < pair->n_variables; v++)
    search->domain[v] = pair->n_choices[v] == SYNTH_MAX_LABELS
                            ? G_MAXUINT64
                            : (G_GUINT64_CONSTANT (1) << pair->n_choices[v]) - 1;
  for (guint s = 0; s < 2; s++) {
    guint n = pair->sides[s].candidates->n;
    search->verdicts[s] = g_new0 (RspVerdict, n);
    for (guint c = 0; c < n && !pair->sides[s].judge; c++)
      search->verdicts[s][c] = (RspVerdict){ RSP_HOLDS, RSP_FAILS };
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
}

static void release (Search *search) {
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
}

gboolean synth_pair_search (SynthPair *pair) {
  g_autofree Search *search = g_new0 (Search, 1);
  search->pair = pair;
  prepare (search);
  gboolean complete = explore (search, 0);
  release (search);
  return complete;
}
