#pragma once

#include "base/base.h"
#include "enumerator/execution.h"
#include "enumerator/outcome.h"
#include "enumerator/search/search.h"
#include "extra/synth/shapes.h"
#include "model/model.h"
#include "parser/program.h"
#include "parser/translation.h"

/* ---- Space ---------------------------------------------------------------------------------- */

/* The searched space of programs: its bounds and its alphabet.
 *
 * A program is a shape (extra/synth/shapes.h) with a label per event. Labels are those of
 * `labels`, per kind of event, weakest first; scope trees have the levels that are switched on. */

/* Operations, of one event or two. */
typedef enum SynthKind {
  SYNTH_LOAD,
  SYNTH_STORE,
  SYNTH_EXCHANGE,
  SYNTH_FENCE,
  SYNTH_BARRIER,
  SYNTH_KINDS
} SynthKind;

/* Dependencies between a load and a later event of its thread. */
typedef enum SynthDependency {
  SYNTH_ADDR = 1,
  SYNTH_DATA = 2,
  SYNTH_CTRL = 4 /* guards: the event happens only if the load read what one write writes */
} SynthDependency;

enum {
  SYNTH_MAX_THREADS = 5, /* the most that -threads takes */
  SYNTH_MAX_LABELS = 64  /* of one kind: a set of them is a word */
};

/* The attributes of a label, in the order in which the search decides them: scopes first, since
 * many programs race because of narrow scopes and are skipped. */
typedef enum SynthAttribute {
  SYNTH_SCOPE,
  SYNTH_WORD,
  SYNTH_ORDER,
  SYNTH_ATTRIBUTES
} SynthAttribute;

typedef struct SynthSpace {
  RspLanguageId language;           /* of the programs; OpenCL stands for C too */
  guint proxies;                    /* in PTX: bits 1 << RspLabel.form */
  guint events, threads, locations; /* at most */
  guint addresses;                  /* virtual ones of a location: 2 with fences of aliases */
  gboolean opencl;                  /* scopes and scope trees; else C */
  guint kinds;                      /* bits 1 << SynthKind */
  guint orders;                     /* bits 1 << RspOrder, NA for plain accesses */
  guint scopes;                     /* bits 1 << RspScope */
  RspWords words;                   /* of the models, by number, and their levels */
  guint spoken;                     /* words that the programs say, as bits */
  gboolean trees;                   /* of work-groups and devices */
  guint levels;                     /* of the trees, too: bits 1 << RspLevel */
  gboolean regions;                 /* local memory too */
  gboolean everywhere;              /* findings are to hold in all trees of their threads */
  guint dependencies;               /* bits of SynthDependency */
  RspLabel labels[SYNTH_KINDS][SYNTH_MAX_LABELS];
  guint n_labels[SYNTH_KINDS];
} SynthSpace;

/* The caller's bounds; 0 or NULL if the models determine them. Lists are words separated by
 * commas. */
typedef struct SynthBounds {
  guint events, threads, locations;
  char *kinds, *orders, *scopes; /* "load,store", "rlx,acq", "wg,dev"; the caller's */
  char *dependencies;            /* "addr,data,ctrl", "none" */
  char *proxies;                 /* "generic,texture" */
  char *remote;                  /* "true", "false": the word `remote` among them */
  char *words;                   /* "remote,lazy", "none" */
  char *trees;                   /* "true", "false": threads on several work-groups, devices */
  gboolean regions;
} SynthBounds;

/* The language that has all names that the models use; OpenCL, which stands for C too, if several
 * have. */
RspLanguageId rsp_synth_language (RspModel *const *models, guint n_models);

/* FALSE after an error, reported in diagnostics. */
gboolean rsp_synth_space_init (SynthSpace *space, const SynthBounds *bounds,
                               RspModel *const *models, guint n_models,
                               const RspStageOptions *options, RspDiagnostics *diagnostics);

/* The word of a scope in options and names: "wg", "cluster". */
const char *synth_scope_word (RspLanguageId language, const RspWords *words, guint scope);

