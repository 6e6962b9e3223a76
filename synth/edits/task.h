/* Repair and relax: versions of one test that a question generates. */
#pragma once

#include "enumerator/search/check.h"
#include "synth/edits/edit.h"
#include "synth/edits/refute.h"
#include "synth/edits/versions/witness.h"

typedef struct SynthAnswer SynthAnswer;

typedef struct SynthTask {
  const RspProgram *program;
  const RspModel *model;
  const RspCheckOptions *check;
  gboolean forbid; /* repair: the outcome must be forbidden, not only the program defined */
  gboolean all;    /* repair: continue to `most` edits even if fewer suffice */
  guint most;      /* repair: edits at most */
  guint costs[SYNTH_EDIT_KINDS]; /* per step of a level */
  gint64 deadline;               /* monotonic microseconds, or 0 */
  const gint *stop;              /* set to end the work; or NULL */
  /* Checks the text of a version. NULL: it is a test's. */
  void (*check_text) (struct SynthTask *task, const char *text, SynthAnswer *answer);
  gpointer data; /* for check_text */
  /* Out. */
  GPtrArray *sites;  /* of SynthSite, owned; of a kernel they are given */
  GPtrArray *found;  /* of SynthVersion, owned: cheapest first */
  guint64 checks;    /* versions that were checked */
  guint64 ruled_out; /* those of them that an execution of another version ruled out */
  gboolean already;  /* repair: the test already has the desired property */
  gboolean complete; /* have all relevant versions been examined completely? */
  /* Private. */
  SynthReasons *reasons;     /* what ruled versions out */
  SynthWitnesses *witnesses; /* of repairs: the same, and what does not help */
  gboolean all_flags;        /* a flag that does not make a version undefined counts as if it did */
  /* Relax: the answer for the original test, whose states a version must have; else NULL. The
   * original is the first version to be checked, and this is its answer. */
  const SynthAnswer *own;
} SynthTask;

typedef struct SynthVersion {
  guint8 *levels; /* per site */
  guint cost;     /* repair: of the edits; relax: what is saved */
} SynthVersion;

void rsp_synth_task_clear (SynthTask *task);
/* The options of its checks, with the time that is left. */
RspCheckOptions rsp_synth_task_options (const SynthTask *task);

/* ---- For the two: task.c ---- */

struct SynthAnswer {
  gboolean good;      /* has the check finished? */
  gboolean undefined; /* by a flag that counts */
  gboolean flagged;   /* some flag of the model is raised */
  gboolean reachable; /* the condition's proposition holds in some execution */
  char *states;       /* all final states as text, one per line */
};

/* Checks a version. A refuted version is not good, and nothing else is known about it. FALSE if the
 * work must end: the time is up, or stop is set. */
gboolean synth_task_check (SynthTask *task, const guint8 *levels, SynthAnswer *answer);
void synth_task_add (SynthTask *task, const guint8 *levels);
/* Sorts by cost, cheapest first, or dearest. */
void synth_task_sort (SynthTask *task, gboolean cheapest);
