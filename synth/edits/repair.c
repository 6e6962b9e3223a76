/* Repair: the smallest sets of strengthenings that make a test defined, or without flags if it is.
 * (Compare Chakraborty, Krishna, Pavlogiannis, Tuppe, "GPUMC: a stateless model checker for GPU
 * weak memory concurrency", CAV 2025, which repairs one race at a time.) */
#include "synth/edits/repair.h"
#include "synth/edits/sites.h"
#include "synth/edits/version.h"

/* Is every level of version a no stronger than that of b? */
static gboolean is_within (const SynthTask *task, const guint8 *a, const guint8 *b) {
  for (guint i = 0; i < task->sites->len; i++)
    if (!synth_level_within (task->sites->pdata[i], a[i], b[i]))
      return FALSE;
  return TRUE;
}

static gboolean is_covered (const SynthTask *task, const guint8 *levels) {
  for (guint i = 0; task->found && i < task->found->len; i++)
    if (is_within (task, ((const SynthVersion *) task->found->pdata[i])->levels, levels))
      return TRUE;
  return FALSE;
}

static gboolean does (const SynthTask *task, const SynthAnswer *answer) {
  return answer->good && !answer->undefined && !(task->forbid && answer->reachable);
}

/* Tries all ways to make `left` more edits at sites from `from` on. FALSE if the work must end. */
static gboolean choose (SynthTask *task, guint8 *levels, guint from, guint left) {
  if (is_covered (task, levels))
    return TRUE;
  if (left == 0) {
    SynthAnswer answer;
    if (!synth_task_check (task, levels, &answer))
      return FALSE;
    if (does (task, &answer))
      synth_task_add (task, levels);
    g_free (answer.states);
    return TRUE;
  }
  for (guint i = from; i < task->sites->len; i++) {
    const SynthSite *site = task->sites->pdata[i];
    for (guint level = 0; level < site->n_levels; level++) {
      levels[i] = (guint8) level;
      if (level != site->own && !choose (task, levels, i + 1, left - 1))
        return FALSE;
    }
    levels[i] = (guint8) site->own;
  }
  return TRUE;
}

/* Levels are in an order that extends `within`, so that a version is found before those it covers,
 * except for versions that differ at several sites. */
static void drop_covered (SynthTask *task) {
  for (guint i = 0; task->found && i < task->found->len;) {
    const SynthVersion *version = task->found->pdata[i];
    gboolean covered = FALSE;
    for (guint k = 0; k < task->found->len && !covered; k++)
      covered = k != i
                && is_within (task, ((const SynthVersion *) task->found->pdata[k])->levels,
                              version->levels);
    if (covered)
      g_ptr_array_remove_index (task->found, i);
    else
      i++;
  }
}

/* Checks the test as it is. If no flag makes it undefined, those that it raises are what is
 * repaired. FALSE if the work must end. */
static gboolean check_own (SynthTask *task, const guint8 *levels, SynthAnswer *answer) {
  if (!synth_task_check (task, levels, answer))
    return FALSE;
  if (!answer->undefined && answer->flagged && !task->forbid)
    task->all_flags = answer->undefined = TRUE;
  return TRUE;
}

gboolean rsp_synth_repair (SynthTask *task, RspDiagnostics *diagnostics) {
  SynthAnswer answer;
  if (!task->sites)
    task->sites = rsp_synth_sites_find (task->program, SYNTH_STRONGER);
  task->complete = TRUE;
  guint8 *levels = rsp_synth_own_levels (task->sites);
  gboolean going_on = check_own (task, levels, &answer);
  task->already = going_on && does (task, &answer);
  if (going_on && !answer.good) {
    rsp_error (diagnostics, task->program->threads[0].span, NULL,
               "test %s: the unmodified test cannot be checked", task->program->name);
    going_on = task->complete = FALSE;
  }
  g_free (answer.states);
  for (guint n = 1; n <= task->most && going_on && !task->already; n++) {
    going_on = choose (task, levels, 0, n);
    if (task->found && !task->all)
      break;
  }
  g_free (levels);
  drop_covered (task);
  synth_task_sort (task, TRUE);
  return task->complete;
}