/* "at most 4 events, 3 threads, …; loads, stores, …". Newly allocated. */
char *rsp_synth_space_describe (const SynthSpace *space);

/* The value of an attribute of a label. */
guint rsp_synth_label_value (const RspLabel *label, SynthAttribute attribute);

/* The operation that the event is, or belongs to. */
static inline SynthKind synth_kind (const RspShapeEvent *event) {
  if (rsp_shape_is_barrier (event))
    return SYNTH_BARRIER;
  if (!rsp_shape_is_access (event))
    return SYNTH_FENCE;
  if (event->half || event->kind == RSP_EVENT_RMW)
    return SYNTH_EXCHANGE;
  return event->kind == RSP_EVENT_READ ? SYNTH_LOAD : SYNTH_STORE;
}

/* R, W, U (a read-modify-write), F or B. */
static inline char synth_letter (const RspShapeEvent *event) { return "RWUFB"[synth_kind (event)]; }

/* The number of events of an operation. */
static inline guint synth_length (RspLanguageId language, SynthKind kind) {
  return (kind == SYNTH_EXCHANGE && rsp_languages[language].rmw == RSP_RMW_TWO_EVENTS)
                 || (kind == SYNTH_BARRIER && !rsp_languages[language].tagged)
             ? 2
             : 1;
}

/* The first event of the operation that e belongs to. */
static inline guint synth_operation (const RspShape *shape, guint e) {
  return rsp_shape_is_second (&shape->events[e]) ? e - 1 : e;
}

/* The event whose label event e has: that of its operation. Threads of PTX and Vulkan meet at one
 * instruction: there the n-th barriers of all threads have the label of the first of them. */
guint synth_labelled_event (const RspShape *shape, guint e);

/* ---- Compile -------------------------------------------------------------------------------- */

/* Programs that a mapping breaks: one to another language (-compile F.map -distinguish) or to a
 * machine (-machine M -distinguish). */

/* What programs are translated to: a language with a model, or a machine. */
typedef struct SynthTarget {
  const RspMap *map;
  const RspTranslation *translation; /* to a language */
  const RspModel *model;
  const RspMapMachine *machine; /* NULL: a language */
  const char *label;            /* for reports */
  gboolean first;               /* does the search end with the first program? */
} SynthTarget;

/* Removes the labels without a row in the mapping. FALSE, with an error, if the mapping is for
 * another language. */
gboolean rsp_synth_target_restrict (const RspMap *map, SynthSpace *space,
                                    RspDiagnostics *diagnostics);

/* Does the target allow the condition of this test, translated? For a machine, the naive engine
 * means the search without reduction. FALSE after an error, which is reported in diagnostics, or if
 * a limit ended the search. */
gboolean rsp_synth_target_allows (const SynthTarget *target, const char *test,
                                  RspcheckEngine engine, gboolean *allows,
                                  RspDiagnostics *diagnostics);

/* ---- Symmetry ------------------------------------------------------------------------------- */

/* Shapes with their threads in another order, and the orders that map a shape to itself. */

enum {
  SYNTH_MAX_SYMMETRIES = 120 /* orders of SYNTH_MAX_THREADS threads */
};

/* How a renaming of threads and locations that maps the shape to itself moves events: event i takes
 * the place of event moves[i]. */
typedef struct SynthSymmetry {
  guint8 moves[RSP_SHAPE_EVENTS];
} SynthSymmetry;

/* The threads of a shape in another order: thread[t] takes place t. */
typedef struct SynthOrder {
  guint8 thread[RSP_SHAPE_EVENTS];
} SynthOrder;

/* All orders of the threads that keep the lengths, except their own. Returns their number. */
guint synth_orders_of_lengths (const RspShape *shape, SynthOrder *orders);

/* Compare the shape with its threads in another order with the shape itself, in one respect, up to
 * names of locations and nodes: below 0 if the former is smaller. The order keeps the lengths, and
 * for dependencies also the events. */
