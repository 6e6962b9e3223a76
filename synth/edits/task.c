#include "synth/edits/task.h"
#include "synth/edits/sites.h"
#include "synth/edits/version.h"

#include "parser/litmus/parse.h"

#include <string.h>

enum {
  MOST_STEPS
  = 128 /* of a search for what ruled out earlier versions, before the version is checked */
};

static void free_version (gpointer data) {
  g_free (((SynthVersion *) data)->levels);
  g_free (data);
}

void rsp_synth_task_clear (SynthTask *task) {
  g_clear_pointer (&task->sites, g_ptr_array_unref);
  g_clear_pointer (&task->found, g_ptr_array_unref);
  g_clear_pointer (&task->reasons, g_ptr_array_unref);
  g_clear_pointer (&task->witnesses, synth_witnesses_free);
}

/* The number of levels between the test's level and this one; a fence is one step, whatever its
 * order. */
static guint count_steps (const SynthSite *site, guint level) {
  guint low = MIN (site->own, level), high = MAX (site->own, level), n = 0;
  if (site->kind == SYNTH_EDIT_FENCE)
    return low != high;
  for (guint i = low + 1; i <= high; i++)
    n += synth_level_within (site, low, i) && synth_level_within (site, i, high);
  return n;
}

static guint cost_of (const SynthTask *task, const guint8 *levels) {
  guint cost = 0;
  for (guint i = 0; i < task->sites->len; i++) {
    const SynthSite *site = task->sites->pdata[i];
    cost += task->costs[site->kind] * count_steps (site, levels[i]);
  }
  return cost;
}

void synth_task_add (SynthTask *task, const guint8 *levels) {
  SynthVersion *version = g_new (SynthVersion, 1);
  if (!task->found)
    task->found = g_ptr_array_new_with_free_func (free_version);
  version->levels = g_memdup2 (levels, task->sites->len + 1);
  version->cost = cost_of (task, levels);
  g_ptr_array_add (task->found, version);
}

/* Equal costs: by the place of what is changed. */
static int by_cost (gconstpointer a, gconstpointer b, gpointer data) {
  const SynthVersion *x = *(SynthVersion *const *) a, *y = *(SynthVersion *const *) b;
  const SynthTask *task = data;
  if (x->cost != y->cost)
    return x->cost < y->cost ? -1 : 1;
  return memcmp (x->levels, y->levels, task->sites->len);
}

void synth_task_sort (SynthTask *task, gboolean cheapest) {
  if (!task->found)
    task->found = g_ptr_array_new_with_free_func (free_version);
  g_ptr_array_sort_with_data (task->found, by_cost, task);
  for (guint i = 0; !cheapest && i < task->found->len / 2; i++) {
    gpointer *a = &task->found->pdata[i];
    gpointer *b = &task->found->pdata[task->found->len - 1 - i];
    gpointer swapped = *a;
    *a = *b;
    *b = swapped;
  }
}

/* ---- Checking a version ---- */

static void format_state (const RspOutcome *outcome, guint state, GString *text) {
  for (guint k = 0; k < outcome->n_printed; k++) {
    rsp_outcome_format_value (outcome, &outcome->states[state], k, text);
    g_string_append_c (text, ' ');
  }
  g_string_append_c (text, '\n');
}

static void answer_from (SynthAnswer *answer, const RspOutcome *outcome, gboolean all_flags) {
  GString *states = g_string_new (NULL);
  for (guint i = 0; i < outcome->n_states; i++)
    format_state (outcome, i, states);
  answer->good = outcome->stop == RSPCHECK_STOP_COMPLETE && !outcome->failure;
  for (guint i = 0; i < outcome->n_flags; i++) {
    answer->flagged |= synth_flag_counts (&outcome->flags[i], TRUE);
    answer->undefined |= synth_flag_counts (&outcome->flags[i], all_flags);
  }
  answer->reachable = rsp_outcome_may_hold (outcome);
  answer->states = g_string_free (states, FALSE);
}

