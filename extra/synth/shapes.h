#pragma once

#include "enumerator/execution.h"
#include "enumerator/paths/paths.h"
#include "model/model.h"
#include "model/stage/stage.h"

/* ---- Shape ---------------------------------------------------------------------------------- */

/* Shapes: small programs before their labels.
 *
 * A shape has threads in a scope tree and per thread a sequence of loads, stores, exchanges, fences
 * and barriers on numbered locations; every write writes a different value, and every load goes to
 * a different register, which initially holds 0. An event may depend on loads before it: by its
 * address, by the value that it writes, or by a guard, a branch on the value read. A shape lacks
 * the labels: memory order, scope, remote or not (Label, below). Its candidate executions (rf and
 * co) do not depend on them, so they are listed once, and a model is staged once, for all programs
 * of the shape (judge.h); with guards, once for each combination of events that happen.
 *
 * An outcome is what the final state shows: the write that each load read, and the co-last write of
 * each location. Since all values differ, it determines rf. A load that does not happen leaves 0 in
 * its register, as if it had read the initial write; the reads of the guards determine which events
 * happen.
 *
 * A read-modify-write, and a barrier, is one event or two, as in the language. Of two, both have
 * the label of the first.
 *
 * Events are numbered as in a pre-execution: an initial write per location, then the threads'. */

enum {
  RSP_SHAPE_EVENTS = 8 /* limit of events, including initial writes */
};

typedef struct RspShapeEvent {
  RspEventKind
      kind; /* READ, WRITE, RMW (an exchange), FENCE, BARRIER; ENTRY and after it EXIT: a barrier */
  guint8 thread;
  guint8 location; /* READ, WRITE, RMW */
  guint8 address;  /* of these: by which of the location's virtual addresses, 0 or 1 */
  guint8 half;     /* READ and after it WRITE, of one location: boolean: an exchange */
  guint8 flags;    /* FENCE, ENTRY, EXIT, BARRIER: RSP_FENCE_… bits */
  /* Dependencies: 1 + the number of a READ or RMW before it in its thread; 0: none. */
  guint8 addr;  /* READ, WRITE, RMW: of its address */
  guint8 data;  /* WRITE, RMW: of the value written */
  guint8 guard; /* it happens only if this load reads the value that event guard_value writes */
  guint8 guard_value;
} RspShapeEvent;

typedef struct RspShapePlace {
  guint8 node[RSP_N_LEVELS]; /* numbers, unique over the tree */
} RspShapePlace;

typedef struct RspShape {
  RspLanguageId language; /* OpenCL stands for C too */
  guint n_threads, n_locations, n_events;
  RspShapePlace places[RSP_SHAPE_EVENTS]; /* per thread */
  RspShapeEvent events[RSP_SHAPE_EVENTS]; /* thread by thread, in program order */
  guint8 local[RSP_SHAPE_EVENTS];         /* per location: in local memory? */
  const RspWords *words; /* of the models that are compared, by number, and their levels */
} RspShape;

/* Is the scope a level of the models? */
static inline gboolean rsp_scope_is_own (const RspWords *words, guint scope) {
  return words && scope >= RSP_N_SCOPES && scope < RSP_N_ALL_SCOPES
         && rsp_words_level (words, rsp_scopes[scope].level);
}

static inline gboolean rsp_shape_is_read (const RspShapeEvent *event) {
  return event->kind == RSP_EVENT_READ || event->kind == RSP_EVENT_RMW;
}

static inline gboolean rsp_shape_is_write (const RspShapeEvent *event) {
  return event->kind == RSP_EVENT_WRITE || event->kind == RSP_EVENT_RMW;
}

static inline gboolean rsp_shape_is_access (const RspShapeEvent *event) {
  return rsp_shape_is_read (event) || rsp_shape_is_write (event);
}

/* Is it the second event of an operation, not one of its own? */
static inline gboolean rsp_shape_is_second (const RspShapeEvent *event) {
  return event->kind == RSP_EVENT_EXIT || (event->half && event->kind == RSP_EVENT_WRITE);
}

static inline gboolean rsp_shape_is_barrier (const RspShapeEvent *event) {
  return event->kind == RSP_EVENT_ENTRY || event->kind == RSP_EVENT_EXIT
         || event->kind == RSP_EVENT_BARRIER;
}

