#pragma once

#include "enumerator/execution.h"
#include "enumerator/outcome.h"
#include "enumerator/search/search.h"
#include "model/dag/dag.h"
#include "model/model.h"
#include "model/stage/stage.h"

/* ---- Collected ------------------------------------------------------------------------------ */

/* The combinations of paths of a program, one path per thread, for other questions than a check's.
 */

typedef struct RspCombinations RspCombinations;

/* The same with the paths only, until combinations_list. */
RspCombinations *rsp_combinations_open (const RspProgram *program, const RspModel *model,
                                        const RspCheckOptions *options);

/* Per thread: of RspPath. */
GPtrArray *const *rsp_combinations_all_paths (const RspCombinations *combinations);
void rsp_combinations_free (RspCombinations *combinations);

/* ---- Part ----------------------------------------------------------------------------------- */

/* One combination of paths, staged. Parts that answered a question stay until the query is
 * freed, others until they are released. */
typedef struct RspQueryPart {
  RspArena *arena;
  RspPreExecution *pre;
  RspStaging *staging;
  RspValuation **valuations; /* per staged model: evaluates its axioms and names; made when
                              * needed */
  gboolean answered;         /* has an execution of it answered a question? */
} RspQueryPart;

/* ---- Query ---------------------------------------------------------------------------------- */

/* Queries: is there an execution with this outcome, for which these axioms hold and those fail?
 * Which?
 *
 * The bounded engine answers: required axioms take part in the search as plain axioms, axioms that
 * must fail as their negation, and the others not at all. Every execution found is then evaluated
 * under the whole model, which shows the axioms that it fails. */

typedef struct RspQuery RspQuery;

/* Ids are those of RspStagedAxiom; arrays are NULL-terminated, and NULL is an empty one. An axiom
 * that is in none of the lists must hold, unless any_others. */
typedef struct RspQuestion {
  const RspProp *outcome;      /* of the program's observables; NULL: any */
  const char *const *required; /* plain axioms that must hold (of use with any_others) */
  const char *const *dropped;  /* plain axioms that may hold or fail */
  const char *const *failing;  /* plain axioms that must fail */
  const char *raised;          /* a flag (or requirement's name) that must be raised; or NULL */
  /* For rsp_query_ask_part: raised by a pair of events for which this holds (twice the event of a
   * set). */
  gboolean (*counts) (gconstpointer data, const RspEvent *a, const RspEvent *b);
  gconstpointer data;
  gboolean any_others; /* all other plain axioms may hold or fail */
  guint max_steps;     /* limit of the search's steps in total, after which it gives up; 0: no
                        * limit */
  guint first_part;    /* the part to begin with; those before it come last */
} RspQuestion;

/* A test under a model. The program, the model and the options' arrays must outlive it. Options
 * such as engine and speedcheck are ignored, but `through` applies: axioms that it lets fail need
 * not hold. The threads' paths are computed here, once. */
RspQuery *rsp_query_new (const RspProgram *program, const RspModel *model,
                         const RspCheckOptions *options);

/* The same under -engine sat, and auto, if there are many combinations of paths: where the search
 * for a first answer would give up, the solver is asked. If they are too many to list, it alone
 * finds first answers, there are no parts, and nothing is visited. */
RspQuery *rsp_query_new_consulting (const RspProgram *program, const RspModel *model,
                                    const RspCheckOptions *options);

/* The same for rsp_query_ask_part: if there are many combinations, they are listed only by
 * rsp_query_list. */
RspQuery *rsp_query_new_solving (const RspProgram *program, const RspModel *model,
                                 const RspCheckOptions *options);
void rsp_query_list (RspQuery *query);

/* The same about one combination of paths, which must outlive it too, under the options' engine.
 * The budget is copied. */
RspQuery *rsp_query_new_of (const RspProgram *program, const RspModel *model,
                            const RspCheckOptions *options, const RspPath *const *paths,
                            const RspBudget *budget);
void rsp_query_free (RspQuery *query);

/* The query's own copy of the program: executions refer to it. */
const RspProgram *rsp_query_program (const RspQuery *query);

/* COMPLETE while questions can be answered; otherwise the reason (time-out, an error in the model,
 * …). */
RspcheckStop rsp_query_stop (const RspQuery *query);
RspBudget *rsp_query_budget (RspQuery *query);
RspDiagnostics *rsp_query_diagnostics (RspQuery *query);

/* Combinations of paths, none of which fails. Part i is staged now, if it was not before; NULL if
 * the budget is exhausted or the model fails on it. */
guint rsp_query_n_parts (const RspQuery *query);
RspQueryPart *rsp_query_part (RspQuery *query, guint i);

/* Releases a part that is no longer used; it may be staged again later. */
void rsp_query_release_part (RspQuery *query, guint i);

/* Receives an execution, which is valid during the call; FALSE ends the visit. */
typedef gboolean (*RspQueryVisit) (gpointer data, const RspExecution *execution);

/* Visits every execution that answers the question, each once, in a fixed order. FALSE if there may
 * be more: the visit ended, max_steps were made, or the budget is exhausted. */
gboolean rsp_query_each (RspQuery *query, const RspQuestion *question, RspQueryVisit visit,
                         gpointer data);

/* The first of them, which lives in arena and refers to the query; NULL if there is none.
 * *given_up (unless NULL): none was found, but max_steps were made or the budget is exhausted. */
RspExecution *rsp_query_find (RspQuery *query, const RspQuestion *question, RspArena *arena,
                              gboolean *given_up);

/* A part with an execution in which the question's flag is raised and all axioms hold, by the
 * solver; NULL if there is none, or *known is FALSE. */
RspQueryPart *rsp_query_ask_part (RspQuery *query, const RspQuestion *question, gboolean *known);

/* A part with the execution in which the threads run one after the other, if the solver may be
 * asked and all axioms hold of it; or NULL. */
RspQueryPart *rsp_query_serial_part (RspQuery *query);

/* A node of the staged model of such a part in that execution. */
RspMatrix *rsp_query_see (RspQuery *query, const RspQueryPart *part, RspNodeId node,
                          RspArena *arena);

/* The part of the execution that was found last. */
guint rsp_query_last_part (const RspQuery *query);

/* Is there an execution of one part under one of its staged models with these plain axioms
 * (RspStagedAxiom, on nodes of its DAG) and no others? For questions about single pairs. */
gboolean rsp_query_is_possible (RspQuery *query, RspQueryPart *part, const RspStagedModel *model,
                                const GArray *axioms);

/* May a plain axiom fail under the query's `through`? */
gboolean rsp_query_goes_through (const RspQuery *query, const RspStagedAxiom *axiom);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspQuery, rsp_query_free)

/* ---- Question ------------------------------------------------------------------------------- */

/* Questions about a staged model: what they demand of its axioms, and whether an execution answers
 * them. */

typedef enum Demand { DEMAND_NOTHING, DEMAND_HOLDS, DEMAND_FAILS } Demand;

/* What a question demands of an axiom, by its id; parts of a choice have no id and always hold.
 * through: the query's. */
Demand rsp_question_demand (const RspQuestion *question, RspcheckThrough through,
                            const RspStagedAxiom *axiom);
