/* Is a mapping, or a rewriting, right for all programs? */
#include "base/base.h"
#include "parser/litmus/litmus.h"
#include "parser/map/map.h"
#include "extra/synth/internal.h"
#include "extra/synth/synth.h"

#include <stdlib.h>
#include <string.h>

/* ---- Rewrites ------------------------------------------------------------------------------- */

/* Rewrites: the smallest defined programs that a compiler's transformation of a thread gives a new
 * outcome, or makes undefined. (Vafeiadis, Balabonski, Chakraborty,
 * Morisset, Zappa Nardelli, "Common compiler optimisations are invalid in the C11 memory model and
 * what we can do about it", POPL 2015, has the list.) */

enum { REORDER = 1, MERGE = 2, DEAD = 4, FORWARD = 8, STRENGTHEN = 16, SEQUENTIALISE = 32 };

typedef struct Rewrites {
  SynthWork *work;
  const RspShape *shape;
  const SynthSymmetry *symmetries;
  guint n_symmetries;
} Rewrites;

static gboolean compare_rewritten (Rewrites *r, SynthEdit *edit, guint kind, const char *text,
                                   guint touched) {
  if (!synth_is_least_set (r->shape, r->symmetries, r->n_symmetries, touched))
    return TRUE;
  edit->kind_outcome = edit->kind_undefined = kind;
  edit->text = text;
  return synth_compare (r->work, edit, r->symmetries, r->n_symmetries, touched);
}

static gboolean same_location (const RspShape *shape, guint a, guint b) {
  const RspShapeEvent *x = &shape->events[a], *y = &shape->events[b];
  return rsp_shape_is_access (x) && rsp_shape_is_access (y) && x->location == y->location;
}

/* Are both under the same branch, or under none? */
static gboolean same_guard (const RspShape *shape, guint a, guint b) {
  const RspShapeEvent *x = &shape->events[a], *y = &shape->events[b];
  return x->guard == y->guard && x->guard_value == y->guard_value;
}

/* Is there a branch on what the event reads or writes? */
static gboolean decides_branch (const RspShape *shape, guint event) {
  for (guint e = 0; e < shape->n_events; e++)
    if (shape->events[e].guard
        && (shape->events[e].guard == event + 1 || shape->events[e].guard_value == event))
      return TRUE;
  return FALSE;
}

/* Exchanges events e and e + 1 of one thread, if they are independent. */
static gboolean reorder (Rewrites *r, guint e) {
  SynthEdit edit;
  RspShape after = *r->shape;
  const RspShapeEvent *first = &r->shape->events[e], *second = first + 1;
  guint8 names[RSP_SHAPE_EVENTS] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  g_autofree char *text = g_strdup_printf ("P%u's operations %u and %u of the program reordered",
                                           after.events[e].thread, e + 1, e + 2);
  if (same_location (r->shape, e, e + 1)
      || (first->kind == RSP_EVENT_FENCE && second->kind == RSP_EVENT_FENCE)
      || rsp_shape_is_barrier (first) || rsp_shape_is_barrier (second)
      || !same_guard (r->shape, e, e + 1) || second->addr == e + 1 || second->data == e + 1
      || second->guard == e + 1)
    return TRUE;
  synth_edit_init (&edit, r->shape, &after);
  after.events[e] = *second;
  after.events[e + 1] = *first;
  names[e] = edit.from[e] = (guint8) (e + 1);
  names[e + 1] = edit.from[e + 1] = (guint8) e;
  rsp_synth_rename_dependencies (&after, names);
  return compare_rewritten (r, &edit, REORDER, text, 3u << e);
}

/* Removes event `gone`, a neighbour of event `by`. copied: it reads what `by` reads or writes; what
 * depends on it then depends on `by`. */