int synth_compare_events (const RspShape *shape, const SynthOrder *order);
int synth_compare_dependencies (const RspShape *shape, const SynthOrder *order);
int synth_compare_trees (const RspShape *shape, const SynthOrder *order);

/* All trees of the space of n threads, as rsp_trees_each. A program whose threads access one
 * location in local memory from different work-groups (synth_splits_local) does not count. */
gboolean synth_trees_each (const SynthSpace *space, guint n,
                           gboolean (*visit) (gpointer data, const RspNodes *nodes), gpointer data);
gboolean synth_splits_local (const RspShape *shape);

/* Is the shape the same with its threads in this order? */
gboolean synth_order_is_symmetry (const RspShape *shape, const SynthOrder *order);

/* How this order of the threads, which keeps the lengths, moves the events. */
void synth_order_moves (const RspShape *shape, const SynthOrder *order, SynthSymmetry *symmetry);

/* The outcome after the symmetry has moved the events. */
void rsp_synth_outcome_move (const RspShape *shape, const SynthSymmetry *symmetry,
                             const RspShapeOutcome *outcome, RspShapeOutcome *moved);

/* ---- Shapes --------------------------------------------------------------------------------- */

/* Orderly generation of shapes: one of each class of shapes that differ only by the names of
 * threads and locations. (Read, "Every one a winner", 1978; McKay, "Isomorph-free exhaustive
 * generation", 1998.)
 *
 * The canonical form is the least: threads longest first; events in program order, thread after
 * thread, compared by kind and location; locations numbered in the order of their first events;
 * then dependencies, event by event; then the scope tree, compared thread by thread. A shape that
 * some renaming of threads makes smaller is not generated: no shape is made only to be dropped as a
 * duplicate. */

/* Receives a shape with its symmetries, except the identity. FALSE ends the generation. */
typedef gboolean (*SynthVisitShape) (gpointer data, const RspShape *shape,
                                     const SynthSymmetry *symmetries, guint n_symmetries);

/* Visits every canonical shape of exactly n events, in a fixed order. FALSE if visit returned
 * FALSE. */
gboolean synth_shapes_each (const SynthSpace *space, guint n, SynthVisitShape visit, gpointer data);

/* ---- Pair ----------------------------------------------------------------------------------- */

/* Two judges over the same labels: all labellings under which they disagree.
 *
 * Every question about all programs of a shape is one of these. Two models on one shape:
 * distinguish. One model on a program and on the same with an operation strengthened: monotone. One
 * model on a program and on what a compiler makes of it: rewrites.
 *
 * The labels are decided attribute by attribute, and after each decision the judges say what holds
 * for every remaining labelling. A subtree without a possible disagreement of a kind sought is
 * pruned; nothing is lost, since verdicts on sets of labels hold for all their members
 * (extra/synth/shapes.h), whatever the models. Of labellings that a symmetry maps to each
 * other only the least is visited, and prefixes that cannot be the least are pruned. */

/* Kinds of disagreement, as bits. Outcomes count if both sides are defined. With
 * SynthPair.by_outcome, each outcome is judged by itself: executions are undefined, not programs.
 */
enum {
  SYNTH_ONLY_FIRST = 1, /* an outcome that the first side allows and the second forbids */
  SYNTH_ONLY_SECOND = 2,
  SYNTH_UNDEFINED_FIRST = 4, /* the first side is undefined, the second defined */
  SYNTH_UNDEFINED_SECOND = 8,
  SYNTH_ALL_DISAGREEMENTS = 15
};

/* One side: a shape under a judge. Event e has the label that variable[e] chooses from this side's
 * table. The side without a judge allows everything and is never undefined. */
typedef struct SynthSide {
  const RspShape *shape;
  RspJudge *judge; /* or NULL */
  const RspCandidates *candidates;
  guint8 variable[RSP_SHAPE_EVENTS];
  const RspLabel *labels[RSP_SHAPE_EVENTS]; /* per variable: the table */
  const guint *common; /* per outcome of the side: its number among the pair's outcomes */
} SynthSide;

typedef struct SynthPair SynthPair;

