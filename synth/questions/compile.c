/* Compile: the smallest programs of which a mapping to another language, or to a machine, allows an
 * outcome that the source forbids. (Wickerson, Batty, Sorensen, Constantinides, "Automatically
 * comparing memory consistency models", POPL 2017, section 6, with the target's executions from the
 * search of the translated test.)
 *
 * The source's judge leaves out programs that are undefined, or in which every outcome is allowed.
 * Of each program that is left the translation's outcomes under the target's model are found, once
 * for all programs of a shape that have the same translation. */
#include "synth/questions/compile.h"
#include "base/names.h"
#include "parser/litmus/parse.h"
#include "parser/map/load.h"
#include "synth/programs/alphabet.h"
#include "synth/programs/print.h"
#include "synth/questions/question.h"

#include <stdlib.h>
#include <string.h>

/* ---- The target ---- */

/* NULL if there is none. */
static const RspMapRow *find_row (const RspMap *map, SynthKind kind, const RspLabel *label) {
  ColumnsInstruction instruction;
  if (map->source)
    return rsp_synth_decode (map->source->id, kind, label, &instruction)
               ? rsp_map_find_spelled (map, instruction.spelling)
               : NULL;
  static const RspMapOperation operations[] = { [SYNTH_LOAD] = RSP_MAP_LOAD,
                                                [SYNTH_STORE] = RSP_MAP_STORE,
                                                [SYNTH_EXCHANGE] = RSP_MAP_RMW,
                                                [SYNTH_FENCE] = RSP_MAP_FENCE,
                                                [SYNTH_BARRIER] = RSP_MAP_BARRIER };
  gboolean is_fence = kind == SYNTH_BARRIER && !map->target; /* each half of a machine's barrier */
  RspMapOperation operation = is_fence ? RSP_MAP_FENCE : operations[kind];
  RspOrder order = kind == SYNTH_BARRIER ? RSP_ORDER_ACQ_REL : (RspOrder) label->order;
  return rsp_map_find (map, operation, order, (RspScope) label->scope, label->remote);
}

static gboolean check_language (const RspMap *map, const SynthSpace *space,
                                RspDiagnostics *diagnostics) {
  const RspLanguage *language = &rsp_languages[space->language];
  if (language->tagged ? map->source == language : !map->source)
    return TRUE;
  rsp_error (diagnostics, RSP_NOWHERE, NULL, "the mapping %s is not for programs of %s", map->name,
             language->tagged ? language->word : "OpenCL and C");
  return FALSE;
}

gboolean rsp_synth_target_restrict (const RspMap *map, SynthSpace *space,
                                    RspDiagnostics *diagnostics) {
  if (!check_language (map, space, diagnostics))
    return FALSE;
  for (guint kind = 0; kind < SYNTH_KINDS; kind++) {
    guint kept = 0;
    for (guint i = 0; i < space->n_labels[kind]; i++)
      if (find_row (map, (SynthKind) kind, &space->labels[kind][i]))
        space->labels[kind][kept++] = space->labels[kind][i];
    space->n_labels[kind] = kept;
    if (!kept)
      space->kinds &= ~(1u << kind);
  }
  return TRUE;
}

static RspOutcome *run_machine (const SynthTarget *target, const RspProgram *program, gboolean full,
                                RspDiagnostics *diagnostics) {
  RspExploreOptions options = *target->machine;
  options.map = target->map;
  if (full)
    options.readings.reduction = REDUCTION_OFF;
  g_autoptr (RspExploration) run = rsp_exploration_new (program, &options, diagnostics);
  return g_steal_pointer (&run->outcome);
}

/* NULL after an error, which is reported in diagnostics. *program is freed with the outcome's. */
static RspOutcome *check_translated (const SynthTarget *target, const char *test,
                                     const RspCheckOptions *options, RspProgram **program,
                                     RspProgram *translated, RspDiagnostics *diagnostics) {
  g_autoptr (RspSource) source = rsp_source_new ("synthesis", g_strdup (test), strlen (test));
  *program = rsp_litmus_parse (source, FALSE, diagnostics);
  if (!*program)
    return NULL;
  gboolean is_naive = options->engine == RSPCHECK_ENGINE_NAIVE;
  RspOutcome *outcome;
  if (target->machine)
    outcome = run_machine (target, *program, is_naive, diagnostics);
  else {
    *translated = rsp_translation_apply (target->translation, *program);
    outcome = rsp_check (translated, target->model, options, diagnostics);
  }
  if (outcome->stop == RSPCHECK_STOP_COMPLETE || outcome->stop == RSPCHECK_STOP_FOUND)
    return outcome;
  rsp_outcome_free (outcome);
  return NULL;
}

