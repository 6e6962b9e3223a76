#pragma once

#include "enumerator/execution.h"
#include "enumerator/outcome.h"
#include "enumerator/search/search.h"
#include "model/model.h"
#include "parser/kernel/kernel.h"
#include "parser/program.h"

/* ---- Edit ----------------------------------------------------------------------------------- */

/* Edits of a test's text that strengthen or weaken one operation, found in its syntax tree.
 *
 * A site is something that can be changed: an order, a scope or the form of an atomic operation or
 * fence, a plain access, a gap between two statements, a fence. Its levels are numbered, weakest
 * first, each with its text; one of them is that of the test. A version of the test is one level
 * per site. */

typedef enum SynthEditKind {
  SYNTH_EDIT_ORDER,
  SYNTH_EDIT_SCOPE,
  SYNTH_EDIT_WORD,
  SYNTH_EDIT_ATOMIC,
  SYNTH_EDIT_FENCE,
  SYNTH_EDIT_SEMANTICS,
  SYNTH_EDIT_KINDS
} SynthEditKind;

enum { SYNTH_LEVELS = 12 };

/* A text that replaces bytes begin … end - 1. Texts at the same place are inserted in the order of
 * their rank. */
typedef struct SynthPiece {
  guint begin, end, rank;
  char *text;
} SynthPiece;

typedef struct SynthLevel {
  guint value;    /* an order, a scope, 0 or 1, or for a fence 0 (none) or an order; or a set */
  guint removes;  /* kinds of edits, 1 << kind, of which the operation then has nothing to edit */
  GArray *pieces; /* of SynthPiece; NULL for the level that the test has */
  char *text;     /* "memory_order_release" */
} SynthLevel;

typedef struct SynthSite {
  SynthEditKind kind;
  guint line, column; /* from 1 */
  char *what;         /* "atomic_store_explicit", "*x" */
  SynthLevel levels[SYNTH_LEVELS];
  guint n_levels;
  guint own;     /* the level in the test */
  gboolean sets; /* values are sets: a level is no stronger than those that include it */
} SynthSite;

/* ---- Refute --------------------------------------------------------------------------------- */

/* Refutation: a version of a test is first searched for executions that ruled out earlier versions.
 *
 * One execution rules a version out: one that makes it undefined, or one whose outcome must not be.
 * Finding it is much faster than counting all executions, and most versions of a test fail for the
 * same reason in the same combination of paths. If one is found, the version is refuted; otherwise
 * nothing is proved, and the version is checked in full. */

/* Why versions were ruled out, most recently used first. Freed with g_ptr_array_unref. */
typedef GPtrArray SynthReasons;

/* ---- Witness -------------------------------------------------------------------------------- */

/* Witnesses: executions that rule out versions of a test, each with edits that do not help against
 * it. Most versions are ruled out by a witness of another one, without being checked. */

typedef struct SynthWitnesses SynthWitnesses;

/* sites: of SynthSite. The arguments must outlive the result; the options' timeout is for all the
 * work. */
SynthWitnesses *synth_witnesses_new (const RspProgram *program, const GPtrArray *sites,
                                     const RspModel *model, const RspCheckOptions *options);
void synth_witnesses_free (SynthWitnesses *witnesses); /* or NULL */

/* Adds an accepted execution of the version with these levels, which rules it out by its flag or,
 * without one, by its outcome. It is dropped if the test has no such execution, or if it cannot be
 * followed through edits. */
void synth_witnesses_add (SynthWitnesses *witnesses, const guint8 *levels,
                          const RspExecution *execution, const char *flag);

/* Does a witness rule the version out? TRUE is certain. */
gboolean synth_witnesses_refute (SynthWitnesses *witnesses, const guint8 *levels);

/* ---- Task ----------------------------------------------------------------------------------- */

/* Repair and relax: versions of one test that a question generates. */

typedef struct SynthAnswer SynthAnswer;