/* A state that `own` does not have, or n_states. */
static guint find_new_state (const SynthAnswer *own, const RspOutcome *outcome) {
  g_auto (GStrv) lines = g_strsplit (own->states, "\n", -1);
  g_autoptr (GString) text = g_string_new (NULL);
  guint i = 0;
  for (; i < outcome->n_states; i++) {
    g_string_truncate (text, 0);
    format_state (outcome, i, text);
    g_string_truncate (text, text->len - 1);
    if (!g_strv_contains ((const char *const *) lines, text->str))
      break;
  }
  return i;
}

/* Remembers what rules this version out, for later ones. */
static void learn (SynthTask *task, const RspOutcome *outcome) {
  const SynthAnswer *own = task->own;
  if (!(own && own->undefined))
    synth_reasons_add_flags (task->reasons, outcome, task->all_flags);
  if (!own && task->forbid && rsp_outcome_may_hold (outcome))
    synth_reasons_add_condition (task->reasons);
  guint state = own ? find_new_state (own, outcome) : outcome->n_states;
  if (state < outcome->n_states)
    synth_reasons_add_state (task->reasons, outcome, state);
}

static gboolean is_exhausted (const SynthTask *task) {
  return (task->stop && g_atomic_int_get (task->stop))
         || (task->deadline && g_get_monotonic_time () > task->deadline);
}

RspCheckOptions rsp_synth_task_options (const SynthTask *task) {
  RspCheckOptions options = *task->check;
  if (task->deadline)
    options.timeout = MAX (1e-6 * (double) (task->deadline - g_get_monotonic_time ()), 1e-3);
  return options;
}

typedef struct Checking {
  SynthTask *task;
  const guint8 *levels;
} Checking;

static void add_witness (gpointer data, const RspExecution *execution, const char *flag) {
  const Checking *checking = data;
  SynthTask *task = checking->task;
  if (!task->own) /* versions that weaken the test are not what witnesses are about */
    synth_witnesses_add (task->witnesses, checking->levels, execution, flag);
}

static gboolean refute (SynthTask *task, const RspProgram *program, const guint8 *levels,
                        guint max_steps) {
  Checking checking = { task, levels };
  RspCheckOptions options = rsp_synth_task_options (task);
  return synth_reasons_refute (task->reasons, program, task->model, &options, max_steps,
                               add_witness, &checking);
}

/* What rules it out is looked for once more if it was found in another way, since it serves for
 * other versions. */
static void check_program (SynthTask *task, const RspProgram *program, const guint8 *levels,
                           SynthAnswer *answer) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  if (refute (task, program, levels, MOST_STEPS))
    return;
  RspCheckOptions options = rsp_synth_task_options (task);
  options.speedcheck = RSPCHECK_SPEED_EXACT; /* whose verdicts are of some executions only */
  options.verdict = !task->own;
  g_autoptr (RspOutcome) outcome = rsp_check (program, task->model, &options, diagnostics);
  answer_from (answer, outcome, task->all_flags);
  if (outcome->stop != RSPCHECK_STOP_COMPLETE) {
    task->complete = FALSE;
    return;
  }
  learn (task, outcome);
  if (!task->own && (answer->undefined || (task->forbid && answer->reachable)))
    refute (task, program, levels, 0);
}

static void prepare (SynthTask *task) {
  if (task->reasons)
    return;
  task->reasons = synth_reasons_new ();
  task->witnesses = synth_witnesses_new (task->program, task->sites, task->model, task->check);
}

/* A version that cannot be parsed is not good. */
gboolean synth_task_check (SynthTask *task, const guint8 *levels, SynthAnswer *answer) {
  *answer = (SynthAnswer){ 0 };
  if (is_exhausted (task)) {
    task->complete = FALSE;
    return FALSE;
  }
  task->checks++;
  if (task->witnesses && synth_witnesses_refute (task->witnesses, levels)) {
    task->ruled_out++;
    return TRUE;
  }
  g_autofree char *text = rsp_synth_version_text (task->program, task->sites, levels);
  if (task->check_text) {
    task->check_text (task, text, answer);
    return TRUE;
  }
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  RspSource *source = rsp_source_new (task->program->source->name, g_strdup (text), strlen (text));
  g_autoptr (RspProgram) program = rsp_litmus_parse (source, FALSE, diagnostics);
  rsp_source_unref (source);
  prepare (task);
  if (program)
    check_program (task, program, levels, answer);
  return TRUE;
}