gboolean rsp_synth_target_allows (const SynthTarget *target, const char *test,
                                  RspcheckEngine engine, gboolean *allows,
                                  RspDiagnostics *diagnostics) {
  RspCheckOptions options;
  rsp_check_options_init (&options);
  options.engine = engine;
  options.speedcheck = RSPCHECK_SPEED_FAST;
  g_autoptr (RspProgram) program = NULL;
  RspProgram translated;
  g_autoptr (RspOutcome) outcome
      = check_translated (target, test, &options, &program, &translated, diagnostics);
  *allows = outcome && rsp_outcome_may_hold (outcome);
  return outcome != NULL;
}

/* ---- One program ---- */

typedef struct Compile {
  SynthWork *work;
  const RspShape *shape;
  const RspCandidates *candidates;
  GHashTable *numbers; /* "0:r0=1 x=2": what an outcome shows, to its number + 1 */
  GHashTable
      *known; /* GBytes: a translation, to GBytes: per outcome whether the target allows it */
} Compile;

/* Sorts the words, so that equal ones make equal texts. */
static char *join_words (char **words) {
  qsort (words, g_strv_length (words), sizeof *words, rsp_compare_names);
  return g_strjoinv (" ", words);
}

static char *show_outcome (const SynthProgram *program, const RspShapeOutcome *outcome) {
  g_autofree char *text = rsp_synth_outcome_format (program, outcome);
  g_auto (GStrv) words = g_strsplit (text, " /\\ ", -1);
  return join_words (words);
}

static char *show_state (const RspOutcome *outcome, guint state) {
  g_auto (GStrv) words = g_new0 (char *, outcome->n_printed + 1);
  for (guint k = 0; k < outcome->n_printed; k++)
    words[k] = g_strdup_printf ("%s=%" G_GINT64_FORMAT,
                                outcome->program->observables[outcome->printed[k]].name,
                                rsp_outcome_value (outcome, &outcome->states[state], k).bits);
  return join_words (words);
}

static void number_outcomes (const Compile *compile, const SynthProgram *program) {
  for (guint o = 0; o < compile->candidates->n_outcomes; o++)
    g_hash_table_insert (compile->numbers,
                         show_outcome (program, &compile->candidates->outcomes[o]),
                         GUINT_TO_POINTER (o + 1));
}

/* Which outcomes the target allows. */
static GBytes *find_allowed (const Compile *compile, const SynthProgram *program) {
  SynthWork *work = compile->work;
  guint8 *allowed = g_new0 (guint8, compile->candidates->n_outcomes + 1);
  g_autofree char *first = rsp_synth_outcome_format (program, compile->candidates->outcomes);
  /* The condition names what states have to show. */
  g_autofree char *condition = g_strdup_printf (first[0] ? "(%s) \\/ true" : "%strue", first);
  g_autofree char *test = rsp_synth_program_print (program, work->space->opencl, NULL, condition);
  g_autoptr (RspProgram) parsed = NULL;
  RspProgram translated;
  RspCheckOptions options;
  rsp_check_options_init (&options);
  g_autoptr (RspOutcome) outcome
      = check_translated (work->target, test, &options, &parsed, &translated, work->diagnostics);
  work->failed |= !outcome;
  for (guint i = 0; outcome && i < outcome->n_states; i++) {
    g_autofree char *shown = show_state (outcome, i);
    guint number = GPOINTER_TO_UINT (g_hash_table_lookup (compile->numbers, shown));
    if (number)
      allowed[number - 1] = TRUE;
  }
  return g_bytes_new_take (allowed, compile->candidates->n_outcomes + 1);
}

/* What of an event its translation depends on, besides the shape. A machine's rows and steps look
 * at all of the label, a language's rows at what they match; where the source has instructions,
 * what one becomes is all. */
typedef struct Translated {
  const RspMapRow *row; /* a language's */
  const RspSequence *sequence;
  guint order, scope, remote;
} Translated;