/* A labelling on which the sides disagree. */
typedef struct SynthEvidence {
  guint disagreements;             /* bits, all that hold */
  guint8 choice[RSP_SHAPE_EVENTS]; /* per variable: index into its tables */
  const guint8 *allowed[2];        /* per outcome of the pair: boolean */
  const guint8 *defined_in[2];     /* the same: by an execution that is defined */
  const guint8 *undefined_in[2];   /* the same: by one that is undefined */
  gboolean undefined[2];
} SynthEvidence;

/* FALSE ends the search. */
typedef gboolean (*SynthVisitEvidence) (gpointer data, const SynthEvidence *evidence);

struct SynthPair {
  SynthSide sides[2];
  guint n_variables;
  guint n_choices[RSP_SHAPE_EVENTS]; /* per variable; at most SYNTH_MAX_LABELS */
  guint n_outcomes;
  const SynthSymmetry *symmetries; /* of the variables */
  guint n_symmetries;
  guint sought; /* disagreements to search for */
  gboolean by_outcome;
  /* Called before visit for each set of labellings (per variable a set of choices) on which a
   * disagreement is possible; FALSE skips the set. surely: per outcome, whether the first side
   * allows it under all of them. May be NULL; may set other labels in the judges. */
  gboolean (*look) (gpointer data, const guint64 *domain, const guint8 *surely);
  SynthVisitEvidence visit;
  gpointer data;
  const gint *stop; /* set to end the search; or NULL */
  gboolean failed;  /* out: a model failed, reported in the judge's diagnostics */
};

/* ---- Program -------------------------------------------------------------------------------- */

/* Programs: a shape and its labels; their codes, names and texts. */

typedef struct SynthProgram {
  RspShape shape;
  RspLabel labels[RSP_SHAPE_EVENTS]; /* per event */
} SynthProgram;

/* A code is a word that identifies the program: equal codes, equal programs. Newly allocated. */
char *rsp_synth_program_code (const SynthProgram *program);

/* FALSE if the text is not a code. */
gboolean rsp_synth_program_decode (const char *code, const SynthSpace *space,
                                   SynthProgram *program);

/* A register or location as in conditions, and the value of a write: from 1 in each location.
 * write: its number, initial writes first. */
guint synth_register_number (const SynthProgram *program, guint event);
const char *synth_location_name (guint location);
guint synth_write_value (const SynthProgram *program, guint write);

/* The outcome as a proposition: registers, then locations with at least two writes. Newly
 * allocated. */
char *rsp_synth_outcome_format (const SynthProgram *program, const RspShapeOutcome *outcome);

/* Is the location declared atomic: is some access to it? */
gboolean synth_location_is_atomic (const SynthProgram *program, guint location);

/* ---- Question ------------------------------------------------------------------------------- */

/* Questions about all programs of a space: what each searches for in one shape, and what it
 * finds. */

/* One result: a program, and for questions about two programs the other one. */
typedef struct SynthFinding {
  SynthProgram program, other;
  gboolean has_other;
  guint kinds;         /* bits; their meaning is the question's: see SynthQuestion.kinds */
  guint outcome;       /* of the program's candidates */
  guint other_outcome; /* the same outcome among those of other */
  char *edit;          /* how other comes from program, or NULL; owned */
} SynthFinding;

void synth_finding_free (SynthFinding *finding);

/* As one line without a newline, and back. */
char *synth_finding_encode (const SynthFinding *finding);
/* NULL if it is not one */
SynthFinding *synth_finding_decode (const char *line, const SynthSpace *space);

/* The state of one thread of the search. */
typedef struct SynthWork {
  const SynthSpace *space;
  RspModel *const *models;
  guint n_models;
  const RspStageOptions *stage;
  const SynthTarget *target; /* of the question about a mapping; else NULL */
  RspDiagnostics *diagnostics;
  const gint *stop; /* set to end the work */
  guint sought;     /* kinds that are still searched for */
  GPtrArray *found; /* of SynthFinding */
  gboolean failed;  /* a model failed; reported in diagnostics */
} SynthWork;

