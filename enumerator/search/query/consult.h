/* Answers of the solver's oracle as executions. */
#pragma once

#include "enumerator/search/query/collected.h"
#include "enumerator/search/sat/oracle.h"

typedef struct Consult Consult;

/* Of combinations that need not be listed. NULL if the solver cannot take them. The query's own
 * must outlive it. */
Consult *consult_new (const RspProgram *program, const RspModel *model,
                      const RspCheckOptions *options, const RspCombinations *combinations,
                      RspBudget *budget, RspDiagnostics *diagnostics);
void consult_free (Consult *consult);

/* Receives a part and an execution of it, which answers if the model's verdict is as the question
 * demands. */
typedef void (*ConsultVisit) (gpointer data, RspQueryPart *part, const RspExecution *execution);

/* Is there an execution that answers the question? If so, one is visited, with each choice of final
 * writes; its part stays. SAT_UNKNOWN: that is not known. */
SatAnswer consult_find (Consult *consult, const RspQuestion *question, ConsultVisit visit,
                        gpointer data);
