/* Surveys: the candidate executions of an outcome, up to a number, by the axioms that they fail. */
#pragma once

#include "explain/scene.h"

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
