#include "synth/edits/versions/witness.h"
#include "model/stage/template/template.h"
#include "parser/litmus/parse.h"
#include "synth/edits/versions/follow.h"
#include "synth/edits/versions/spread.h"
#include "synth/edits/version.h"

#include <string.h>

enum {
  MOST_TRIALS = 16 /* those that served last; the others are forgotten */
};

struct SynthWitnesses {
  const RspProgram *program;
  const GPtrArray *sites;
  const RspModel *model;
  RspCheckOptions options;
  RspArena *arena;              /* of the model */
  const RspStagedModel *staged; /* NULL: executions cannot be followed */
  RspCombinations *own;         /* the test's paths; NULL: not needed so far */
  GPtrArray *edits;             /* of SynthEdit: all */
  GPtrArray *trials;            /* of Trial, the one that served last first */
  GPtrArray *list; /* per site, levels, 1 << level, that do not help together: of guint8 * */
};

/* ---- Edits ---- */

static void free_edit (gpointer data) {
  SynthEdit *edit = data;
  rsp_combinations_free (edit->combinations);
  rsp_program_free (edit->program);
  g_array_unref (edit->pieces);
  g_free (edit);
}

/* Not added if the version cannot be parsed: then it is no repair. */
static void add_edit (SynthWitnesses *witnesses, guint site, guint level) {
  g_autofree guint8 *levels = rsp_synth_own_levels (witnesses->sites);
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  levels[site] = (guint8) level;
  char *text = rsp_synth_version_text (witnesses->program, witnesses->sites, levels);
  RspSource *source = rsp_source_new (witnesses->program->source->name, text, strlen (text));
  RspProgram *program = rsp_litmus_parse (source, FALSE, unheard);
  rsp_source_unref (source);
  if (!program)
    return;
  SynthEdit *edit = g_new (SynthEdit, 1);
  *edit = (SynthEdit){ .site = site,
                       .level = level,
                       .pieces = rsp_synth_version_pieces (witnesses->sites, levels),
                       .program = program,
                       .combinations
                       = rsp_combinations_open (program, witnesses->model, &witnesses->options) };
  g_ptr_array_add (witnesses->edits, edit);
}

static void prepare (SynthWitnesses *witnesses) {
  if (witnesses->own)
    return;
  witnesses->own
      = rsp_combinations_open (witnesses->program, witnesses->model, &witnesses->options);
  for (guint i = 0; i < witnesses->sites->len; i++) {
    const SynthSite *site = witnesses->sites->pdata[i];
    for (guint level = 0; level < site->n_levels; level++)
      if (level != site->own)
        add_edit (witnesses, i, level);
  }
}

/* ---- One execution ---- */

/* An execution, which is tried on further versions. */
typedef struct Trial {
  RspArena *arena;
  SynthSpread *spread;
  char *flag;    /* or NULL */
  guint8 *found; /* what does not help, of the last version that it was tried on: of SynthMade, per
                    edit */
} Trial;

static void free_trial (gpointer data) {
  Trial *trial = data;
  rsp_arena_free (trial->arena);
  g_free (trial->flag);
  g_free (trial->found);
  g_free (trial);
}

/* The test's paths that the execution takes in its version; FALSE if there is one that cannot be
 * found. */
static gboolean find_paths (const SynthWitnesses *witnesses, const RspExecution *execution,
                            const GArray *pieces, const RspPath **paths) {
  GPtrArray *const *all = rsp_combinations_all_paths (witnesses->own);
  for (guint t = 0; t < witnesses->program->n_threads; t++) {
    paths[t] = synth_find_in_test (all[t], execution->pre->paths[t], pieces);
    if (!paths[t])
      return FALSE;
  }
  return TRUE;
}

/* Per event of the version's execution: its number in rf and co of the spread, or G_MAXUINT for an
 * added fence. */
static guint *number_events (const SynthSpread *spread, const RspExecution *execution,
                             const RspPath *const *paths, const GArray *pieces) {
  const RspPreExecution *pre = execution->pre;
  guint *numbers = g_new (guint, pre->n + 1);
  for (guint e = 0; e < pre->first[0]; e++)
    numbers[e] = e;
  for (guint t = 0; t < pre->program->n_threads; t++) {
    g_autofree guint *map = g_new (guint, pre->paths[t]->n_events + 1);
    synth_paths_agree (paths[t], pre->paths[t], pieces, map);
    for (guint e = 0; e < pre->paths[t]->n_events; e++)
      numbers[pre->first[t] + e]
          = map[e] == G_MAXUINT ? G_MAXUINT : synth_spread_event (spread, t, map[e]);
  }
  return numbers;
}

