#pragma once

#include "enumerator/paths/paths.h"
#include "model/matrix.h"
#include "model/model.h"
#include "parser/translation.h"

/* ---- Event ---------------------------------------------------------------------------------- */

/* The properties of an event of a pre-execution. */

static inline gboolean rsp_event_is_access (const RspEvent *event) {
  return event->location != RSP_NO_LOCATION;
}

static inline gboolean rsp_event_is_read (const RspEvent *event) {
  return event->kind == RSP_EVENT_READ || event->kind == RSP_EVENT_RMW;
}

static inline gboolean rsp_event_is_write (const RspEvent *event) {
  return event->kind == RSP_EVENT_WRITE || event->kind == RSP_EVENT_RMW;
}

static inline gboolean rsp_event_is_initial (const RspEvent *event) {
  return event->thread == RSP_NO_THREAD;
}

/* For events that access no memory. A barrier of one event is a fence too if it has an order; a
 * device operation is never one. */
static inline gboolean rsp_event_is_fence_of (RspEventKind kind, guint64 tags) {
  return !(tags & (RSP_TAG_BIT (AVDEVICE) | RSP_TAG_BIT (VISDEVICE)))
         && (kind != RSP_EVENT_BARRIER || (tags & (RSP_TAG_BIT (ACQ) | RSP_TAG_BIT (REL))) != 0);
}

/* At a barrier, where its thread arrives, waits, or both. */
static inline gboolean rsp_event_is_at_barrier (const RspEvent *event) {
  return event->kind == RSP_EVENT_ENTRY || event->kind == RSP_EVENT_BARRIER;
}

static inline gboolean rsp_event_is_arrival (const RspEvent *event) {
  return rsp_event_is_at_barrier (event) && !event->barrier_waits;
}

/* TRUE if behaviour is undefined when a thread that should meet at the barrier does not come. */
static inline gboolean rsp_event_may_diverge (const RspEvent *event) {
  return event->kind == RSP_EVENT_ENTRY || event->barrier_whole;
}

/* Are both halves of one barrier instance (by label or place, name, and count)? */
static inline gboolean rsp_event_is_same_barrier (const RspEvent *a, const RspEvent *b) {
  return a->barrier && b->barrier && a->barrier_count == b->barrier_count
         && a->barrier_name == b->barrier_name && g_str_equal (a->barrier, b->barrier);
}

/* In C, a variable has an initial write although nothing accesses it, as in herd7: models may order
 * these writes. Of an array, which may be large, only the elements that are accessed have one. */
static inline gboolean rsp_location_is_always_written (const RspProgram *program, guint location) {
  return program->language->declared_initial && program->locations[location].n_elements == 1;
}

/* ---- Pre execution -------------------------------------------------------------------------- */

/* Pre-executions: one path per thread; events numbered, initial writes first; and everything that
 * does not depend on rf, co or chosen orders. */

typedef struct RspPreExecution {
  const RspProgram *program;
  RspArena *arena;
  const RspPath **paths;   /* one per thread */
  guint n;                 /* events */
  const RspEvent **events; /* initial writes (of the locations that some event accesses, by index),
                              then the threads' events in order */
  guint *first;            /* per thread: number of its first event; n_threads + 1 entries */
  guint *initial; /* per location: its initial write, or G_MAXUINT if no event accesses it */
  guint n_reads;
  guint *reads; /* events that read, in order */
  /* Row r: the writes that read r may read from (same location, not the same operation). */
  RspMatrix *candidates;
  /* In every execution: rf^-1 is within candidates, and initial writes come first. */
  RspExtent rf, co;
  const RspMatrix *related_writes; /* where coherence is partial: the pairs of writes that must be
                                      related, one way or the other; NULL: coherence is total */
  RspBase *base;                   /* rf and co NULL */
} RspPreExecution;

/* Gives the program's words their meaning in the model. FALSE, with an error, if the model does not
 * declare one of them, or not for such operations; diagnostics may be NULL. Those of a program that
 * is translated keep what they mean in the model of its source. */
gboolean rsp_words_bind (RspProgram *program, const RspModel *model, RspDiagnostics *diagnostics);

