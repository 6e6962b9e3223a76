/* Progress models: what a scheduler promises, for each level of the scope tree. */
#pragma once

#include "enumerator/paths/path.h"

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
/* Does it promise something about other levels than threads? */
gboolean rsp_progress_has_levels (const RspProgress *progress);
/* The text: newly allocated. */
char *rsp_progress_format (const RspProgress *progress);

/* May a thread be left out for ever before its first step, or after it? */
gboolean rsp_progress_may_not_start (const RspProgress *progress);
gboolean rsp_progress_may_stop (const RspProgress *progress);

/* How each thread ends. */
typedef enum RspFate {
  RSP_FATE_ENDED,
  RSP_FATE_UNENDING,  /* it is run for ever, or waits at a barrier */
  RSP_FATE_STOPPED,   /* it is not run any more */
  RSP_FATE_UNSTARTED, /* it never was */
  RSP_N_FATES
} RspFate;

RspFate rsp_progress_fate (const RspPath *path);

/* May a scheduler that keeps its promises run the threads so, for ever? Some thread must be
 * UNENDING, since a scheduler always runs one if it can. */
gboolean rsp_progress_permits (const RspProgress *progress, const RspProgram *program,
                               const RspFate *fates);
