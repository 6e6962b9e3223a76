/* Answers of the solver's oracle as executions. */
#pragma once

#include "enumerator/query/query.h"
#include "enumerator/sat/sat.h"

typedef struct Consult Consult;

/* Receives a part and an execution of it, which answers if the model's verdict is as the question
 * demands. */
typedef void (*ConsultVisit) (gpointer data, RspQueryPart *part, const RspExecution *execution);
