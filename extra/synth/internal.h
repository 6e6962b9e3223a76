#pragma once

#include "extra/synth/shapes.h"
#include "parser/columns/columns.h"
#include "extra/synth/synth.h"

/* ---- Alphabet ------------------------------------------------------------------------------- */

/* A language's alphabet of operations: the words for orders, scopes and proxies in options, names
 * and tests. */

typedef struct SynthAlphabet {
  const char *const *orders;    /* per RspOrder; "": none. Lists end with NULL */
  const char *const *scopes;    /* per RspScope: that of clusters is IN_KERNEL; NULL: it has none */
  const char *const *proxies;   /* per RspLabel.form: the proxy of an access or fence */
  const char *trees, *no_trees; /* which scope trees there are; only for languages with tags */
  guint orders_of[SYNTH_KINDS]; /* with tags, a barrier without an order is relaxed */
  guint scoped;                 /* the orders with a scope, for instructions by proxy */
  /* Only with tags: instructions by proxy, without the order; or whole ones by order, with $S for
   * the scope, to which the proxy's word is added. NULL: none. */
  const char *const *forms[SYNTH_KINDS], *const *patterns[SYNTH_KINDS];
} SynthAlphabet;

const SynthAlphabet *synth_alphabet (RspLanguageId language);

/* In languages with tags: "ld.acquire.gpu", "fence.proxy.texture". Newly allocated. */
char *synth_instruction (RspLanguageId language, const RspWords *words, SynthKind kind,
                         const RspLabel *label);

/* The same, decoded; FALSE if the language has no such instruction. */
gboolean rsp_synth_decode (RspLanguageId language, SynthKind kind, const RspLabel *label,
                           ColumnsInstruction *instruction);

/* A label of a language with tags; its tags are 0 if there is no such instruction. */
RspLabel synth_tagged_label (RspLanguageId language, const RspWords *words, SynthKind kind,
                             guint order, guint scope, guint proxy);

/* From inside out. */
extern const guint8 synth_scopes_by_width[RSP_N_ALL_SCOPES];

/* ---- Count ---------------------------------------------------------------------------------- */

/* The number of programs of the shape: labellings up to its symmetries (Burnside's lemma). */
double synth_shape_programs (const SynthSpace *space, const RspShape *shape,
                             const SynthSymmetry *symmetries, guint n_symmetries);

/* ---- Name ----------------------------------------------------------------------------------- */

/* The name in the style of the diy tools: a well-known name for the accesses, or else the accesses
 * themselves; the shared nodes of the scope tree; and the labels per thread:
 * "MP-dev+rel.wg+acq.dev". Programs of a space with the same name are equal. Newly allocated. */
char *rsp_synth_program_name (const SynthProgram *program, gboolean opencl);

/* The same for a shape, with the events' letters instead of labels: "MP-dev+R-R+W-W". */
char *rsp_synth_shape_name (const RspShape *shape, gboolean opencl);

/* ---- Print ---------------------------------------------------------------------------------- */

/* The whole test. comment: lines, or NULL; condition: a proposition. Newly allocated. */
char *rsp_synth_program_print (const SynthProgram *program, gboolean opencl, const char *comment,
                               const char *condition);

/* One line: "P0: W(rel,wg) x=1; … || P1: …". Newly allocated. */
char *synth_program_summary (const SynthProgram *program, gboolean opencl);

/* The summary that a program shares with its twins: without scopes and scope tree, with stores for
 * read-modify-writes, whatever the order of the threads. Newly allocated. */
char *synth_program_twins (const SynthProgram *program);

/* ---- Steps ---------------------------------------------------------------------------------- */

/* Steps between labels, and removals of events, which make a program weaker or stronger. */

enum {
  SYNTH_NO_LABEL = 0xff,
  SYNTH_MAX_STEPS = 3 /* orders directly below one */
};

/* The k-th label (from 0) of the space that is one step weaker in the attribute than label `choice`
 * of the kind: an order directly below, the next smaller scope, not remote. A step to a plain
 * access drops the scope too. SYNTH_NO_LABEL: none. */
guint rsp_synth_step_down (const SynthSpace *space, SynthKind kind, guint choice,
                           SynthAttribute attribute, guint k);

/* Is label a the same as b or weaker in each attribute? */
gboolean rsp_synth_label_is_within (const RspLabel *a, const RspLabel *b);

/* A number that is smaller for a label that is within another. */
guint rsp_synth_label_strength (const RspShape *shape, const RspLabel *label);

/* Renumbers dependencies: event e is now names[e], or 0xff if it is gone; dependencies on such
 * events are dropped, as are guards for what they wrote. */
