#include "explain/candidates/survey.h"

enum {
  MAX_STEPS = 4000 /* of the search: some candidates are hard to find */
};

static SurveyGroup *obtain_group (Survey *survey, const RspExecution *execution) {
  for (guint i = 0; i < survey->groups->len; i++) {
    SurveyGroup *group = survey->groups->pdata[i];
    if (g_strv_equal ((const char *const *) group->failed, (const char *const *) execution->failed))
      return group;
  }
  SurveyGroup *group = g_new0 (SurveyGroup, 1);
  g_ptr_array_add (survey->groups, group);
  return group;
}

static gboolean add_execution (gpointer data, const RspExecution *execution) {
  Survey *survey = data;
  if (survey->seen++ == survey->limit)
    return FALSE;
  SurveyGroup *group = obtain_group (survey, execution);
  if (!group->least || execution->n_derived < group->least->n_derived) {
    group->least = rsp_execution_copy (execution, survey->arena);
    group->failed = group->least->failed;
  }
  group->n++;
  return TRUE;
}

Survey *survey_new (Explaining *explaining, const RspQuestion *question, guint64 limit) {
  Survey *survey = g_new0 (Survey, 1);
  survey->groups = g_ptr_array_new_with_free_func (g_free);
  survey->limit = limit;
  survey->arena = explaining->scratch;
  RspQuestion bounded = *question;
  bounded.max_steps = MAX_STEPS;
  survey->complete = rsp_query_each (explaining->query, &bounded, add_execution, survey);
  return survey;
}

void survey_free (Survey *survey) {
  g_ptr_array_unref (survey->groups);
  g_free (survey);
}
