#pragma once

#include "enumerator/execution.h"
#include "enumerator/query/query.h"
#include "enumerator/search/search.h"
#include "model/stage/stage.h"
#include "report/explanation.h"

/* ---- Costs ---------------------------------------------------------------------------------- */

/* Costs of edges: the size of a derivation if an edge is in a term, or of what is missing if it is
 * not. Both are computed for all pairs at once, by the rules of the term's operators over (minimum,
 * plus) in place of (or, and): a sequence is a matrix product, a closure shortest paths (Floyd
 * 1962). */

enum {
  COST_INFINITE = 1 << 24,
  COST_UNIT = 256,            /* unit of what is missing; the steps of a path cost less */
  COST_FIXED = 64 * COST_UNIT /* cost of what no change of a word would achieve */
};

typedef struct Costs Costs;

/* The cost of (a, b) in the term; for a set, only a matters. */
guint cost_of (Costs *costs, const RspTraceTerm *term, guint a, guint b);

/* Paths along the edges of a relation: the cost of a shortest one of at least one edge, from and to
 * each event (n × n); and the event after `from` on one. Edges cost at least 1. */
const guint *costs_of_paths (Costs *costs, const RspTraceTerm *relation);
guint costs_next (Costs *costs, const RspTraceTerm *relation, guint from, guint to);
gboolean term_has (const RspTraceTerm *term, guint a, guint b);

/* ---- Steps ---------------------------------------------------------------------------------- */

/* Steps: why an edge is in a term, or what is missing if it is not. */

typedef struct Steps {
  const RspPreExecution *pre;
  RspArena *arena; /* of the steps */
  Costs *sizes, *missing;
  GHashTable *mentioned; /* name → RspTraceTerm: those of the steps, defined and base */
} Steps;

/* For terms over the events of pre, which must outlive it. */
Steps *steps_new (const RspPreExecution *pre, RspArena *arena);
void steps_free (Steps *steps);

/* Why (a, b) is in the term: a shortest derivation. For a set, only a matters. */
const RspStep *steps_derive (Steps *steps, const RspTraceTerm *term, guint a, guint b);

/* ---- Scene ---------------------------------------------------------------------------------- */

/* Scenes: an execution under the trace of the model, from which steps are drawn. */

/* Shared by all explanations of one test under one model. */
typedef struct Explaining {
  const RspModel *model;
  const RspCheckOptions *options;
  RspQuery *query;
  RspArena *arena;   /* of the explanations */
  RspArena *scratch; /* of executions */
  RspDiagnostics *diagnostics;
} Explaining;

/* To be closed, which frees the query. Explanations, which go into the arena, stay. */
Explaining explaining_open (RspQuery *query, const RspModel *model, const RspCheckOptions *options,
                            RspArena *arena, RspDiagnostics *diagnostics);
void explaining_close (Explaining *explaining);

/* A warning about what is missing, if a limit was reached. */
void explaining_warn (const Explaining *explaining, const char *missing);

typedef struct Scene {
  RspArena *arena;
  const RspExecution *execution;
  RspTrace *trace;
  Steps *steps;
} Scene;

/* FALSE if the model cannot be traced on the execution (the budget is exhausted); otherwise call
 * scene_close. */
gboolean scene_open (Scene *scene, Explaining *explaining, const RspExecution *execution);

/* Closes it, and returns the execution as a view with the relations that its steps mention. */
const RspExecutionView *scene_close (Scene *scene, Explaining *explaining);

/* Why the axiom fails: see RspViolation. */
RspViolation scene_violation (Scene *scene, Explaining *explaining, const RspTracedAxiom *axiom);

/* ---- Survey --------------------------------------------------------------------------------- */

/* Surveys: the candidate executions of an outcome, up to a number, by the axioms that they fail. */

typedef struct SurveyGroup {
  const char **failed; /* ids, NULL-terminated, in the model's order */
  guint64 n;           /* executions */
  RspExecution *least; /* the first of those with the fewest derived edges */
} SurveyGroup;

typedef struct Survey {
  GPtrArray *groups; /* of SurveyGroup, in order of their first execution */
  guint64 seen, limit;
  gboolean complete; /* have all executions been seen? */
  RspArena *arena;
} Survey;

/* Surveys at most `limit` executions that answer the question. */
Survey *survey_new (Explaining *explaining, const RspQuestion *question, guint64 limit);
void survey_free (Survey *survey);

/* ---- Blame ---------------------------------------------------------------------------------- */

/* Blame: the minimal sets of axioms without which the model would allow the outcome. */

/* One minimal set with an execution that fails just its axioms. */
typedef struct BlameSet {
  const char **axioms; /* NULL-terminated */
  guint n;
  guint64 candidates; /* or RSP_MANY_CANDIDATES */
  const RspExecution *execution;
} BlameSet;

/* The BlameSets (free with g_free), smallest first, of an outcome that no execution of the model
 * has. survey: of its candidates. *more: may there be others, none of them smaller? */
GPtrArray *blame_find (Explaining *explaining, const RspProp *outcome, const Survey *survey,
                       gboolean *more);

/* ---- Flags ---------------------------------------------------------------------------------- */

/* Flags: why an execution raises one. */

/* Why the scene's execution raises the flag; FALSE if it does not. The caller sets the reason's
 * execution. */
gboolean reason_of_flag (Scene *scene, Explaining *explaining, const char *flag,
                         RspFlagReason *reason);

/* ---- Unreachable ---------------------------------------------------------------------------- */

/* Outcomes that cannot happen under any model. */

/* Sentences (in the explanations' arena, NULL-terminated) on an outcome that no candidate has. */
const char **unreachable_reasons (Explaining *explaining, const RspProp *outcome);

/* ---- View ----------------------------------------------------------------------------------- */

/* Views: executions as plain data, with the model's relations on them. */

/* "a", "b", … in the order of events; "i0", … of initial writes. */
const char *view_event_id (const RspPreExecution *pre, guint event, RspArena *arena);

/* The final state: name, value, name, value, …; NULL. */
const char **view_state (const RspExecution *execution, RspArena *arena);

/* trace: of the model on the execution. mentioned: name → term, or NULL. Lives in arena, and refers
 * to nothing else. */
RspExecutionView *view_new (const RspExecution *execution, const RspTrace *trace,
                            GHashTable *mentioned, RspArena *arena);