/* FALSE, with an error, if the mapping selects operations by a word that the model, its source,
 * does not declare. */
gboolean rsp_words_check_map (const RspMap *map, const RspModel *model,
                              RspDiagnostics *diagnostics);

/* What its scope covers. */
RspLevel rsp_event_level (const RspProgram *program, const RspEvent *event);

/* The words that the event has, of those that the test says of it. */
guint32 rsp_event_words (const RspProgram *program, const RspEvent *event);

/* Builds one from a path per thread (all RSP_PATH_COMPLETE). Lives in arena; NULL if the arena's
 * budget is exhausted. */
RspPreExecution *rsp_pre_execution_new (const RspProgram *program, const RspPath *const *paths,
                                        RspArena *arena);

/* The event of the pre-execution for event number `event` of a thread's path. */
static inline guint rsp_pre_execution_event (const RspPreExecution *pre, guint thread,
                                             guint event) {
  return pre->first[thread] + event;
}

/* Per location: its writes. */
RspMatrix **rsp_pre_execution_writes (const RspPreExecution *pre, RspArena *arena);

/* ---- Barriers ------------------------------------------------------------------------------- */

/* Barriers of one event (PTX, Vulkan): do the threads get past all of them? */

/* Bits of RspBarrierRule, by the variants of the model. */
guint rsp_barriers_rules (const RspModel *model);

/* Threads that come to a barrier, and of these, those that meet there. Without a quorum, all do. */
typedef struct BarrierArrivals {
  guint all, meeting;
} BarrierArrivals;

/* Does the event come to the barrier, for the same time as its thread does, in the same group? */
gboolean barrier_is_joined (const RspProgram *program, const RspEvent *barrier,
                            const RspEvent *event);

/* Of paths, one per thread, as far as threads have come: the number of events that each has
 * reached. NULL: all. */
BarrierArrivals barrier_count_arrivals (const RspProgram *program, const RspPath *const *paths,
                                        const guint *reached, const RspEvent *barrier);

/* The number of threads that must meet before the barrier lets its thread go on. arrivals: at the
 * end. */
static inline gint64 barrier_quorum (const RspEvent *barrier, BarrierArrivals arrivals) {
  return barrier->barrier_quorum ? barrier->barrier_quorum : arrivals.all;
}

/* The same barrier in an earlier phase. */
RspEvent barrier_at_phase (const RspEvent *barrier, guint phase);

/* Are the phases before the barrier's complete, and its own not more than that, as far as threads
 * have come? TRUE without phases. */
gboolean barrier_phases_fit (const RspProgram *program, const RspPath *const *paths,
                             const guint *reached, const RspEvent *barrier);

/* TRUE if its thread goes past the barrier only after enough others have come to it. */
static inline gboolean barrier_needs_quorum (const RspEvent *event) {
  return rsp_event_is_at_barrier (event) && (!event->barrier_arrives || event->barrier_passes);
}

/* Is the event the barrier at which the thread's path ends, as it waits there for ever or is not
 * run any more? */
gboolean barrier_ends_path (const RspPath *path, guint event);

/* Where each thread has the events of several paths: may threads wait for each other at different
 * barriers on some of them? FALSE only if there is no circle of barriers that come before each
 * other. The base relations must be filled. */
gboolean barriers_may_block (const RspPreExecution *pre);

/* ---- Execution ------------------------------------------------------------------------------ */

/* A complete execution as a value: one way in which a program may run, whether or not a model
 * allows it.
 *
 * The pre-execution determines each thread's path and so the events. An execution adds what the
 * search decides, reads-from, coherence and the orders that the model chooses (S, `with x from
 * linearisations …`), and what follows from these: the values and the final state. Matrices are
 * over the pre-execution's events. */

#include "enumerator/execution.h"