/* Are two threads in one node of a level? */
static inline gboolean rsp_shape_share (const RspShape *shape, guint a, guint b, RspLevel level) {
  return shape->places[a].node[level] == shape->places[b].node[level];
}

/* The number of an event of the shape among all events, initial writes first. */
static inline guint rsp_shape_event (const RspShape *shape, guint event) {
  return shape->n_locations + event;
}

/* ---- Candidates ----------------------------------------------------------------------------- */

/* The candidate executions of a shape, and the outcomes that they have. */

/* Bit 8 * a + b for the pair (a, b), of the events of the combination's pre-execution. */
typedef struct RspCandidate {
  guint64 rf, co;
  guint outcome;
  guint combination; /* among shape_combinations_new */
} RspCandidate;

/* Writes as numbers among all events of the shape, whatever happens. */
typedef struct RspShapeOutcome {
  guint8 source[RSP_SHAPE_EVENTS]; /* per event: the write that it reads, for reads; else 0 */
  guint8 last[RSP_SHAPE_EVENTS];   /* per location: its co-last write */
} RspShapeOutcome;

typedef struct RspCandidates {
  RspCandidate *list;
  guint n;
  RspShapeOutcome *outcomes;
  guint n_outcomes;
} RspCandidates;

/* All candidates, in a fixed order, grouped by outcome. */
RspCandidates *rsp_candidates_new (const RspShape *shape);
void rsp_candidates_free (RspCandidates *candidates);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspCandidates, rsp_candidates_free)

/* ---- Combination ---------------------------------------------------------------------------- */

/* Combinations: the sets of events of a shape that can happen together under its guards. A shape
 * without guards has one. */

typedef struct RspShapeCombination {
  /* The events that happen, without guards and without locations that are not accessed. */
  RspShape shape;
  guint8 event[RSP_SHAPE_EVENTS];    /* per remaining event: its number in the whole shape */
  guint8 location[RSP_SHAPE_EVENTS]; /* per remaining location, as above */
  /* Per remaining event: the loads that branches before it depend on, as a set of remaining
   * events. */
  guint8 ctrl[RSP_SHAPE_EVENTS];
  /* Per remaining event that reads: the writes that it may read from if exactly these events
   * happen, as a set of events of the pre-execution. */
  guint8 sources[RSP_SHAPE_EVENTS];
  gboolean whole; /* does everything happen, so that numbers are those of the whole shape? */
} RspShapeCombination;

/* All combinations (of RspShapeCombination), in a fixed order. Free with g_array_unref. */
GArray *shape_combinations_new (const RspShape *shape);

/* The pre-execution with plain accesses: the base sets that depend on labels are meaningless.
 * wide_barriers: does the model have wide barriers, so that same_B relates all threads (a label's
 * scope is not known)? Lives in arena. */
RspPreExecution *shape_combination_pre_execution (const RspShapeCombination *combination,
                                                  gboolean wide_barriers, RspArena *arena);

/* ---- Label ---------------------------------------------------------------------------------- */

/* Labels, which make a shape a program, and the base sets that follow from them. */

typedef struct RspLabel {
  guint8 order; /* RspOrder; NA: a plain access, whose scope is work_item. Ignored for barriers,
                 * whose entry is a release and whose exit is an acquire */
  guint8 scope; /* RspScope */
  guint8 form;  /* in languages with tags, by which proxy: 0, the generic one, or another */
  guint8 word;  /* 0, or the number of a word of the shape + 1 */
  guint64 tags; /* in languages with tags: the event's; they determine its sets */
  guint64 write_tags; /* of the second half of a read-modify-write */
} RspLabel;

/* Tags follow from the rest. */
static inline gboolean rsp_label_equal (const RspLabel *a, const RspLabel *b) {
  return a->order == b->order && a->scope == b->scope && a->form == b->form && a->word == b->word;
}

/* A dependency's load, as RspShapeEvent has it, if events have these names (0xff: none). */
static inline guint8 rsp_shape_rename_load (const guint8 *names, guint8 load) {
  return load && names[load - 1] != 0xff ? (guint8) (names[load - 1] + 1) : 0;
}

/* The base sets that labels determine: events certainly in them (lo), and events possibly in them
 * (hi). Indexed by RspBaseSet; for other sets they mean nothing. */
typedef struct RspLabelling {
  guint8 lo[RSP_N_BASE_SETS], hi[RSP_N_BASE_SETS];
  gboolean exact; /* one label each: lo and hi are equal */
} RspLabelling;