/* Fills a side of a pair whose variables are the side's events, with the space's labels, and a
 * judge of a model. FALSE if the model failed. Free the judge. */
gboolean synth_side_init (SynthWork *work, SynthPair *pair, guint side, guint model,
                          const RspShape *shape, const RspCandidates *candidates,
                          const guint *common);

/* Searches the pair as a part of the work. FALSE if visit, stop or a failure ended it. */
gboolean synth_work_on (SynthWork *work, SynthPair *pair);

/* The program with the labels chosen. */
void synth_choose (const SynthWork *work, const RspShape *shape, const guint8 *choice,
                   SynthProgram *program);

/* Has the first program been found, if only that is requested? */
gboolean synth_target_is_enough (const SynthWork *work);

/* 0, 1, 2, … of n numbers. */
guint *synth_identity (guint n);

typedef struct SynthQuestion {
  const char *name; /* "distinguish" */
  guint n_models;
  guint n_kinds;
  gboolean about_outcomes; /* findings of one program differ in their outcomes */
  gboolean all_sizes;      /* every size is searched, whatever smaller ones show */
  gboolean by_outcome;     /* in languages with undefined flags, executions are undefined */
  const char *kinds[6];    /* what bit i of SynthFinding.kinds means, for records */
  /* Adds what is found in one shape to work->found. FALSE if it did not finish. */
  gboolean (*search) (SynthWork *work, const RspShape *shape, const SynthSymmetry *symmetries,
                      guint n_symmetries);
} SynthQuestion;

static inline gboolean synth_is_by_outcome (const SynthQuestion *question, RspLanguageId language) {
  return question->by_outcome && rsp_languages[language].undefined_flags;
}

extern const SynthQuestion rsp_synth_distinguish, rsp_synth_minimal, rsp_synth_monotone,
    rsp_synth_rewrites, rsp_synth_compile;

/* ---- Classes -------------------------------------------------------------------------------- */

/* Findings that differ only in their labels, and the weakest of them.
 *
 * A class has the findings of one shape that are of one kind, with the same edit, and, if the
 * question is about outcomes, with the same outcome; all of that up to the symmetries of the shape.
 * A finding of two kinds is in two classes. It is weakest if no other of its class has weaker or
 * equal labels in all places. */

typedef struct SynthClass {
  const SynthFinding *weakest; /* the first of the weakest in the order of the search */
  guint labellings;            /* findings of the class */
  guint n_weakest;
} SynthClass;

/* The classes (of SynthClass) of findings (of SynthFinding), in the order of their shapes. */
GArray *rsp_synth_classes_new (const SynthQuestion *question, const GPtrArray *found);

/* ---- Result --------------------------------------------------------------------------------- */

/* Results: findings with everything that is reported about them, checked again by the naive
 * engine. */

typedef struct SynthVerdict {
  const char *model; /* its label; the caller's */
  gboolean undefined, allowed;
  char *blame; /* "global_coherence; seq_cst + hb": minimal sets of axioms that forbid; if
                * undefined, the flags; or NULL */
} SynthVerdict;

typedef struct SynthResult {
  char *name, *text; /* of the test, and its litmus text */
  char *summary;     /* one line */
  char *outcome;     /* a proposition */
  char *kinds;       /* in words */
  /* NULL where the question is about one program. */
  char *other_name, *other_summary, *other_outcome, *other_text, *edit;
  GArray *verdicts; /* of SynthVerdict: per model; with another program: before, after */
  /* Of a finding that stands for a class; else NULL and 0. */
  char *shape;  /* the name of the program without its labels */
  char *reason; /* "opencl: undefined by data_race": the verdict that makes it a finding */
  char *twins;  /* the summary that twins share: see synth_program_twins */
  guint labellings, n_weakest;
} SynthResult;

/* labels: the models' names. NULL after an error: a model failed, or the naive engine does not
 * confirm the result, which diagnostics report as a bug. target: see SynthWork. */