static RspMatrix *move_pairs (const RspMatrix *pairs, const guint *numbers, guint n,
                              RspArena *arena) {
  RspMatrix *moved = rsp_relation_new (arena, n);
  for (guint a = 0; a < pairs->n; a++)
    for (all_bits (b, rsp_matrix_row (pairs, a), pairs->words))
      rsp_matrix_add (moved, numbers[a], numbers[b]);
  return moved;
}

/* NULL if it cannot be followed. */
static SynthSpread *spread_execution (const SynthWitnesses *witnesses,
                                      const RspExecution *execution, const guint8 *levels,
                                      RspArena *arena) {
  g_autoptr (GArray) pieces = rsp_synth_version_pieces (witnesses->sites, levels);
  const RspPath **paths
      = rsp_arena_new0 (arena, const RspPath *, witnesses->program->n_threads + 1);
  if (!find_paths (witnesses, execution, pieces, paths))
    return NULL;
  SynthSpread *spread
      = synth_spread_new (witnesses->program, witnesses->staged, paths, witnesses->edits, arena);
  if (!spread)
    return NULL;
  g_autofree guint *numbers = number_events (spread, execution, paths, pieces);
  guint n = synth_spread_n (spread);
  synth_spread_set_execution (spread, move_pairs (execution->rf, numbers, n, arena),
                              move_pairs (execution->co, numbers, n, arena));
  return spread;
}

/* ---- What does not help ---- */

static gboolean is_certain (const Trial *trial, const guint8 *made) {
  return synth_spread_is_certain (trial->spread, made, trial->flag);
}

/* Lets the edits [from, to) that are not made be made, too: those that may be in `like`; NULL: all.
 * FALSE, and nothing has changed, if they help together. */
static gboolean allow (const Trial *trial, guint8 *made, guint from, guint to, const guint8 *like) {
  g_autofree guint8 *before = g_memdup2 (made + from, to - from);
  for (guint i = from; i < to; i++)
    if (made[i] == SYNTH_IS_NOT_MADE
        && (like ? like[i] == SYNTH_MAY_BE_MADE : synth_spread_knows (trial->spread, i)))
      made[i] = SYNTH_MAY_BE_MADE;
  if (from == to || is_certain (trial, made))
    return TRUE;
  memcpy (made + from, before, to - from);
  return FALSE;
}

/* As many as do not help, by halves. */
static void allow_most (const Trial *trial, guint8 *made, guint from, guint to) {
  guint middle = from + (to - from) / 2;
  if (allow (trial, made, from, to, NULL) || to - from == 1)
    return;
  allow_most (trial, made, from, middle);
  allow_most (trial, made, middle, to);
}

/* The levels of edits that are made replace others, and those of edits that may be made are added.
 */
static void admit (const SynthWitnesses *witnesses, const guint8 *made, SynthMade how,
                   guint8 *admitted) {
  for (guint i = 0; i < witnesses->edits->len; i++) {
    const SynthEdit *edit = witnesses->edits->pdata[i];
    guint8 level = (guint8) (1 << edit->level), *all = &admitted[edit->site];
    if (made[i] == how)
      *all = how == SYNTH_IS_MADE ? level : *all | level;
  }
}

static void keep (SynthWitnesses *witnesses, const guint8 *made) {
  guint8 *admitted = rsp_synth_own_levels (witnesses->sites);
  for (guint i = 0; i < witnesses->sites->len; i++)
    admitted[i] = (guint8) (1 << admitted[i]);
  admit (witnesses, made, SYNTH_MAY_BE_MADE, admitted);
  admit (witnesses, made, SYNTH_IS_MADE, admitted);
  g_ptr_array_add (witnesses->list, admitted);
}

/* The edits of the version; FALSE if the trial's execution cannot be followed through one. */
static gboolean make_version (const SynthWitnesses *witnesses, const Trial *trial,
                              const guint8 *levels, guint8 *made) {
  for (guint i = 0; i < witnesses->edits->len; i++) {
    const SynthEdit *edit = witnesses->edits->pdata[i];
    if (levels[edit->site] != edit->level)
      continue;
    made[i] = SYNTH_IS_MADE;
    if (!synth_spread_knows (trial->spread, i))
      return FALSE;
  }
  return TRUE;
}

/* Does the execution rule the version out? Then it is remembered what else does not help: which of
 * its edits are not needed for that, and which of the others do not matter. */