/* Do labels of the shape's events determine this set? */
gboolean rsp_label_decides (const RspShape *shape, RspBaseSet set);

/* Which sets of scopes have events with one of these n labels, and all other sets: by RspBaseSet.
 */
void rsp_labels_scopes (const RspShape *shape, const RspLabel *labels, guint n,
                        gboolean scopes[static RSP_N_BASE_SETS]);

/* The labelling for a choice of labels per event: labels[e] points to n[e] of them, at least one. A
 * location is declared atomic if some access to it is; initial writes are plain. */
void rsp_labelling_set (RspLabelling *labelling, const RspShape *shape,
                        const RspLabel *const *labels, const guint *n);

/* ---- Judge ---------------------------------------------------------------------------------- */

/* Judge: a model's verdicts on all programs of one shape.
 *
 *   RspJudge *judge = rsp_judge_new (model, &shape, options, diagnostics);
 *   rsp_judge_set_labels (judge, &labelling);
 *   RspShapeVerdict verdict = rsp_judge_candidate (judge, &candidates->list[i]);
 *
 * The model is staged with the labels open where that can be; one that looks into them (`match`,
 * `classes` of what labels decide) once for each value that it finds. One that does so
 * after a choice is staged for each labelling, and one that looks into rf and co for each
 * candidate: slower, with the same verdicts. With several labels per event a verdict holds for all
 * programs that have one label of each. */

/* Open: it depends on the choice of labels, or is not known without trying them. */
typedef struct RspShapeVerdict {
  guint8 allowed;   /* RspTruth: is there an execution that passes all plain axioms? */
  guint8 undefined; /* RspTruth: is there one that also violates an undefined_unless? */
} RspShapeVerdict;

typedef struct RspJudge RspJudge;

/* NULL after an error of the model, which is reported in diagnostics, or if the shape is too large.
 * options (skipped axioms) and diagnostics must outlive the judge. */
RspJudge *rsp_judge_new (const RspModel *model, const RspShape *shape,
                         const RspStageOptions *options, RspDiagnostics *diagnostics);
void rsp_judge_free (RspJudge *judge);
void rsp_judge_set_labels (RspJudge *judge, const RspLabelling *labelling);
RspShapeVerdict rsp_judge_candidate (RspJudge *judge, const RspCandidate *candidate);

/* Has there been an error of the model? It is reported in diagnostics, and later verdicts mean
 * nothing. */
gboolean rsp_judge_failed (const RspJudge *judge);

/* For exact labels: the names of the plain axioms that the candidate fails, as a set of indices
 * into rsp_judge_axiom_name; one for each choice that the model leaves (an order such as S),
 * appended to failed (of guint64). The 64th name and those after it have the last index, 63, and no
 * name. */
void rsp_judge_blame (RspJudge *judge, const RspCandidate *candidate, GArray *failed);

/* NULL after the last (from 0). */
const char *rsp_judge_axiom_name (const RspJudge *judge, guint index);

/* Do two judges of one shape give equal verdicts on every candidate, for each way to choose among
 * the labels set in both? TRUE is certain (but for a collision of 128-bit hashes), FALSE is not:
 * the question is whether they compute the same. */
gboolean rsp_judge_agrees (const RspJudge *a, const RspJudge *b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspJudge, rsp_judge_free)

/* ---- Probe ---------------------------------------------------------------------------------- */

/* Finds out what a model can distinguish, by staging it on an example in which everything in
 * question is open. */

typedef struct RspSeen {
  gboolean sets[RSP_N_BASE_SETS]; /* do the model's axioms depend on this set? */
  guint levels;                   /* on which threads share a node of which levels do they depend?
                                   * As bits */
  gboolean addr, data, ctrl;      /* do they depend on dependencies? */
  gboolean halves; /* do they depend on which loads and stores are halves of a read-modify-write? */
  gboolean known;  /* FALSE: this is what they may depend on at most */
} RspSeen;

/* FALSE after an error of the model, which is reported in diagnostics. A model that cannot be
 * staged before the sets are known is assumed to distinguish everything that labels determine,
 * kinds of event and the tree, but no dependencies. scopes: which sets of scopes may have events,
 * by RspBaseSet; NULL: all. */
gboolean rsp_probe (const RspModel *model, RspLanguageId language, const RspStageOptions *options,
                    const gboolean *scopes, RspSeen *seen, RspDiagnostics *diagnostics);
