/* Answers of the solver's oracle as executions. */
#ifndef RSP_ENUMERATOR_SEARCH_QUERY_ASKED_H
#define RSP_ENUMERATOR_SEARCH_QUERY_ASKED_H

#include "enumerator/search/combinations.h"
#include "enumerator/search/sat/oracle.h"

typedef struct Asked Asked;

/* Of combinations that need not be listed. NULL if the solver cannot take them. The query's own must outlive it. */
Asked *asked_new (const RspProgram *program, const RspModel *model, const RspCheckOptions *options,
                  const RspCombinations *combinations, RspBudget *budget,
                  RspDiagnostics *diagnostics);
void asked_free (Asked *asked);

/* Receives a part and an execution of it, which answers if the model's verdict is as the question demands. */
typedef void (*AskedVisit) (gpointer data, RspQueryPart *part, const RspExecution *execution);

/* Is there an execution that answers the question? If so, one is visited, with each choice of final writes; its part
 * stays. SAT_UNKNOWN: that is not known. */
SatAnswer asked_find (Asked *asked, const RspQuestion *question, AskedVisit visit, gpointer data);

#endif
