/* Private to query/: a question while parts are searched for answers. */
#pragma once

#include "enumerator/search/bounded/share/common.h"
#include "enumerator/search/query/consult.h"
#include "enumerator/search/query/cores.h"
#include "enumerator/search/query/collected.h"

struct RspQuery {
  RspProgram program; /* the test, with the outcome in question as its condition */
  const RspModel *model;
  RspCheckOptions options;
  RspDiagnostics *diagnostics;
  RspBudget budget;
  RspCombinations *combinations;
  GPtrArray *parts; /* of RspQueryPart, per combination: NULL until it is staged */
  /* What is known about the combinations for the outcome of the last question. */
  const RspProp *outcome;
  Cores *cores;
  guint last_part;    /* answered questions */
  gboolean may_ask;   /* the solver */
  gboolean is_listed; /* are all combinations parts? */
  Consult *consult;   /* the solver's answers; NULL: not asked so far */
};

/* One question about one staged model. */
typedef struct Attempt {
  RspQuery *query;
  const RspQuestion *question;
  RspQueryVisit visit;
  gpointer data;
  RspQueryPart *part;
  guint number;            /* of the part */
  guint index;             /* of the staged model in the part */
  gboolean first;          /* only the first answer counts */
  gboolean ended;          /* has the visit ended? */
  guint steps;             /* of all searches so far */
  RspCommon *common;       /* their shared part; NULL if they share nothing */
  GArray *core, *all_core; /* axioms that had an effect in searching this part, and in any search so
                            * far */
  gboolean answered;       /* does this part have an answer? */
  gboolean remembers;      /* has a search of it used results of another one? */
} Attempt;

extern const RspProp query_always; /* a condition that always holds */

/* Judges an execution, and if it answers the question hands it to the visit. */
void attempt_evaluate (Attempt *attempt, const RspStagedModel *model, RspValuation *valuation,
                       RspExecution *execution);
/* Searches a part, which is attempt->part. */
void attempt_search_part (Attempt *attempt, guint part);