typedef struct SynthTask {
  const RspProgram *program;
  const RspModel *model;
  const RspCheckOptions *check;
  gboolean forbid; /* repair: the outcome must be forbidden, not only the program defined */
  gboolean
      everywhere;     /* repair: at all placements of the threads (api/api.h), not the test's own */
  const char *levels; /* at which these differ: see rsp_placements_new */
  gboolean all;       /* repair: continue to `most` edits even if fewer suffice */
  guint most;         /* repair: the most edits */
  guint costs[SYNTH_EDIT_KINDS]; /* per step of a level */
  gint64 deadline;               /* monotonic microseconds, or 0 */
  const gint *stop;              /* set to end the work; or NULL */
  /* Checks the text of a version that is not a test's; else NULL. */
  void (*check_text) (struct SynthTask *task, const char *text, SynthAnswer *answer);
  gpointer data; /* for check_text */
  /* Out. */
  GPtrArray *sites;  /* of SynthSite, owned; of a kernel they are given */
  GPtrArray *found;  /* of SynthVersion, owned: cheapest first */
  guint64 checks;    /* versions that were checked */
  guint64 ruled_out; /* of these: by an execution of another version */
  gboolean already;  /* repair: the test already has the desired property */
  guint named;       /* the levels at which the test's placements differ: bits of RspLevel */
  gboolean complete; /* have all relevant versions been examined completely? */
  /* Private. */
  SynthReasons *reasons;     /* what ruled versions out */
  SynthWitnesses *witnesses; /* of repairs: the same, and what does not help */
  gboolean all_flags;        /* all flags count as if they made a version undefined */
  /* Relax: the answer for the original test, whose states a version must have; else NULL. The
   * original is the first version to be checked, and this is its answer. */
  const SynthAnswer *own;
} SynthTask;

typedef struct SynthVersion {
  guint8 *levels; /* per site */
  guint cost;     /* repair: of the edits; relax: the saving */
} SynthVersion;

void rsp_synth_task_clear (SynthTask *task);

/* The options of its checks, with the time that is left. */
RspCheckOptions rsp_synth_task_options (const SynthTask *task);

/* The answer of a check. */
struct SynthAnswer {
  gboolean good;      /* has the check finished? */
  gboolean undefined; /* by a flag that counts */
  gboolean flagged;   /* some flag of the model is raised */
  gboolean reachable; /* the condition's proposition holds in some execution */
  char *states;       /* all final states as text, one per line */
};

/* ---- Relax ---------------------------------------------------------------------------------- */

/* All maximal sets of weakenings that change neither final states nor definedness, and raise no
 * flag if the test raises none. The search assumes that if a set changes something, so does every
 * larger one. */
gboolean rsp_synth_relax (SynthTask *task, RspDiagnostics *diagnostics);

/* ---- Repair --------------------------------------------------------------------------------- */

/* All minimal sets of edits with the smallest sufficient number. FALSE after an error of the test
 * or the model, which is reported in diagnostics. */
gboolean rsp_synth_repair (SynthTask *task, RspDiagnostics *diagnostics);

/* Is a version repaired at all placements of its threads? n: how many there are, up to symmetry. */
gboolean rsp_synth_holds_everywhere (const SynthTask *task, const RspProgram *version, guint *n);

/* ---- Sites ---------------------------------------------------------------------------------- */

/* The levels of a site in addition to the one in the test. */
typedef enum SynthDirection {
  SYNTH_STRONGER, /* also makes plain accesses atomic, and inserts fences */
  SYNTH_WEAKER,   /* also removes fences */
  SYNTH_ANY       /* all orders, scopes and forms of existing operations */
} SynthDirection;

/* All sites of a test, in the order of the text. Of SynthSite, owned. */
GPtrArray *rsp_synth_sites_find (const RspProgram *program, const RspModel *model,
                                 SynthDirection direction);

/* The same for a kernel, with barriers instead of fences. The pieces are of the kernel's own text;
 * sites hidden in macros are left out. */
GPtrArray *rsp_synth_kernel_sites_find (const RspKernel *kernel, const RspModel *model);

/* Is level a of a site no stronger than level b? */
gboolean synth_level_within (const SynthSite *site, guint a, guint b);

/* ---- Version -------------------------------------------------------------------------------- */

/* The levels of the test itself, per site. Newly allocated. */
guint8 *rsp_synth_own_levels (const GPtrArray *sites);

/* The text of a version. Newly allocated. */
char *rsp_synth_version_text (const RspProgram *program, const GPtrArray *sites,
                              const guint8 *levels);

/* The replacements that make the version from the test's text, by place: of SynthPiece, whose texts
 * belong to the sites. */
GArray *rsp_synth_version_pieces (const GPtrArray *sites, const guint8 *levels);

/* The place in the version's text of a place in the test's text. */
guint synth_pieces_place (const GArray *pieces, guint at);

/* A unified diff for `patch -p0`; "" if the texts are the same. Newly allocated. */
char *rsp_synth_text_diff (const char *old_path, const char *new_path, const char *before,
                           const char *after);

/* "line 7: atomic_load_explicit: memory_order_acquire instead of memory_order_relaxed" for one
 * site. Newly allocated. */
char *rsp_synth_site_describe (const SynthSite *site, guint level);