static const RspSequence *find_sequence (const SynthTarget *target, SynthKind kind,
                                         const RspLabel *label) {
  ColumnsInstruction instruction;
  if (!rsp_synth_decode (target->map->source->id, kind, label, &instruction))
    return NULL;
  const RspMapped mapped = { .spelling = &instruction.spelling, .reach = instruction.reach };
  return rsp_translation_find (target->translation, &mapped);
}

static void translate (const Compile *compile, SynthKind kind, const RspLabel *label,
                       Translated *to) {
  const SynthTarget *target = compile->work->target;
  RspLabel own = *label;
  if (target->map->source) {
    to->sequence = find_sequence (target, kind, label);
    return;
  }
  gboolean plain = own.order == RSP_ORDER_NA;
  if (!target->machine && !compile->work->space->opencl && !plain)
    own.scope = RSP_SCOPE_ALL; /* as in enumerator/paths/call/translated.c */
  to->row = target->machine ? NULL : find_row (target->map, kind, &own);
  to->order = target->machine ? own.order : plain;
  to->scope = own.scope;
  to->remote = target->machine && own.remote;
}

/* Programs of the shape with equal keys have the same translation. */
static GBytes *translation_key (const Compile *compile, const SynthProgram *program) {
  Translated key[RSP_SHAPE_EVENTS];
  memset (key, 0, sizeof key); /* padding too */
  for (guint e = 0; e < compile->shape->n_events; e++)
    translate (compile, synth_kind (&compile->shape->events[e]), &program->labels[e], &key[e]);
  return g_bytes_new (key, compile->shape->n_events * sizeof key[0]);
}

static const guint8 *target_allows (const Compile *compile, const SynthProgram *program) {
  g_autoptr (GBytes) key = translation_key (compile, program);
  GBytes *allowed = g_hash_table_lookup (compile->known, key);
  if (!g_hash_table_size (compile->numbers))
    number_outcomes (compile, program);
  if (!allowed) {
    allowed = find_allowed (compile, program);
    g_hash_table_insert (compile->known, g_bytes_ref (key), allowed);
  }
  return g_bytes_get_data (allowed, NULL);
}

static gboolean take_evidence (gpointer data, const SynthEvidence *evidence) {
  Compile *compile = data;
  g_autofree SynthFinding *finding = g_new0 (SynthFinding, 1);
  synth_choose (compile->work, compile->shape, evidence->choice, &finding->program);
  const guint8 *allowed = target_allows (compile, &finding->program);
  guint o = 0, n = compile->candidates->n_outcomes;
  while (o < n && (evidence->allowed[0][o] || !allowed[o]))
    o++;
  if (o < n && !compile->work->failed) {
    finding->kinds = 1;
    finding->outcome = o;
    g_ptr_array_add (compile->work->found, g_steal_pointer (&finding));
  }
  return !compile->work->failed && !synth_target_is_enough (compile->work);
}

gboolean synth_target_is_enough (const SynthWork *work) {
  return work->target && work->target->first && work->found->len;
}

/* ---- One shape ---- */

static gboolean search (SynthWork *work, const RspShape *shape, const SynthSymmetry *symmetries,
                        guint n_symmetries) {
  g_autoptr (RspCandidates) candidates = rsp_candidates_new (shape);
  g_autofree guint *common = synth_identity (candidates->n_outcomes);
  g_autoptr (GHashTable) numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) known = g_hash_table_new_full (
      g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, (GDestroyNotify) g_bytes_unref);
  Compile compile = { work, shape, candidates, numbers, known };
  SynthPair pair = { .n_variables = shape->n_events,
                     .n_outcomes = candidates->n_outcomes,
                     .symmetries = symmetries,
                     .n_symmetries = n_symmetries,
                     .sought = SYNTH_ONLY_SECOND,
                     .visit = take_evidence,
                     .data = &compile };
  gboolean complete = synth_side_init (work, &pair, 0, 0, shape, candidates, common);
  pair.sides[1] = pair.sides[0];
  pair.sides[1].judge = NULL;
  complete = complete && synth_work_on (work, &pair);
  rsp_judge_free (pair.sides[0].judge);
  return complete;
}

const SynthQuestion rsp_synth_compile = {
  "compile", 1, 1, TRUE, FALSE, FALSE, { "the target allows what the source forbids" }, search
};