static gboolean eliminate (Rewrites *r, guint gone, guint by, gboolean copied, guint kind,
                           const char *what) {
  SynthEdit edit;
  SynthRemoval removal;
  RspShape shape = *r->shape;
  guint8 names[RSP_SHAPE_EVENTS] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  g_autofree char *text = g_strdup_printf ("%s in P%u: operation %u of the program is gone", what,
                                           shape.events[gone].thread, gone + 1);
  if (!same_guard (&shape, gone, by) || shape.events[gone].addr != shape.events[by].addr)
    return TRUE;
  if (copied) {
    names[gone] = (guint8) by;
    rsp_synth_rename_dependencies (&shape, names);
  } else if (decides_branch (&shape, gone))
    return TRUE;
  rsp_synth_remove_event (&shape, gone, &removal);
  synth_edit_init (&edit, r->shape, &removal.shape);
  memcpy (edit.from, removal.event, sizeof edit.from);
  if (copied)
    edit.copies[gone] = (guint8) by;
  edit.same_label[gone] = (guint8) by;
  return compare_rewritten (r, &edit, kind, text, 1u << gone | 1u << by);
}

/* Forwards the store to the load after it. The load is plain or relaxed (dropping an acquire is
 * another matter), neither is under a branch, and no branch depends on the load. */
static gboolean forward_store (Rewrites *r, guint store) {
  const SynthSpace *space = r->work->space;
  SynthEdit edit;
  SynthRemoval removal;
  guint load = store + 1;
  g_autofree char *text
      = g_strdup_printf ("store forwarded to load in P%u: operation %u of the program is gone",
                         r->shape->events[load].thread, load + 1);
  if (r->shape->events[store].guard || r->shape->events[load].guard
      || decides_branch (r->shape, load))
    return TRUE;
  rsp_synth_remove_event (r->shape, load, &removal);
  synth_edit_init (&edit, r->shape, &removal.shape);
  memcpy (edit.from, removal.event, sizeof edit.from);
  edit.copies[load] = (guint8) store;
  edit.event = load;
  edit.labels_before = edit.labels_after = space->labels[SYNTH_LOAD];
  while (edit.n_labels < space->n_labels[SYNTH_LOAD]
         && space->labels[SYNTH_LOAD][edit.n_labels].order <= RSP_ORDER_RELAXED)
    edit.n_labels++;
  return edit.n_labels == 0 || compare_rewritten (r, &edit, FORWARD, text, 3u << store);
}

/* Moves thread t's events to the end of thread s, and leaves thread t empty. Work-items that wait
 * for each other cannot become one. */
static gboolean sequentialise (Rewrites *r, guint s, guint t) {
  SynthEdit edit;
  const RspShape *shape = r->shape;
  RspShape after = *shape;
  guint8 names[RSP_SHAPE_EVENTS];
  guint n = 0, touched = 0;
  g_autofree char *text = g_strdup_printf ("P%u sequentialised after P%u", t, s);
  if (r->work->space->opencl && !rsp_shape_share (shape, s, t, RSP_LEVEL_WORK_GROUP))
    return TRUE;
  for (guint e = 0; e < shape->n_events; e++)
    if (rsp_shape_is_barrier (&shape->events[e])
        && (shape->events[e].thread == s || shape->events[e].thread == t))
      return TRUE;
  synth_edit_init (&edit, shape, &after);
  memset (names, 0xff, sizeof names);
  for (guint thread = 0; thread < shape->n_threads; thread++)
    for (guint part = 0; part < 2; part++) /* its own events, then those of t */
      for (guint8 e = 0; e < shape->n_events; e++) {
        gboolean own = shape->events[e].thread == thread && thread != t && part == 0;
        gboolean moved = shape->events[e].thread == t && thread == s && part == 1;
        if (!own && !moved)
          continue;
        names[e] = (guint8) n;
        edit.from[n] = e;
        after.events[n] = shape->events[e];
        after.events[n++].thread = (guint8) thread;
        touched |= thread == s ? 1u << e : 0;
      }
  rsp_synth_rename_dependencies (&after, names);
  return compare_rewritten (r, &edit, SEQUENTIALISE, text, touched);
}