typedef struct RspExecution {
  const RspPreExecution *pre;
  RspMatrix *rf;      /* write → read */
  RspMatrix *co;      /* transitive, the initial write of each location first */
  RspMatrix **orders; /* per chosen order of the staged model: strict, total, transitive */
  guint n_orders;
  const guint *script; /* the model's choices among known values: see RspStagedModel */
  guint n_script;
  RspValue *values;  /* per event: what it reads */
  RspValue *written; /* per event: what it writes */
  guint *last;       /* per location: its co-last write, or G_MAXUINT if no event accesses it */
  RspValue *state;   /* per observable of the program; see rsp_final_state */
  gboolean thin_air; /* do some values justify each other in a cycle? */

  /* The model's verdict, as ids of its axioms (see RspStagedAxiom) without duplicates, in the
   * model's order; NULL-terminated. */
  const char **failed; /* plain axioms that fail: none if the model accepts the execution */
  const char **raised; /* flags, and requirements that the execution violates */
  guint64 n_derived;   /* number of pairs in the model's named sets and relations */
} RspExecution;

/* A copy that lives in arena; it shares the original's pre-execution. */
RspExecution *rsp_execution_copy (const RspExecution *execution, RspArena *arena);

/* A copy of names, up to NULL; of NULL: of none. */
const char **rsp_names_copy (const char *const *names, RspArena *arena);

/* Does an axiom fail (plain), or is a flag raised? id as in `failed` and `raised`. */
gboolean rsp_execution_fails (const RspExecution *execution, const char *id);
gboolean rsp_execution_raises (const RspExecution *execution, const char *flag);

/* ---- Progress ------------------------------------------------------------------------------- */

/* Progress models: what a scheduler promises, for each level of the scope tree. */

typedef enum RspPromise {
  RSP_PROMISE_NONE, /* of a level: its nodes are not scheduled as a whole */
#define RSP_PROGRESS(id, word, runs, whom) RSP_PROMISE_##id,
#include "enumerator/progress.def"
  RSP_N_PROMISES
} RspPromise;

/* promise[level]: how the nodes of a level (or threads, RSP_LEVEL_THREAD) are run within a node of
 * the next level outside it that has a promise. */
typedef struct RspProgress {
  RspPromise promise[RSP_LEVEL_THREAD + 1];
} RspProgress;

/* Whom each promise but NONE runs. */
extern const char *const rsp_promise_texts[RSP_N_PROMISES];

/* The progress model of a text: "obe", or one per level, "wg=obe,wi=fair" (threads: fair unless it
 * says otherwise). FALSE if it is not one. */
gboolean rsp_progress_parse (const char *text, RspProgress *progress);

/* What such a text may consist of, in words: newly allocated. */
char *rsp_progress_hint (void);

/* Appends one to an array of RspProgress that does not have it yet; or each one that treats all
 * threads alike, the strongest first. */
void rsp_progress_append (GArray *models, const RspProgress *progress);
void rsp_progress_append_all (GArray *models);

/* Does it promise all that another one promises, and more? */
gboolean rsp_progress_is_stronger (const RspProgress *progress, const RspProgress *other);

/* Are its promises the same whatever the threads' ids are? */
gboolean rsp_progress_is_symmetric (const RspProgress *progress);

/* TRUE if it promises something about levels other than threads. */
gboolean rsp_progress_has_levels (const RspProgress *progress);

/* The text: newly allocated. */
char *rsp_progress_format (const RspProgress *progress);

/* May a thread be left out for ever before its first step, or after it? */
gboolean rsp_progress_may_not_start (const RspProgress *progress);
gboolean rsp_progress_may_stop (const RspProgress *progress);

/* The end of each thread. */
typedef enum RspFate {
  RSP_FATE_ENDED,
  RSP_FATE_UNENDING,  /* it is run for ever */
  RSP_FATE_WAITING,   /* it waits at a barrier for ever */
  RSP_FATE_STOPPED,   /* it is not run any more */
  RSP_FATE_UNSTARTED, /* it never was */
  RSP_N_FATES
} RspFate;

RspFate rsp_progress_fate (const RspPath *path);

/* May a scheduler that keeps its promises run the threads so, for ever? Some thread must be
 * UNENDING if any may make a step, since a scheduler always runs one if it can; else one must be
 * WAITING. */
gboolean rsp_progress_permits (const RspProgress *progress, const RspProgram *program,
                               const RspFate *fates);
