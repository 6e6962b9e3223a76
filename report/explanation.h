/* Explanations as values: why a model allows, forbids or leaves undefined an outcome of a test.
 *
 * They are self-contained data, from which reports (text, JSON, pictures, the page) are made.
 * Events are numbered from 0 per execution; everything lives in the explanation's arena. */
#pragma once

#include "base/base.h"
#include "model/matrix.h"
#include "model/trace_op.h"
#include "parser/program.h"
#include "public/rspcheck-enums.h"

#define RSP_VIEW_INITIAL G_MAXUINT /* RspViewEvent.thread of initial writes */

typedef struct RspViewEvent {
  const char *id;     /* "a", "b", …; "i0", … for initial writes */
  guint thread;       /* index into the view's threads, or RSP_VIEW_INITIAL */
  guint line, column; /* of the test; 0 if it is nowhere in the text */
  const char *source; /* as the test has it: "*x = 1" */
  const char *text;   /* "R(acq,dev)x=1" */
  const char **sets;  /* NULL-terminated: the base sets it is in, by their first names */
  const char *location, *read, *written; /* NULL if it has none */
} RspViewEvent;

typedef struct RspViewThread {
  guint number;              /* 0 of P0 */
  guint place[RSP_N_LEVELS]; /* nodes of the scope tree: see RspThread */
} RspViewThread;

typedef enum RspViewKind {
  RSP_VIEW_BASE,    /* of the execution itself, or chosen by the model */
  RSP_VIEW_DEFINED, /* defined by the model */
  RSP_VIEW_SHOWN    /* the relations that a `show` of the model names */
} RspViewKind;

/* A set (its elements related to themselves) or relation, in full. */
typedef struct RspViewRelation {
  const char *name;
  RspViewKind kind;
  gboolean is_set;
  gboolean mentioned; /* by a step of the explanation */
  gboolean hidden;    /* by `unshow` */
  const RspMatrix *pairs;
} RspViewRelation;

/* One execution as plain data. */
typedef struct RspExecutionView {
  guint n; /* events: initial writes first, then thread by thread in program order */
  const RspViewEvent *events;
  const RspViewThread *threads;
  guint n_threads;
  gboolean scoped;                  /* does the language have a scope tree? */
  const char *levels[RSP_N_LEVELS]; /* what a reader calls them; NULL: the test has no such level */
  const RspViewRelation *relations; /* names are unique within a kind; base relations first */
  guint n_relations;
  const char **state;            /* name, value, name, value, …; NULL */
  const char **failed, **raised; /* ids of axioms; see RspExecution */
} RspExecutionView;

/* One edge, and why it is there or not. Elements of sets are edges from themselves to themselves.
 */
typedef struct RspStep RspStep;

struct RspStep {
  guint from, to;
  const char *relation; /* the author's name for it, or else the expression */
  gboolean named;       /* it is a name */
  gboolean is_set;
  gboolean absent; /* is it not an edge? Then steps are the smallest set of missing edges that would
                    * make it one */
  RspTraceOp as;   /* how the edge follows from its steps */
  const RspStep *const *steps;
  guint n_steps;
};

typedef struct RspViolation {
  const char *axiom; /* its id */
  RspcheckAxiomKind kind;
  gboolean negated; /* is the axiom negated? Then there is nothing to show, and no steps */
  guint line;       /* of the axiom in its file */
  const char *file;
  const char *relation;        /* that is checked */
  const RspStep *const *steps; /* acyclic: edges end to end, back to the first; else one edge */
  guint n_steps;
} RspViolation;

#define RSP_MANY_CANDIDATES G_MAXUINT64 /* too many to count */

typedef struct RspBlame {
  const char **axioms; /* NULL-terminated, in the model's order */
  guint64 candidates; /* executions with the outcome that fail just these; or RSP_MANY_CANDIDATES */
  const RspExecutionView *execution; /* one of them */
  const RspViolation *violations;    /* one per axiom, in order */
  guint n_violations;
} RspBlame;

typedef struct RspFlagReason {
  const char *flag;
  gboolean undefined; /* it makes the program undefined */
  const RspExecutionView *execution;
  guint from, to; /* the pair (or twice the event); G_MAXUINT if the flag is not about a pair */
  const RspStep *const *steps; /* what holds for the pair */
  guint n_steps;
  const RspStep *const *absent; /* what does not hold */
  guint n_absent;
} RspFlagReason;

typedef struct RspExplanation {
  const char *question; /* "1:r0=1 /\ 1:r1=0" */
  RspcheckAnswer answer;
  const char **reasons; /* NULL-terminated. ALLOWED: why it is not certain; UNREACHABLE: sentences
                         * about what cannot happen; UNKNOWN: why the search ended */
  const RspExecutionView *witness; /* ALLOWED; else NULL */
  const RspStep *const *steps;     /* of the witness: the model's orders between two threads */
  guint n_steps;
  const RspBlame *blames; /* FORBIDDEN: minimal sets, smallest first */
  guint n_blames;
  gboolean more_blames; /* there may be further minimal sets, none smaller than those given */
} RspExplanation;

/* All explanations of one test under one model. */
typedef struct RspExplanations {
  RspArena *arena;
  RspExplanation *outcomes;
  guint n_outcomes;
  RspFlagReason *flags;
  guint n_flags;
} RspExplanations;

/* ---- Candidates: executions to step through, allowed or not ---- */
typedef struct RspCandidateView {
  const RspExecutionView *execution;
  const RspViolation *violations; /* one per failed axiom */
  guint n_violations;
  const RspFlagReason *flags; /* one per flag raised; their executions are NULL */
  guint n_flags;
} RspCandidateView;

/* The candidates with one final state that fail the same axioms. */
typedef struct RspCandidateGroup {
  const char *state;   /* as the log has it: "1:r0=1; x=2;" */
  const char **failed; /* ids of axioms, NULL-terminated: none if the model accepts them */
  guint64 n;           /* how many there are */
  const RspCandidateView *candidates; /* some of them, fewest derived edges first */
  guint n_candidates;
} RspCandidateGroup;

typedef struct RspCandidateViews {
  const char **axioms;       /* ids of the model's plain axioms, NULL-terminated */
  RspCandidateGroup *groups; /* by state, in order of appearance; of a state, fewest failed first */
  guint n_groups;
  gboolean complete; /* are all candidates counted? */
} RspCandidateViews;

RspExplanations *rsp_explanations_new (void);
void rsp_explanations_free (RspExplanations *explanations);
const char *rsp_answer_name (RspcheckAnswer answer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspExplanations, rsp_explanations_free)