static gboolean search_rewrites (SynthWork *work, const RspShape *shape,
                                 const SynthSymmetry *symmetries, guint n_symmetries) {
  Rewrites r = { work, shape, symmetries, n_symmetries };
  for (guint e = 0; e + 1 < shape->n_events; e++) {
    RspEventKind first = shape->events[e].kind, second = shape->events[e + 1].kind;
    gboolean going_on = TRUE;
    if (shape->events[e].thread != shape->events[e + 1].thread)
      continue;
    if (!reorder (&r, e))
      return FALSE;
    if (!same_location (shape, e, e + 1))
      continue;
    if (first == RSP_EVENT_READ && second == RSP_EVENT_READ)
      going_on = eliminate (&r, e + 1, e, TRUE, MERGE, "equal loads merged");
    else if (first == RSP_EVENT_WRITE && second == RSP_EVENT_WRITE)
      going_on = eliminate (&r, e, e + 1, FALSE, DEAD, "dead store dropped");
    else if (first == RSP_EVENT_WRITE && second == RSP_EVENT_READ)
      going_on = forward_store (&r, e);
    if (!going_on)
      return FALSE;
  }
  for (guint s = 0; s < shape->n_threads; s++)
    for (guint t = 0; t < shape->n_threads; t++)
      if (s != t && !sequentialise (&r, s, t))
        return FALSE;
  return synth_monotone_steps (work, shape, symmetries, n_symmetries, STRENGTHEN, STRENGTHEN);
}

const SynthQuestion rsp_synth_rewrites
    = { "rewrites",
        1,
        6,
        FALSE,
        FALSE,
        FALSE,
        { "reorder", "merge loads", "drop a dead store", "forward a store", "strengthen",
          "sequentialise threads" },
        search_rewrites };

/* ---- Compile -------------------------------------------------------------------------------- */

/* Compile: the smallest programs whose translation, to another language or to a machine, allows an
 * outcome that the source forbids. (Wickerson, Batty, Sorensen, Constantinides, "Automatically
 * comparing memory consistency models", POPL 2017, section 6; here the target's executions come
 * from a search of the translated test.)
 *
 * The source's judge leaves out programs that are undefined, or in which every outcome is allowed.
 * Of each program that is left the translation's outcomes under the target's model are found. */

/* ---- The target ---- */
static const RspMapRow *find_row (const RspMap *map, const SynthSpace *space, SynthKind kind,
                                  const RspLabel *label) {
  ColumnsInstruction instruction;
  const RspWords *all = &space->words;
  guint32 word = label->word ? 1u << (label->word - 1) : 0;
  if (map->source) /* mappings between languages have no scopes of a model's own */
    return !rsp_scope_is_own (all, label->scope)
                   && rsp_synth_decode (map->source->id, kind, label, &instruction)
               ? rsp_map_find_spelled (map, instruction.spelling, all, word)
               : NULL;
  static const RspMapOperation operations[] = { [SYNTH_LOAD] = RSP_MAP_LOAD,
                                                [SYNTH_STORE] = RSP_MAP_STORE,
                                                [SYNTH_EXCHANGE] = RSP_MAP_RMW,
                                                [SYNTH_FENCE] = RSP_MAP_FENCE,
                                                [SYNTH_BARRIER] = RSP_MAP_BARRIER };
  gboolean is_fence = kind == SYNTH_BARRIER && !map->target; /* on machines: the barrier's halves */
  RspMapOperation operation = is_fence ? RSP_MAP_FENCE : operations[kind];
  RspOrder order = kind == SYNTH_BARRIER ? RSP_ORDER_ACQ_REL : (RspOrder) label->order;
  return rsp_map_find (map, operation, order, (RspScope) label->scope, all, word);
}

gboolean rsp_synth_target_restrict (const RspMap *map, SynthSpace *space,
                                    RspDiagnostics *diagnostics) {
  const RspLanguage *language = &rsp_languages[space->language];
  if (language->tagged ? map->source != language : map->source != NULL) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "the mapping %s is not for programs of %s",
               map->name, language->tagged ? language->word : "OpenCL and C");
    return FALSE;
  }
  for (guint kind = 0; kind < SYNTH_KINDS; kind++) {
    guint kept = 0;
    for (guint i = 0; i < space->n_labels[kind]; i++)
      if (find_row (map, space, (SynthKind) kind, &space->labels[kind][i]))
        space->labels[kind][kept++] = space->labels[kind][i];
    space->n_labels[kind] = kept;
    if (!kept)
      space->kinds &= ~(1u << kind);
  }
  return TRUE;
}