SynthResult *rsp_synth_result_new (const SynthQuestion *question, const SynthFinding *finding,
                                   gboolean opencl, RspModel *const *models,
                                   const char *const *labels, guint n_models,
                                   const RspStageOptions *stage, const SynthTarget *target,
                                   RspDiagnostics *diagnostics);

/* Makes it the result for a class, of whose weakest finding it is. */
void rsp_synth_result_set_class (SynthResult *result, const SynthClass *class, gboolean opencl);
void rsp_synth_result_free (SynthResult *result);

/* "undefined", "allowed", "forbidden". */
const char *rsp_synth_verdict_word (const SynthVerdict *verdict);

/* Appends a JSON object in one line. */
void rsp_synth_result_json (const SynthResult *result, const SynthQuestion *question, GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SynthResult, rsp_synth_result_free)

/* ---- Search --------------------------------------------------------------------------------- */

/* The search of a space for a question's answer: sizes in turn, shapes in parallel. */

enum {
  SYNTH_BLOCK = 64 /* shapes that are searched, distributed and kept together */
};

/* Statistics of one size. */
typedef struct SynthSize {
  guint events;
  double programs; /* canonical ones */
  guint found;     /* findings */
  guint kinds;     /* of findings, also in other shares if the search needs to know */
} SynthSize;

typedef struct SynthSearch {
  const SynthQuestion *question;
  const SynthSpace *space;
  RspModel *const *models;
  guint n_models;
  const RspStageOptions *stage;
  const SynthTarget *target; /* as in SynthWork */
  RspDiagnostics *diagnostics;
  gboolean all;        /* continue to the largest size although all kinds were found */
  guint jobs;          /* threads; at least 1 */
  guint share, shares; /* share (from 0) of shares; 0 of 1: everything */
  const char *kept;    /* file of finished blocks (-resume), or NULL */
  const char *key;     /* key of the file's lines: question, models, space */
  gint *stop;          /* set by others to end the search */
  RspBudget budget;    /* its memory is that of findings; afterwards, the limit that was reached */
  /* Called from time to time, by one thread at a time; may be NULL. */
  void (*progress) (gpointer data, guint events, double done, double seconds);
  gpointer data;
  /* Out. */
  GPtrArray *found;  /* of SynthFinding, owned: in order of size, shape, labels */
  GArray *sizes;     /* of SynthSize, those that were begun */
  gboolean complete; /* has every relevant size been searched completely? */
} SynthSearch;

/* FALSE after an error, reported in diagnostics. */
gboolean rsp_synth_search_run (SynthSearch *search);
void rsp_synth_search_clear (SynthSearch *search);

/* ---- Tables --------------------------------------------------------------------------------- */

/* Tables: what the open rows of a mapping may become, cheapest first (-cheapest). */

typedef struct SynthTables SynthTables;

/* A row becomes one access or barrier with at most one fence before and one after it, a row of
 * fences one fence or nothing, all from the mapping's instructions with costs. On a machine, up to
 * two instructions without an access may surround an access, and up to three are a row of fences.
 * NULL after an error: no row is open, or nothing fits one. map and machine (NULL: the mapping is
 * to a language) must outlive the result. */
SynthTables *rsp_synth_tables_new (const RspMap *map, const RspMapMachine *machine,
                                   RspDiagnostics *diagnostics);
void rsp_synth_tables_free (SynthTables *tables);

/* The number of tables. */
double rsp_synth_tables_count (const SynthTables *tables);

/* Advances to the next table, cheapest first; FALSE after the last. */
gboolean rsp_synth_tables_next (SynthTables *tables);
guint64 rsp_synth_tables_cost (const SynthTables *tables);

/* The mapping with its rows filled; valid until the next table. */
const RspMap *rsp_synth_tables_map (const SynthTables *tables);

/* Called for each row that was open: "load sc", "fence.sc.$S; ld.acquire.$S". */
typedef void (*SynthRowVisit) (gpointer user, const char *head, const char *instructions);

void rsp_synth_tables_each_row (const SynthTables *tables, SynthRowVisit visit, gpointer user);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SynthTables, rsp_synth_tables_free)
