#include "report/judge.h"
#include "report/suite.h"

const char *const rsp_judged_names[]
    = { "Agrees", "Racy", "Violation", "Bounded", "NotJudged", NULL };

/* If unrolling truncated the model's loops, a state that the model lacks may be that of an
 * execution with more rounds, unless the device also dropped those. */
static gboolean
same_rounds (const RspRecord *seen, const RspRecord *allowed)
{
  g_autofree char *option = g_strdup_printf ("unroll=%u ", seen->rounds);
  return seen->rounds && allowed->options && g_str_has_prefix (allowed->options, option);
}

RspJudged
rsp_judge (const RspRecord *seen, const RspRecord *allowed)
{
  if (!rsp_records_are_compared (seen, allowed))
    return RSP_JUDGED_NOT;
  if (rsp_record_is_undefined (allowed))
    return RSP_JUDGED_RACY;
  g_autoptr (GPtrArray) extra = rsp_records_only_in (seen, allowed);
  if (!extra->len)
    return RSP_JUDGED_AGREES;
  return allowed->loop && !same_rounds (seen, allowed) ? RSP_JUDGED_BOUNDED : RSP_JUDGED_VIOLATION;
}

void
rsp_judge_record (RspRecord *seen, const RspRecord *allowed)
{
  g_autoptr (GPtrArray) not_allowed = rsp_records_are_compared (seen, allowed)
                                          ? rsp_records_only_in (seen, allowed)
                                          : g_ptr_array_new ();
  g_autoptr (GPtrArray) not_seen = rsp_records_are_compared (seen, allowed)
                                       ? rsp_records_only_in (allowed, seen)
                                       : g_ptr_array_new ();
  RspJudgement judgement = { .model = allowed->model,
                             .judged = rsp_judge (seen, allowed),
                             .not_allowed = not_allowed,
                             .not_seen = not_seen };
  rsp_record_add_judgement (seen, &judgement);
}

gboolean
rsp_record_is_violation (const RspRecord *record)
{
  for (guint i = 0; i < record->judgements->len; i++)
    if (g_array_index (record->judgements, RspJudgement, i).judged == RSP_JUDGED_VIOLATION)
      return TRUE;
  return FALSE;
}