static gboolean try_on (SynthWitnesses *witnesses, Trial *trial, const guint8 *levels) {
  guint n = witnesses->edits->len;
  g_autofree guint8 *made = g_new0 (guint8, n + 1);
  if (!make_version (witnesses, trial, levels, made) || !is_certain (trial, made))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (made[i] == SYNTH_IS_MADE) {
      made[i] = SYNTH_MAY_BE_MADE;
      if (!is_certain (trial, made))
        made[i] = SYNTH_IS_MADE;
    }
  /* The same edits as last time mostly do not help again. */
  if (!trial->found || !allow (trial, made, 0, n, trial->found))
    allow_most (trial, made, 0, n);
  keep (witnesses, made);
  g_free (trial->found);
  trial->found = g_memdup2 (made, n + 1);
  return TRUE;
}

void synth_witnesses_add (SynthWitnesses *witnesses, const guint8 *levels,
                          const RspExecution *execution, const char *flag) {
  if (!witnesses->staged)
    return;
  prepare (witnesses);
  Trial *trial = g_new (Trial, 1);
  *trial = (Trial){ .arena = rsp_arena_new (), .flag = g_strdup (flag) };
  trial->spread = spread_execution (witnesses, execution, levels, trial->arena);
  if (!trial->spread || !try_on (witnesses, trial, levels)) {
    free_trial (trial);
    return;
  }
  g_ptr_array_insert (witnesses->trials, 0, trial);
  if (witnesses->trials->len > MOST_TRIALS)
    g_ptr_array_set_size (witnesses->trials, MOST_TRIALS);
}

static gboolean is_known (SynthWitnesses *witnesses, const guint8 *levels) {
  for (guint i = witnesses->list->len; i-- > 0;) {
    guint8 *admitted = witnesses->list->pdata[i];
    guint site = 0;
    while (site < witnesses->sites->len && admitted[site] >> levels[site] & 1)
      site++;
    if (site < witnesses->sites->len)
      continue;
    g_ptr_array_add (witnesses->list, g_ptr_array_steal_index (witnesses->list, i));
    return TRUE;
  }
  return FALSE;
}

gboolean synth_witnesses_refute (SynthWitnesses *witnesses, const guint8 *levels) {
  if (is_known (witnesses, levels))
    return TRUE;
  for (guint i = 0; i < witnesses->trials->len; i++)
    if (try_on (witnesses, witnesses->trials->pdata[i], levels)) {
      g_ptr_array_insert (witnesses->trials, 0, g_ptr_array_steal_index (witnesses->trials, i));
      return TRUE;
    }
  return FALSE;
}

/* ---- Beginning and end ---- */

/* Of models that choose orders, or see only a part of coherence, an execution has more to follow;
 * in languages with tags, edits also change relations. */
static const RspStagedModel *stage (const SynthWitnesses *witnesses) {
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  RspStageOptions options = { .skipped_checks = witnesses->options.skipped_checks };
  if (witnesses->program->language->tagged || witnesses->options.through != RSPCHECK_THROUGH_NONE)
    return NULL;
  const RspStagedModel *staged = rsp_model_stage_open (
      witnesses->model, witnesses->program->language, &options, witnesses->arena, unheard);
  if (staged && (staged->n_orders || !staged->sees_co)) {
    rsp_dag_free (staged->dag);
    staged = NULL;
  }
  return staged;
}

SynthWitnesses *synth_witnesses_new (const RspProgram *program, const GPtrArray *sites,
                                     const RspModel *model, const RspCheckOptions *options) {
  SynthWitnesses *witnesses = g_new0 (SynthWitnesses, 1);
  *witnesses = (SynthWitnesses){ .program = program,
                                 .sites = sites,
                                 .model = model,
                                 .options = *options,
                                 .arena = rsp_arena_new (),
                                 .edits = g_ptr_array_new_with_free_func (free_edit),
                                 .trials = g_ptr_array_new_with_free_func (free_trial),
                                 .list = g_ptr_array_new_with_free_func (g_free) };
  witnesses->options.spin = RSPCHECK_SPIN_ALL;
  witnesses->staged = stage (witnesses);
  return witnesses;
}

void synth_witnesses_free (SynthWitnesses *witnesses) {
  if (!witnesses)
    return;
  if (witnesses->staged)
    rsp_dag_free (witnesses->staged->dag);
  rsp_arena_free (witnesses->arena);
  rsp_combinations_free (witnesses->own);
  g_ptr_array_unref (witnesses->trials);
  g_ptr_array_unref (witnesses->edits);
  g_ptr_array_unref (witnesses->list);
  g_free (witnesses);
}