void rsp_synth_rename_dependencies (RspShape *shape, const guint8 *names);

/* A shape with something removed. Threads keep their numbers, even empty ones; locations that are
 * no longer accessed are removed. */
typedef struct SynthRemoval {
  RspShape shape;
  guint8 event[RSP_SHAPE_EVENTS];    /* per event left: its number in the whole shape */
  guint8 location[RSP_SHAPE_EVENTS]; /* per location left: its number in the whole shape */
} SynthRemoval;

/* Without the event (the first of an operation, whose second goes with it), and dependencies on it.
 */
void rsp_synth_remove_event (const RspShape *shape, guint event, SynthRemoval *removal);

/* Without one dependency of the event. FALSE if it has none of this kind, or is a second. */
gboolean rsp_synth_drop_dependency (const RspShape *shape, guint event, SynthDependency which,
                                    SynthRemoval *removal);

/* The number in the whole shape of a write of the remaining shape. */
guint rsp_synth_removal_write (const SynthRemoval *removal, const RspShape *whole, guint write);

/* ---- Compare -------------------------------------------------------------------------------- */

/* Questions about a program and one derived from it: monotone and rewrites. */

/* A program and one edit of it, for all labels of the program's events. */
typedef struct SynthEdit {
  const RspShape *before, *after;
  /* Per event of `after`: the event of `before` whose labels it takes. */
  guint8 from[RSP_SHAPE_EVENTS];
  /* Per event of `before`: G_MAXUINT8, or the event whose label it must have too. */
  guint8 same_label[RSP_SHAPE_EVENTS];
  /* Labels of one event: its own before and after, n of them; or NULL and those of the space. */
  const RspLabel *labels_before, *labels_after;
  guint event, n_labels;
  /* Maps outcomes of `after` to outcomes of `before`: a removed load reads what the load copies[e]
   * reads or, if that is a write, that write; else G_MAXUINT8. */
  guint8 copies[RSP_SHAPE_EVENTS];
  /* The edit is reversed: search for an outcome that `before` allows and `after` forbids; `after`
   * is the finding's program. */
  gboolean backwards;
  guint kind_outcome, kind_undefined; /* the bits for a new outcome and for undefined; 0: none */
  const char *text;                   /* describes the edit */
} SynthEdit;

/* Leaves all optional fields empty. */
void synth_edit_init (SynthEdit *edit, const RspShape *before, const RspShape *after);

/* Adds a finding for each labelling under which `after` allows an outcome that `before` forbids, or
 * is undefined while `before` is not. symmetries: of `before`; only those that move no touched
 * event (bits) are used. FALSE if it did not finish. */
gboolean synth_compare (SynthWork *work, const SynthEdit *edit, const SynthSymmetry *symmetries,
                        guint n_symmetries, guint touched);

/* Is the set of events the least of those that the symmetries map it to? If not, the edit is made
 * on that one instead. */
gboolean synth_is_least_set (const RspShape *shape, const SynthSymmetry *symmetries,
                             guint n_symmetries, guint set);

/* ---- Monotone ------------------------------------------------------------------------------- */

/* Strengthenings, which are also rewrites. */

/* Tries every strengthening of one event of the shape, and every addition of one of its fences,
 * under the work's first model. The kinds are those of findings with a new outcome, and of programs
 * that become undefined. FALSE if it did not finish. */
gboolean synth_monotone_steps (SynthWork *work, const RspShape *shape,
                               const SynthSymmetry *symmetries, guint n_symmetries,
                               guint kind_outcome, guint kind_undefined);

/* ---- Verdict -------------------------------------------------------------------------------- */

/* A model's verdict on one program and outcome. */

typedef struct SynthView {
  gboolean undefined, allowed;
  char *blame; /* see SynthVerdict.blame; owned by the caller */
} SynthView;

/* outcome: an outcome of the program's candidates, or a part of one (SYNTH_UNFIXED). by_outcome:
 * executions with the outcome are undefined, not the program. FALSE after an error of the model,
 * reported in diagnostics. */
gboolean synth_view (const RspModel *model, const SynthProgram *program,
                     const RspShapeOutcome *outcome, gboolean by_outcome,
                     const RspStageOptions *stage, SynthView *view, RspDiagnostics *diagnostics);

/* In a partial outcome: any source or last write. */
#define SYNTH_UNFIXED 0xff

/* Does the naive engine agree with the view on the printed test, whose condition is the outcome? If
 * the program is undefined, the blame becomes its flags. FALSE is reported in diagnostics. */
gboolean synth_confirm (const RspModel *model, const char *text, SynthView *view,
                        const RspStageOptions *stage, RspDiagnostics *diagnostics);