/* NULL after an error, which is reported in diagnostics. The caller frees *program after the
 * outcome. */
static RspOutcome *check_translated (const SynthTarget *target, const char *test,
                                     const RspCheckOptions *options, RspProgram **program,
                                     RspProgram *translated, RspDiagnostics *diagnostics) {
  g_autoptr (RspSource) source = rsp_source_new ("synthesis", g_strdup (test), strlen (test));
  *program = rsp_litmus_parse (source, FALSE, diagnostics);
  if (!*program)
    return NULL;
  RspOutcome *outcome;
  if (target->machine)
    outcome = target->machine->run (target->machine, target->map, *program,
                                    options->engine == RSPCHECK_ENGINE_NAIVE, diagnostics);
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
  GHashTable *numbers; /* an outcome as text, "0:r0=1 x=2", to its number + 1 */
} Compile;

/* Sorts the words, so that equal sets of words give equal texts. */
static char *join_sorted (char **words) {
  qsort (words, g_strv_length (words), sizeof *words, rsp_compare_names);
  return g_strjoinv (" ", words);
}

static gboolean judge_evidence (gpointer data, const SynthEvidence *evidence) {
  Compile *compile = data;
  g_autofree SynthFinding *finding = g_new0 (SynthFinding, 1);
  synth_choose (compile->work, compile->shape, evidence->choice, &finding->program);
  if (!g_hash_table_size (compile->numbers))
    for (guint o = 0; o < compile->candidates->n_outcomes; o++) {
      g_autofree char *text
          = rsp_synth_outcome_format (&finding->program, &compile->candidates->outcomes[o]);
      g_auto (GStrv) words = g_strsplit (text, " /\\ ", -1);
      g_hash_table_insert (compile->numbers, join_sorted (words), GUINT_TO_POINTER (o + 1));
    }
  /* Per outcome: does the target allow it? */
  const SynthProgram *program = &finding->program;
  SynthWork *work = compile->work;
  g_autofree guint8 *allowed = g_new0 (guint8, compile->candidates->n_outcomes + 1);
  g_autofree char *first = rsp_synth_outcome_format (program, compile->candidates->outcomes);
  /* The condition names what states must show. */
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
    g_auto (GStrv) words = g_new0 (char *, outcome->n_printed + 1);
    for (guint k = 0; k < outcome->n_printed; k++)
      words[k] = g_strdup_printf ("%s=%" G_GINT64_FORMAT,
                                  outcome->program->observables[outcome->printed[k]].name,
                                  rsp_outcome_value (outcome, &outcome->states[i], k).bits);
    g_autofree char *shown = join_sorted (words);
    guint number = GPOINTER_TO_UINT (g_hash_table_lookup (compile->numbers, shown));
    if (number)
      allowed[number - 1] = TRUE;
  }
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

static gboolean search_compile (SynthWork *work, const RspShape *shape,
                                const SynthSymmetry *symmetries, guint n_symmetries) {
  g_autoptr (RspCandidates) candidates = rsp_candidates_new (shape);
  g_autofree guint *common = synth_identity (candidates->n_outcomes);
  g_autoptr (GHashTable) numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Compile compile = { work, shape, candidates, numbers };
  SynthPair pair = { .n_variables = shape->n_events,
                     .n_outcomes = candidates->n_outcomes,
                     .symmetries = symmetries,
                     .n_symmetries = n_symmetries,
                     .sought = SYNTH_ONLY_SECOND,
                     .visit = judge_evidence,
                     .data = &compile };
  gboolean complete = synth_side_init (work, &pair, 0, 0, shape, candidates, common);
  pair.sides[1] = pair.sides[0];
  pair.sides[1].judge = NULL;
  complete = complete && synth_work_on (work, &pair);
  rsp_judge_free (pair.sides[0].judge);
  return complete;
}

const SynthQuestion rsp_synth_compile
    = { "compile",     1, 1, TRUE, FALSE, FALSE, { "the target allows what the source forbids" },
        search_compile };
